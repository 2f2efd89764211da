/* The table of output formats; --help and the option parser read it. */
#include "report/report.h"

const ReportFormat report_formats[] = {
    {S_INIT("full"), render_full, true, S_INIT("source lines, the way from the traced root, help; for people")},
    {S_INIT("concise"), render_concise, false, S_INIT("path:line:col: CODE message")},
    {S_INIT("gcc"), render_gcc, false, S_INIT("path:line:col: level: message [CODE]")},
    {S_INIT("json"), render_json, false, S_INIT("one object with findings, skipped files and statistics")},
    {S_INIT("jsonl"), render_jsonl, false, S_INIT("one JSON object a line: header, findings, summary")},
    {S_INIT("github"), render_github, false, S_INIT("annotations for GitHub Actions")},
};
const uint32_t report_format_count = sizeof report_formats / sizeof *report_formats;

const ReportFormat *report_format(Str name) {
  for (uint32_t i = 0; i < report_format_count; i++)
    if (str_eq(report_formats[i].name, name)) return &report_formats[i];
  return NULL;
}
