/* `tfcheck rule` and `tfcheck rules`: the rule pages, as text, Markdown or JSON. */
#include "cli/cli.h"
#include "report/text.h"
#include "value/json.h"

typedef enum PageFormat { PAGE_TEXT, PAGE_MARKDOWN, PAGE_JSON } PageFormat;

static bool page_format(Cli *cli, bool with_markdown, PageFormat *out) {
  Str name = cli->options.format;
  *out = PAGE_TEXT;
  if (!name.len || str_eq(name, S("text"))) return true;
  if (str_eq(name, S("json"))) {
    *out = PAGE_JSON;
    return true;
  }
  if (with_markdown && str_eq(name, S("markdown"))) {
    *out = PAGE_MARKDOWN;
    return true;
  }
  cli_error(cli, str_printf(&cli->arena, "--format: `%.*s` is none of text, %sjson", STR_ARG(name),
                            with_markdown ? "markdown, " : ""));
  return false;
}

static Str status_name(RuleStatus status) { return status == RULE_STABLE ? S("stable") : S("preview"); }

/* ---- text and Markdown ---- */

static void write_indented(StrBuf *out, Str text, const char *indent) {
  while (text.len) {
    Str line = str_cut(&text, '\n');
    if (line.len) buf_printf(out, "%s%.*s", indent, STR_ARG(line));
    buf_char(out, '\n');
  }
}

typedef struct PageWriter {
  StrBuf *out;
  bool markdown;
  bool color;
} PageWriter;

static void write_heading(const PageWriter *writer, Str text) {
  if (writer->markdown) buf_printf(writer->out, "\n## %.*s\n\n", STR_ARG(text));
  else if (writer->color) buf_printf(writer->out, "\n\x1b[1m%.*s\x1b[0m\n", STR_ARG(text));
  else buf_printf(writer->out, "\n%.*s\n", STR_ARG(text));
}

static void write_prose(const PageWriter *writer, Str heading, Str text) {
  if (!text.len) return;
  write_heading(writer, heading);
  write_indented(writer->out, text, writer->markdown ? "" : "  ");
}

static void write_bullets(const PageWriter *writer, Str heading, const StrList *items) {
  if (!items->len) return;
  write_heading(writer, heading);
  for (uint32_t i = 0; i < items->len; i++)
    buf_printf(writer->out, "%s%.*s\n", writer->markdown ? "- " : "  - ", STR_ARG(items->data[i]));
}

static void write_code(const PageWriter *writer, Str heading, Str code) {
  write_heading(writer, heading);
  if (writer->markdown) buf_lit(writer->out, "```python\n");
  write_indented(writer->out, code, writer->markdown ? "" : "    ");
  if (writer->markdown) buf_lit(writer->out, "```\n");
}

static void write_observed(const PageWriter *writer, const RulePage *page) {
  if (!page->observed_len) return;
  write_heading(writer, S("What TensorFlow does"));
  for (uint32_t i = 0; i < page->observed_len; i++) {
    const RuleObserved *seen = &page->observed[i];
    Str who = str_eq(seen->flavour, S("both")) ? S("") : seen->flavour;
    buf_printf(writer->out, "%s%.*s%s", writer->markdown ? "- " : "  - ", STR_ARG(who), who.len ? ": " : "");
    if (seen->error.len) buf_printf(writer->out, "%.*s: %.*s\n", STR_ARG(seen->error), STR_ARG(seen->text));
    else buf_printf(writer->out, "%.*s\n", STR_ARG(seen->behaviour));
  }
}

static void write_page(const PageWriter *writer, const RulePage *page) {
  buf_printf(writer->out, "%s%.*s %.*s (%.*s)\n", writer->markdown ? "# " : "", STR_ARG(page->id), STR_ARG(page->name),
             STR_ARG(status_name(page->status)));
  buf_printf(writer->out, "\n%.*s\n", STR_ARG(page->summary));
  write_prose(writer, S("Why"), page->why);
  write_observed(writer, page);
  write_prose(writer, S("How to mend it"), page->how_to_fix);
  for (uint32_t i = 0; i < page->example_len; i++) {
    write_code(writer, S("Wrong"), page->examples[i].bad);
    write_code(writer, S("Right"), page->examples[i].good);
  }
  write_bullets(writer, S("Not reported"), &page->limits);
  write_bullets(writer, S("See also"), &page->references);
}

/* ---- JSON ---- */

static void write_list(Json *json, Str key, const StrList *items) {
  json_key_list(json, key);
  for (uint32_t i = 0; i < items->len; i++) json_string(json, items->data[i]);
  json_close(json);
}

static void write_variants(Json *json, const RulePage *page) {
  json_key_list(json, S("variants"));
  for (uint32_t i = 0; i < page->variant_len; i++) {
    const RuleVariant *variant = &page->variants[i];
    json_open_object(json);
    json_key_string(json, S("key"), variant->key);
    json_key_string(json, S("level"), level_name(variant->level));
    json_key_string(json, S("message"), variant->message);
    json_close(json);
  }
  json_close(json);
}

