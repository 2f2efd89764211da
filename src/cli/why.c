/* `tfcheck why FILE:LINE`: in which contexts the line runs, how tracing gets there, and what is known about the values on it;
 * or why it is not traced. */
#include "cli/cli.h"
#include "report/text.h"

typedef struct Where {
  Str file;
  uint32_t line;
} Where;

typedef struct WhyJob {
  Cli *cli;
  Analysis analysis;
  const Module *module;
  uint32_t line;
  const Function *function;
  StrBuf out;
} WhyJob;

/* FILE:LINE, also FILE:LINE:COL as other tools print it. */
static bool read_where(Cli *cli, Str word, Where *out) {
  Str numbers[2];
  uint32_t count = 0;
  int64_t line = 0;
  Str file = word;
  while (count < 2) {
    size_t colon = str_rfind_char(file, ':');
    int64_t number;
    if (colon == STR_NONE || !str_to_i64(str_sub(file, colon + 1, file.len), &number)) break;
    numbers[count++] = str_sub(file, colon + 1, file.len);
    file = str_sub(file, 0, colon);
  }
  bool good = count > 0 && file.len && str_to_i64(numbers[count - 1], &line) && line > 0 && line < INT32_MAX;
  if (!good) {
    cli_error(cli, str_printf(&cli->arena, "`%.*s` is no place; write FILE:LINE", STR_ARG(word)));
    return false;
  }
  *out = (Where){file, (uint32_t)line};
  return true;
}

/* ---- what is at the line ---- */

static uint32_t first_code_offset(const Source *source, uint32_t line) {
  Span span = source_line_span(source, line);
  while (span.start < span.end && (source->text.ptr[span.start] == ' ' || source->text.ptr[span.start] == '\t'))
    span.start++;
  return span.start;
}

static Str location(Arena *arena, const Project *project, ModuleId id, uint32_t offset) {
  const Module *module = project_module(project, id);
  Position at = source_position(&module->source, offset);
  StrBuf buf = {.arena = arena};
  text_safe(&buf, module->path);
  buf_printf(&buf, ":%u:%u", at.line, at.col);
  return buf_view(&buf);
}

static void write_step(WhyJob *job, const ChainStep *step, bool first) {
  Arena *arena = &job->cli->arena;
  const Project *project = job->analysis.project;
  Str at = location(arena, project, step->module, step->span.start);
  Str name = project_qualified(arena, project, step->func);
  Str source_line =
      source_slice(&project_module(project, step->module)->source,
                   source_line_span(&project_module(project, step->module)->source,
                                    source_line_of(&project_module(project, step->module)->source, step->span.start)));
  Str what = first ? root_kind_text(step->root) : S("calls");
  buf_printf(&job->out, "    %.*s  %.*s%s`%.*s`\n", STR_ARG(at), STR_ARG(what), first ? ": " : " ", STR_ARG(name));
  buf_lit(&job->out, "        ");
  text_safe(&job->out, str_trim(source_line));
  buf_char(&job->out, '\n');
}

/* Several instances of one context differ in their arguments only; the first shows the way. */
static bool context_seen(const WhyJob *job, const InstanceId *instances, uint32_t upto) {
  Context context = flow_instance(job->analysis.flow, instances[upto]).context;
  for (uint32_t i = 0; i < upto; i++)
    if (flow_instance(job->analysis.flow, instances[i]).context == context) return true;
  return false;
}

static uint32_t write_contexts(WhyJob *job, FuncRef ref) {
  Arena *arena = &job->cli->arena;
  const InstanceId *instances = flow_instances_of(arena, job->analysis.flow, ref);
  uint32_t traced = 0;
  for (uint32_t i = 0; instances[i] != NO_INSTANCE; i++) {
    InstanceInfo info = flow_instance(job->analysis.flow, instances[i]);
    if (!ctx_traced(info.context)) continue;
    traced++;
    if (context_seen(job, instances, i)) continue;
    Str text = context_text(arena, info.context);
    buf_printf(&job->out, "  %.*s:\n", STR_ARG(text));
    Chain chain = flow_chain(arena, job->analysis.flow, instances[i]);
    for (uint32_t s = 0; s < chain.len; s++) write_step(job, &chain.steps[s], s == 0);
  }
  return traced;
}

