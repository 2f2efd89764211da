/* JSON: one object, or one line per finding. The field names are a published contract (`tfcheck.report/1`); fields are only
 * ever added. Columns count Unicode code points from 1, bytes count in the file as it is on disk, ends are exclusive.
 */
#include "report/base64.h"
#include "report/report.h"
#include "value/json.h"
#include "value/utf8.h"

static bool is_utf8(Str text) {
  uint32_t code;
  for (size_t at = 0; at < text.len;) {
    size_t len = utf8_decode(text, at, &code);
    if (!len) return false;
    at += len;
  }
  return true;
}

/* A path that is no text is shown with U+FFFD and given exactly beside it. */
static void write_path(Json *json, Str path) {
  json_key_string(json, S("path"), path);
  if (is_utf8(path)) return;
  Arena scratch = {0};
  StrBuf encoded = {.arena = &scratch};
  base64_encode(&encoded, path);
  json_key_string(json, S("path_bytes"), buf_view(&encoded));
  arena_release(&scratch);
}

static void write_point(Json *json, Str key, const Source *source, uint32_t offset) {
  Position at = source_position(source, offset);
  json_key_object(json, key);
  json_key_int(json, S("line"), at.line);
  json_key_int(json, S("col"), at.col);
  if (source->transcoded) json_key_null(json, S("byte"));
  else json_key_int(json, S("byte"), (int64_t)offset + source->bom_bytes);
  json_close(json);
}

static void write_range(Json *json, const Source *source, Span span) {
  json_key_object(json, S("range"));
  write_point(json, S("start"), source, span.start);
  write_point(json, S("end"), source, span.end);
  json_close(json);
}

static void write_place(Json *json, const Outcome *outcome, Place place) {
  const Source *source = outcome->files.sources[place.file];
  write_path(json, source->path);
  write_range(json, source, place.span);
}

static void write_texts(Json *json, Str key, const StrVec *texts) {
  json_key_list(json, key);
  for (uint32_t i = 0; i < texts->len; i++) json_string(json, texts->data[i]);
  json_close(json);
}

static void write_labels(Json *json, const Outcome *outcome, const Labels *labels) {
  json_key_list(json, S("labels"));
  for (uint32_t i = 0; i < labels->len; i++) {
    const Label *label = &labels->data[i];
    json_open_object(json);
    json_key_string(json, S("role"), role_name(label->role));
    write_place(json, outcome, label->place);
    json_key_string(json, S("text"), label->text);
    json_close(json);
  }
  json_close(json);
}

static void write_fix(Json *json, const Outcome *outcome, const Finding *finding) {
  static const Str safety[] = {[FIX_NONE] = S_INIT("none"),
                               [FIX_DISPLAY] = S_INIT("display"),
                               [FIX_UNSAFE] = S_INIT("unsafe"),
                               [FIX_SAFE] = S_INIT("safe")};
  if (finding->fix_safety == FIX_NONE || !finding->edits.len) {
    json_key_null(json, S("fix"));
    return;
  }
  json_key_object(json, S("fix"));
  json_key_string(json, S("safety"), safety[finding->fix_safety]);
  json_key_list(json, S("edits"));
  for (uint32_t i = 0; i < finding->edits.len; i++) {
    json_open_object(json);
    write_place(json, outcome, finding->edits.data[i].place);
    json_key_string(json, S("text"), finding->edits.data[i].text);
    json_close(json);
  }
  json_close(json);
  json_close(json);
}

static void write_suppressed(Json *json, const Finding *finding) {
  static const Str kinds[] = {[SUPPRESS_NONE] = S_INIT(""),
                              [SUPPRESS_LINE] = S_INIT("line"),
                              [SUPPRESS_FILE] = S_INIT("file"),
                              [SUPPRESS_NOQA] = S_INIT("noqa"),
                              [SUPPRESS_BLOCK] = S_INIT("block")};
  if (!finding->suppressed) {
    json_key_null(json, S("suppressed"));
    return;
  }
  json_key_object(json, S("suppressed"));
  json_key_string(json, S("kind"), kinds[finding->suppressed]);
  if (finding->suppress_reason.len) json_key_string(json, S("reason"), finding->suppress_reason);
  else json_key_null(json, S("reason"));
  json_key_int(json, S("line"), finding->suppress_line);
  json_close(json);
}

