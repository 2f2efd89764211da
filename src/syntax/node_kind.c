/* The table from grammar names to node kinds. Requires both halves sorted by name (byte order): they are searched by halving. */
#include "syntax/node_kind.h"

typedef struct KindRow {
  Str name;
  NodeKind kind;
} KindRow;

static const KindRow NAMED[] = {
    {S_INIT("aliased_import"), NODE_ALIASED_IMPORT},
    {S_INIT("argument_list"), NODE_ARGUMENT_LIST},
    {S_INIT("as_pattern"), NODE_AS_PATTERN},
    {S_INIT("as_pattern_target"), NODE_AS_PATTERN_TARGET},
    {S_INIT("assert_statement"), NODE_ASSERT_STATEMENT},
    {S_INIT("assignment"), NODE_ASSIGNMENT},
    {S_INIT("attribute"), NODE_ATTRIBUTE},
    {S_INIT("augmented_assignment"), NODE_AUGMENTED_ASSIGNMENT},
    {S_INIT("await"), NODE_AWAIT},
    {S_INIT("binary_operator"), NODE_BINARY_OPERATOR},
    {S_INIT("block"), NODE_BLOCK},
    {S_INIT("boolean_operator"), NODE_BOOLEAN_OPERATOR},
    {S_INIT("break_statement"), NODE_BREAK_STATEMENT},
    {S_INIT("call"), NODE_CALL},
    {S_INIT("case_clause"), NODE_CASE_CLAUSE},
    {S_INIT("case_pattern"), NODE_CASE_PATTERN},
    {S_INIT("chevron"), NODE_CHEVRON},
    {S_INIT("class_definition"), NODE_CLASS_DEFINITION},
    {S_INIT("class_pattern"), NODE_CLASS_PATTERN},
    {S_INIT("comment"), NODE_COMMENT},
    {S_INIT("comparison_operator"), NODE_COMPARISON_OPERATOR},
    {S_INIT("complex_pattern"), NODE_COMPLEX_PATTERN},
    {S_INIT("concatenated_string"), NODE_CONCATENATED_STRING},
    {S_INIT("conditional_expression"), NODE_CONDITIONAL_EXPRESSION},
    {S_INIT("constrained_type"), NODE_CONSTRAINED_TYPE},
    {S_INIT("continue_statement"), NODE_CONTINUE_STATEMENT},
    {S_INIT("decorated_definition"), NODE_DECORATED_DEFINITION},
    {S_INIT("decorator"), NODE_DECORATOR},
    {S_INIT("default_parameter"), NODE_DEFAULT_PARAMETER},
    {S_INIT("delete_statement"), NODE_DELETE_STATEMENT},
    {S_INIT("dict_pattern"), NODE_DICT_PATTERN},
    {S_INIT("dictionary"), NODE_DICTIONARY},
    {S_INIT("dictionary_comprehension"), NODE_DICTIONARY_COMPREHENSION},
    {S_INIT("dictionary_splat"), NODE_DICTIONARY_SPLAT},
    {S_INIT("dictionary_splat_pattern"), NODE_DICTIONARY_SPLAT_PATTERN},
    {S_INIT("dotted_name"), NODE_DOTTED_NAME},
    {S_INIT("elif_clause"), NODE_ELIF_CLAUSE},
    {S_INIT("ellipsis"), NODE_ELLIPSIS},
    {S_INIT("else_clause"), NODE_ELSE_CLAUSE},
    {S_INIT("except_clause"), NODE_EXCEPT_CLAUSE},
    {S_INIT("exec_statement"), NODE_EXEC_STATEMENT},
    {S_INIT("expression_list"), NODE_EXPRESSION_LIST},
    {S_INIT("expression_statement"), NODE_EXPRESSION_STATEMENT},
    {S_INIT("false"), NODE_FALSE},
    {S_INIT("finally_clause"), NODE_FINALLY_CLAUSE},
    {S_INIT("float"), NODE_FLOAT},
    {S_INIT("for_in_clause"), NODE_FOR_IN_CLAUSE},
    {S_INIT("for_statement"), NODE_FOR_STATEMENT},
    {S_INIT("format_expression"), NODE_FORMAT_EXPRESSION},
    {S_INIT("format_specifier"), NODE_FORMAT_SPECIFIER},
    {S_INIT("function_definition"), NODE_FUNCTION_DEFINITION},
    {S_INIT("future_import_statement"), NODE_FUTURE_IMPORT_STATEMENT},
    {S_INIT("generator_expression"), NODE_GENERATOR_EXPRESSION},
    {S_INIT("generic_type"), NODE_GENERIC_TYPE},
    {S_INIT("global_statement"), NODE_GLOBAL_STATEMENT},
    {S_INIT("identifier"), NODE_IDENTIFIER},
    {S_INIT("if_clause"), NODE_IF_CLAUSE},
    {S_INIT("if_statement"), NODE_IF_STATEMENT},
    {S_INIT("import_from_statement"), NODE_IMPORT_FROM_STATEMENT},
    {S_INIT("import_prefix"), NODE_IMPORT_PREFIX},
    {S_INIT("import_statement"), NODE_IMPORT_STATEMENT},
    {S_INIT("integer"), NODE_INTEGER},
    {S_INIT("interpolation"), NODE_INTERPOLATION},
    {S_INIT("keyword_argument"), NODE_KEYWORD_ARGUMENT},
    {S_INIT("keyword_pattern"), NODE_KEYWORD_PATTERN},
    {S_INIT("keyword_separator"), NODE_KEYWORD_SEPARATOR},
    {S_INIT("lambda"), NODE_LAMBDA},
    {S_INIT("lambda_parameters"), NODE_LAMBDA_PARAMETERS},
    {S_INIT("line_continuation"), NODE_CONTINUATION},
    {S_INIT("list"), NODE_LIST},
    {S_INIT("list_comprehension"), NODE_LIST_COMPREHENSION},
    {S_INIT("list_pattern"), NODE_LIST_PATTERN},
    {S_INIT("list_splat"), NODE_LIST_SPLAT},
    {S_INIT("list_splat_pattern"), NODE_LIST_SPLAT_PATTERN},
    {S_INIT("match_statement"), NODE_MATCH_STATEMENT},
    {S_INIT("member_type"), NODE_MEMBER_TYPE},
    {S_INIT("module"), NODE_MODULE},
    {S_INIT("named_expression"), NODE_NAMED_EXPRESSION},
    {S_INIT("none"), NODE_NONE},
    {S_INIT("nonlocal_statement"), NODE_NONLOCAL_STATEMENT},
    {S_INIT("not_operator"), NODE_NOT_OPERATOR},
    {S_INIT("pair"), NODE_PAIR},
    {S_INIT("parameters"), NODE_PARAMETERS},
    {S_INIT("parenthesized_expression"), NODE_PARENTHESIZED_EXPRESSION},
    {S_INIT("pass_statement"), NODE_PASS_STATEMENT},
    {S_INIT("pattern_list"), NODE_PATTERN_LIST},
    {S_INIT("positional_separator"), NODE_POSITIONAL_SEPARATOR},
    {S_INIT("print_statement"), NODE_PRINT_STATEMENT},
    {S_INIT("raise_statement"), NODE_RAISE_STATEMENT},
    {S_INIT("relative_import"), NODE_RELATIVE_IMPORT},
    {S_INIT("return_statement"), NODE_RETURN_STATEMENT},
    {S_INIT("set"), NODE_SET},
    {S_INIT("set_comprehension"), NODE_SET_COMPREHENSION},
    {S_INIT("slice"), NODE_SLICE},
    {S_INIT("splat_pattern"), NODE_SPLAT_PATTERN},
    {S_INIT("splat_type"), NODE_SPLAT_TYPE},
    {S_INIT("string"), NODE_STRING},
    {S_INIT("string_content"), NODE_STRING_CONTENT},
    {S_INIT("subscript"), NODE_SUBSCRIPT},
    {S_INIT("true"), NODE_TRUE},
    {S_INIT("try_statement"), NODE_TRY_STATEMENT},
    {S_INIT("tuple"), NODE_TUPLE},
    {S_INIT("tuple_pattern"), NODE_TUPLE_PATTERN},
    {S_INIT("type"), NODE_TYPE},
    {S_INIT("type_alias_statement"), NODE_TYPE_ALIAS_STATEMENT},
    {S_INIT("type_conversion"), NODE_TYPE_CONVERSION},
    {S_INIT("type_parameter"), NODE_TYPE_PARAMETER},
    {S_INIT("typed_default_parameter"), NODE_TYPED_DEFAULT_PARAMETER},
    {S_INIT("typed_parameter"), NODE_TYPED_PARAMETER},
    {S_INIT("unary_operator"), NODE_UNARY_OPERATOR},
    {S_INIT("union_pattern"), NODE_UNION_PATTERN},
    {S_INIT("union_type"), NODE_UNION_TYPE},
    {S_INIT("while_statement"), NODE_WHILE_STATEMENT},
    {S_INIT("wildcard_import"), NODE_WILDCARD_IMPORT},
    {S_INIT("with_clause"), NODE_WITH_CLAUSE},
    {S_INIT("with_item"), NODE_WITH_ITEM},
    {S_INIT("with_statement"), NODE_WITH_STATEMENT},
    {S_INIT("yield"), NODE_YIELD},
};