/* ---- values ---- */

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

static bool mentions(Str line, Str name) {
  for (size_t at = 0; at + name.len <= line.len; at++) {
    if (!str_eq(str_sub(line, at, at + name.len), name)) continue;
    bool starts = at == 0 || !is_name_char(line.ptr[at - 1]);
    bool ends = at + name.len == line.len || !is_name_char(line.ptr[at + name.len]);
    if (starts && ends) return true;
  }
  return false;
}

static void write_values(WhyJob *job) {
  Arena *arena = &job->cli->arena;
  const Source *source = &job->module->source;
  Str line = source_slice(source, source_line_span(source, job->line));
  LineValues values = {0};
  flow_line_values(arena, job->analysis.flow, job->module->id, &values);
  for (uint32_t i = 0; i < values.len; i++) {
    const LineValue *value = &values.data[i];
    if (value->line != job->line || !ctx_traced(value->context) || !mentions(line, sym_str(value->name))) continue;
    Str name = sym_str(value->name), text = value_text(arena, job->analysis.project, value->value);
    Str why = why_text(arena, job->analysis.project, value->value, name);
    buf_lit(&job->out, "  ");
    if (why.len) text_safe(&job->out, why);
    else text_safe(&job->out, str_printf(arena, "`%.*s` is %.*s", STR_ARG(name), STR_ARG(text)));
    buf_char(&job->out, '\n');
  }
}

/* ---- the answer ---- */

static void explain_untraced(WhyJob *job) {
  if (job->function->is_module) {
    buf_lit(&job->out, "  not traced: the body of a module runs once, when it is imported\n");
    return;
  }
  buf_lit(
      &job->out,
      "  not traced: nobody is seen to run it under `tf.function`, in a Keras method or in another place that TensorFlow traces\n");
}

static void explain(WhyJob *job) {
  Arena *arena = &job->cli->arena;
  const Source *source = &job->module->source;
  job->function = ast_function_at(job->module->ast, first_code_offset(source, job->line));
  FuncRef ref = {job->module->id, job->function->index};
  Str name = project_qualified(arena, job->analysis.project, ref);
  StrBuf path = {.arena = arena};
  text_safe(&path, job->module->path);
  Str shown = buf_view(&path);
  buf_printf(&job->out, "%.*s:%u is in `%.*s`\n", STR_ARG(shown), job->line, STR_ARG(name));
  if (write_contexts(job, ref)) write_values(job);
  else explain_untraced(job);
}

void command_why(Cli *cli) {
  Where where;
  Str path;
  WhyJob job = {.cli = cli, .out = {.arena = &cli->arena}};
  if (cli->options.operands.len != 1) {
    cli_error(cli, S("which line? write `tfcheck why FILE:LINE`"));
    return;
  }
  if (!read_where(cli, cli->options.operands.data[0], &where) || !cli_trace_file(cli, where.file, &job.analysis, &path))
    return;
  job.module = analysis_module(&job.analysis, path);
  job.line = where.line;
  if (!job.module) {
    text_safe(&job.out, path);
    buf_lit(&job.out, ": not analysed, because neither this file nor one that imports it has to do with TensorFlow\n");
  } else if (!job.module->ast) {
    Str reason = job.module->read_error.len ? job.module->read_error : job.module->source.error_text;
    cli_error(cli, str_printf(&cli->arena, "%.*s: %.*s", STR_ARG(path), STR_ARG(reason)));
  } else if (job.line > job.module->source.line_count) {
    cli_error(cli, str_printf(&cli->arena, "%.*s has %u lines", STR_ARG(path), job.module->source.line_count));
  } else {
    explain(&job);
  }
  cli_print(cli->streams.out, buf_view(&job.out));
  analysis_release(&job.analysis);
}
