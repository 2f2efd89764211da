/* YAML to a document tree: the only user of libyaml.
 *
 * libyaml is asked for events, so that nothing is ever expanded: an alias is refused when it is seen, which is all it takes
 * against alias bombs. Not handled on purpose, each with its own error: anchors, tags, directives, keys that are no text,
 * a second document.
 */
#include <yaml.h>

#include "base/panic.h"
#include "value/build.h"

/* libyaml counts characters, we count bytes. Marks come nearly in order, so a cursor that walks both ways is enough. */
typedef struct YamlReader {
  DocBuilder build;
  Str text;  // without the byte order mark
  size_t bom;  // bytes of it
  size_t chars;  // cursor: characters before `bytes`
  size_t bytes;
  uint32_t documents;
} YamlReader;

static bool continues(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

static uint32_t offset_of(YamlReader *reader, size_t chars) {
  Str text = reader->text;
  while (reader->chars < chars && reader->bytes < text.len) {
    do reader->bytes++;
    while (reader->bytes < text.len && continues(text.ptr[reader->bytes]));
    reader->chars++;
  }
  while (reader->chars > chars) {
    do reader->bytes--;
    while (reader->bytes > 0 && continues(text.ptr[reader->bytes]));
    reader->chars--;
  }
  return build_offset(reader->bytes + reader->bom);
}

static DocSpan span_of(YamlReader *reader, const yaml_event_t *event) {
  uint32_t start = offset_of(reader, event->start_mark.index);
  return (DocSpan){start, offset_of(reader, event->end_mark.index)};
}

static bool refuse(YamlReader *reader, DocSpan span, const char *what) {
  doc_fail(reader->build.errors, reader->build.file, span, "%s", what);
  return false;
}

static bool has_properties(YamlReader *reader, DocSpan span, const yaml_char_t *anchor, const yaml_char_t *tag) {
  if (anchor) refuse(reader, span, "anchors (\"&name\") are not allowed");
  if (!anchor && tag) refuse(reader, span, "tags (\"!type\") are not allowed");
  return anchor || tag;
}

static bool is_null(const yaml_event_t *event, Str text) {
  return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
         (!text.len || str_eq(text, S("~")) || str_eq(text, S("null")));
}

static bool read_scalar(YamlReader *reader, const yaml_event_t *event, DocSpan span) {
  if (has_properties(reader, span, event->data.scalar.anchor, event->data.scalar.tag)) return false;
  Str text = str_copy(reader->build.arena, (Str){(const char *)event->data.scalar.value, event->data.scalar.length});
  if (build_wants_key(&reader->build)) {
    if (!text.len) return refuse(reader, span, "a key must not be empty");
    return build_key(&reader->build, text, span);
  }
  Doc leaf = {.kind = is_null(event, text) ? DOC_NULL : DOC_SCALAR,
              .quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE,
              .span = span,
              .text = text};
  return build_value(&reader->build, &leaf);
}

static bool read_open(YamlReader *reader, DocKind kind, DocSpan span, const yaml_char_t *anchor,
                      const yaml_char_t *tag) {
  if (has_properties(reader, span, anchor, tag)) return false;
  if (build_wants_key(&reader->build)) return refuse(reader, span, "a key must be text, not a list or a map");
  return build_open(&reader->build, kind, span);
}

static bool read_document_start(YamlReader *reader, const yaml_event_t *event, DocSpan span) {
  if (event->data.document_start.version_directive ||
      event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end)
    return refuse(reader, span, "directives (\"%YAML\", \"%TAG\") are not allowed");
  return ++reader->documents == 1 || refuse(reader, span, "only one document is allowed in a file");
}

static bool read_event(YamlReader *reader, const yaml_event_t *event) {
  DocSpan span = span_of(reader, event);
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      return read_document_start(reader, event, span);
    case YAML_ALIAS_EVENT:
      return refuse(reader, span, "aliases (\"*name\") are not allowed");
    case YAML_SCALAR_EVENT:
      return read_scalar(reader, event, span);
    case YAML_SEQUENCE_START_EVENT:
      return read_open(reader, DOC_LIST, span, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
      return read_open(reader, DOC_MAP, span, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      build_close(&reader->build, span.end);
      return true;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      return true;
  }
  return true;
}

/* Reader errors (bad UTF-8, control characters) carry a byte offset, all others a mark. */
static void fail_syntax(YamlReader *reader, const yaml_parser_t *parser) {
  const char *problem = parser->problem ? parser->problem : "cannot be read";
  uint32_t at = parser->error == YAML_READER_ERROR ? build_offset(parser->problem_offset + reader->bom)
                                                   : offset_of(reader, parser->problem_mark.index);
  const char *context = parser->context ? parser->context : "";
  doc_fail(reader->build.errors, reader->build.file, (DocSpan){at, at}, "bad YAML: %s%s%s", context,
           *context ? ", " : "", problem);
}

static bool read_events(YamlReader *reader, yaml_parser_t *parser) {
  for (;;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
      if (parser->error != YAML_MEMORY_ERROR) fail_syntax(reader, parser);
      return false;
    }
    bool last = event.type == YAML_STREAM_END_EVENT;
    bool good = read_event(reader, &event);
    yaml_event_delete(&event);
    if (!good || last) return good;
  }
}

bool doc_read_yaml(Arena *arena, Str path, Str text, DocFile *file, DocErrors *errors) {
  YamlReader reader = {0};
  if (!build_init(&reader.build, arena, path, text, DOC_MAX_BYTES, file, errors)) return false;
  const Doc *empty = file->root;
  reader.bom = str_starts(text, S("\xEF\xBB\xBF")) ? 3 : 0;
  reader.text = str_sub(text, reader.bom, text.len);

  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) panic_raise(__FILE__, __LINE__, "out of memory");
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)reader.text.ptr, reader.text.len);
  bool good = read_events(&reader, &parser);
  bool out_of_memory = parser.error == YAML_MEMORY_ERROR;
  yaml_parser_delete(&parser);
  if (out_of_memory) panic_raise(__FILE__, __LINE__, "out of memory");
  if (!good || file->root->kind == DOC_NULL) file->root = empty;
  return good;
}