static void write_head(Json *json, const RulePage *page) {
  json_key_string(json, S("code"), page->id);
  json_key_string(json, S("name"), page->name);
  json_key_string(json, S("status"), status_name(page->status));
  json_key_string(json, S("summary"), page->summary);
}

static void write_page_json(Json *json, const RulePage *page) {
  json_open_object(json);
  write_head(json, page);
  json_key_string(json, S("since"), page->since);
  json_key_string(json, S("why"), page->why);
  json_key_string(json, S("how_to_fix"), page->how_to_fix);
  write_variants(json, page);
  json_key_list(json, S("examples"));
  for (uint32_t i = 0; i < page->example_len; i++) {
    json_open_object(json);
    json_key_string(json, S("bad"), page->examples[i].bad);
    json_key_string(json, S("good"), page->examples[i].good);
    json_close(json);
  }
  json_close(json);
  write_list(json, S("limits"), &page->limits);
  write_list(json, S("references"), &page->references);
  json_close(json);
}

/* ---- commands ---- */

typedef VEC(const RulePage *) PageList;

static bool choose_pages(Cli *cli, PageList *out) {
  bool good = true;
  for (uint32_t i = 0; cli->options.all && i < catalog_rule_count(cli->catalog); i++)
    vec_push(&cli->arena, out, catalog_rule(cli->catalog, i));
  for (uint32_t i = 0; i < cli->options.operands.len; i++) {
    Str word = cli->options.operands.data[i];
    const RulePage *page = catalog_find_rule(cli->catalog, word);
    if (page) {
      vec_push(&cli->arena, out, page);
      continue;
    }
    Str hint = selector_hint(&cli->arena, cli->catalog, word);
    cli_error(cli, str_printf(&cli->arena, "there is no rule `%.*s`%.*s", STR_ARG(word), STR_ARG(hint)));
    good = false;
  }
  if (good && !out->len) cli_error(cli, S("which rule? give a code or a name, or --all; `tfcheck rules` lists them"));
  return out->len > 0;
}

void command_rule(Cli *cli) {
  PageFormat format;
  PageList pages = {0};
  if (!page_format(cli, true, &format) || !cli_load_catalog(cli) || !choose_pages(cli, &pages)) return;
  StrBuf buf = {.arena = &cli->arena};
  Json json = {.buf = &buf};
  PageWriter writer = {
      .out = &buf, .markdown = format == PAGE_MARKDOWN, .color = cli_color(cli, cli->streams.out_terminal)};
  if (format == PAGE_JSON) json_open_list(&json);
  for (uint32_t i = 0; i < pages.len; i++) {
    if (format == PAGE_JSON) {
      write_page_json(&json, pages.data[i]);
      continue;
    }
    if (i) buf_char(&buf, '\n');
    write_page(&writer, pages.data[i]);
  }
  if (format == PAGE_JSON) {
    json_close(&json);
    buf_char(&buf, '\n');
  }
  cli_print(cli->streams.out, buf_view(&buf));
}

/* "error/warning": the levels at which the rule speaks. */
static Str levels_of(Arena *arena, const RulePage *page) {
  bool seen[LEVEL_ERROR + 1] = {0};
  Str names[LEVEL_ERROR + 1];
  uint32_t count = 0;
  for (uint32_t i = 0; i < page->variant_len; i++) seen[page->variants[i].level] = true;
  for (int level = LEVEL_ERROR; level > LEVEL_OFF; level--)
    if (seen[level]) names[count++] = level_name((Level)level);
  return str_join(arena, names, count, S("/"));
}

void command_rules(Cli *cli) {
  PageFormat format;
  if (!page_format(cli, false, &format) || !cli_load_catalog(cli) || !cli_check_selectors(cli)) return;
  FileSet none = {0};
  AnalysisRequest request = cli_request(cli, &none);
  StrBuf buf = {.arena = &cli->arena};
  Json json = {.buf = &buf};
  if (format == PAGE_JSON) json_open_list(&json);
  for (uint32_t i = 0; i < catalog_rule_count(cli->catalog); i++) {
    const RulePage *page = catalog_rule(cli->catalog, i);
    Str levels = levels_of(&cli->arena, page);
    if (format == PAGE_TEXT) {
      buf_printf(&buf, "%-7.*s %-3s %-15.*s %-8.*s %.*s\n", STR_ARG(page->id), request.enabled[i] ? "on" : "off",
                 STR_ARG(levels), STR_ARG(status_name(page->status)), STR_ARG(page->name));
      continue;
    }
    json_open_object(&json);
    write_head(&json, page);
    json_key_bool(&json, S("enabled"), request.enabled[i]);
    write_variants(&json, page);
    json_close(&json);
  }
  if (format == PAGE_JSON) {
    json_close(&json);
    buf_char(&buf, '\n');
  }
  cli_print(cli->streams.out, buf_view(&buf));
}