static const KindRow TOKENS[] = {
    {S_INIT("*"), TOKEN_STAR},       {S_INIT("**"), TOKEN_STAR_STAR}, {S_INIT(","), TOKEN_COMMA},
    {S_INIT("-"), TOKEN_MINUS},      {S_INIT(":"), TOKEN_COLON},      {S_INIT("="), TOKEN_ASSIGN},
    {S_INIT("_"), TOKEN_UNDERSCORE}, {S_INIT("as"), TOKEN_AS},        {S_INIT("async"), TOKEN_ASYNC},
    {S_INIT("from"), TOKEN_FROM},    {S_INIT("in"), TOKEN_IN},
};

static NodeKind find(const KindRow *rows, size_t count, Str name) {
  size_t low = 0;
  while (count > 0) {
    size_t half = count / 2;
    int order = str_cmp(rows[low + half].name, name);
    if (order == 0) return rows[low + half].kind;
    if (order < 0) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return NODE_OTHER;
}

void node_kinds_init(Arena *arena, NodeKinds *out, const TSLanguage *language) {
  out->len = ts_language_symbol_count(language);
  out->by_symbol = arena_array(arena, uint8_t, out->len);
  for (uint32_t i = 0; i < out->len; i++) {
    TSSymbol symbol = (TSSymbol)i;
    Str name = str_from(ts_language_symbol_name(language, symbol));
    TSSymbolType type = ts_language_symbol_type(language, symbol);
    if (type == TSSymbolTypeRegular) {
      out->by_symbol[i] = (uint8_t)find(NAMED, sizeof NAMED / sizeof *NAMED, name);
    } else if (type == TSSymbolTypeAnonymous) {
      out->by_symbol[i] = (uint8_t)find(TOKENS, sizeof TOKENS / sizeof *TOKENS, name);
    }
  }
}

static Str unknown_in(const KindRow *rows, size_t count, const NodeKinds *kinds) {
  for (size_t i = 0; i < count; i++) {
    uint32_t symbol = 0;
    while (symbol < kinds->len && kinds->by_symbol[symbol] != rows[i].kind) symbol++;
    if (symbol == kinds->len) return rows[i].name;
  }
  return S("");
}

Str node_kinds_unknown(const NodeKinds *kinds) {
  Str name = unknown_in(NAMED, sizeof NAMED / sizeof *NAMED, kinds);
  return name.len > 0 ? name : unknown_in(TOKENS, sizeof TOKENS / sizeof *TOKENS, kinds);
}