/* The members of a finding, without the braces. */
static void write_finding(Json *json, const Outcome *outcome, uint32_t index) {
  const Finding *finding = &outcome->findings.data[index];
  json_key_string(json, S("code"), finding->code);
  json_key_string(json, S("name"), finding->name);
  json_key_string(json, S("variant"), finding->variant);
  json_key_string(json, S("level"), level_name(finding->level));
  json_key_string(json, S("confidence"), confidence_name(finding->confidence));
  json_key_string(json, S("message"), finding->message);
  json_key_string(json, S("annotation"), finding->annotation);
  json_key_string(json, S("subject"), finding->subject);
  json_key_string(json, S("in"), finding->in);
  json_key_null(json, S("cell"));
  write_place(json, outcome, finding->place);
  json_key_int(json, S("contexts"), finding->contexts);
  write_labels(json, outcome, &finding->labels);
  write_texts(json, S("notes"), &finding->notes);
  write_texts(json, S("help"), &finding->help);
  write_fix(json, outcome, finding);
  json_key_string(json, S("fingerprint"), outcome->fingerprints[index]);
  write_suppressed(json, finding);
  json_key_null(json, S("baseline"));
  json_key_null(json, S("url"));
}

static void write_tool(Json *json, const Outcome *outcome) {
  json_key_string(json, S("schema"), S("tfcheck.report/1"));
  json_key_object(json, S("tool"));
  json_key_string(json, S("name"), S("tfcheck"));
  json_key_string(json, S("version"), outcome->version);
  json_close(json);
  json_key_string(json, S("root"), outcome->root);
}

static void write_skipped(Json *json, const Outcome *outcome) {
  json_key_list(json, S("skipped"));
  for (uint32_t i = 0; i < outcome->skipped.len; i++) {
    json_open_object(json);
    write_path(json, outcome->skipped.data[i].path);
    json_key_string(json, S("reason"), outcome->skipped.data[i].reason);
    json_close(json);
  }
  json_close(json);
}

static void write_stats(Json *json, const Outcome *outcome) {
  const RunStats *stats = &outcome->stats;
  json_key_object(json, S("stats"));
  json_key_int(json, S("files_seen"), stats->files_seen);
  json_key_int(json, S("files_parsed"), stats->files_parsed);
  json_key_int(json, S("files_skipped"), stats->files_skipped);
  json_key_int(json, S("functions_traced"), stats->functions_traced);
  json_key_int(json, S("roots"), stats->roots);
  json_key_int(json, S("calls_resolved"), stats->calls_resolved);
  json_key_int(json, S("calls_unknown"), stats->calls_unknown);
  json_key_int(json, S("caps_hit"), stats->caps_hit);
  json_key_int(json, S("errors"), outcome->errors);
  json_key_int(json, S("warnings"), outcome->warnings);
  json_key_int(json, S("notes"), outcome->notes);
  json_key_int(json, S("hidden_notes"), outcome->hidden_notes);
  json_key_int(json, S("hidden_others"), outcome->hidden_others);
  json_key_int(json, S("suppressed"), outcome->suppressed);
  json_key_object(json, S("blind_spots"));
  for (uint32_t i = 0; i < outcome->blind_spots.len; i++)
    json_key_int(json, outcome->blind_spots.data[i].reason, outcome->blind_spots.data[i].count);
  json_close(json);
  json_key_object(json, S("by_rule"));
  for (uint32_t i = 0; i < outcome->by_rule.len; i++)
    json_key_int(json, outcome->by_rule.data[i].code, outcome->by_rule.data[i].count);
  json_close(json);
  json_close(json);
}

void render_json(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  (void)style;
  Json json = {.buf = out};
  json_open_object(&json);
  write_tool(&json, outcome);
  json_key_bool(&json, S("complete"), outcome->complete);
  json_key_list(&json, S("findings"));
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    json_line(&json);
    json_open_object(&json);
    write_finding(&json, outcome, i);
    json_close(&json);
  }
  json_close(&json);
  write_skipped(&json, outcome);
  write_stats(&json, outcome);
  json_close(&json);
  buf_char(out, '\n');
}

static void open_record(Json *json, StrBuf *out, Str type) {
  *json = (Json){.buf = out};
  json_open_object(json);
  json_key_string(json, S("type"), type);
}

static void close_record(Json *json) {
  json_close(json);
  buf_char(json->buf, '\n');
}

void render_jsonl(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  (void)style;
  Json json;
  open_record(&json, out, S("header"));
  write_tool(&json, outcome);
  close_record(&json);
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    open_record(&json, out, S("finding"));
    write_finding(&json, outcome, i);
    close_record(&json);
  }
  open_record(&json, out, S("summary"));
  json_key_bool(&json, S("complete"), outcome->complete);
  write_skipped(&json, outcome);
  write_stats(&json, outcome);
  close_record(&json);
}
