/* `tfcheck debug`: what each stage of the analysis knows about one file. For maintainers, fixtures, and curious users; the
 * output is stable within a version only.
 */
#include "cli/cli.h"
#include "report/text.h"

typedef struct Dump {
  Cli *cli;
  Analysis analysis;
  const Module *module;
  StrBuf out;
} Dump;

static void write_position(Dump *dump, uint32_t offset) {
  Position at = source_position(&dump->module->source, offset);
  buf_printf(&dump->out, "%u:%u: ", at.line, at.col);
}

static void dump_ast(Dump *dump) { buf_str(&dump->out, ast_dump(&dump->cli->arena, dump->module->ast)); }

/* ---- names ---- */

static void write_entity(Dump *dump, const Entity *entity) {
  const Project *project = dump->analysis.project;
  Arena *arena = &dump->cli->arena;
  Str module = entity->kind == ENTITY_UNKNOWN || entity->kind == ENTITY_API
                   ? S("")
                   : sym_str(project_module(project, entity->module)->name);
  switch (entity->kind) {
    case ENTITY_UNKNOWN:
      buf_lit(&dump->out, "unknown");
      return;
    case ENTITY_API:
      buf_printf(&dump->out, "api %.*s", STR_ARG(entity->api->text));
      return;
    case ENTITY_MODULE:
      buf_printf(&dump->out, "module %.*s", STR_ARG(module));
      return;
    case ENTITY_GLOBAL:
      buf_printf(&dump->out, "global %.*s.%.*s", STR_ARG(module), STR_ARG(entity->name->text));
      return;
    case ENTITY_FUNCTION: {
      Str name = project_qualified(arena, project, (FuncRef){entity->module, entity->index});
      buf_printf(&dump->out, "function %.*s", STR_ARG(name));
      return;
    }
    case ENTITY_CLASS: {
      Str name = sym_str(project_class(project, (ClassRef){entity->module, entity->index})->qualname);
      buf_printf(&dump->out, "class %.*s.%.*s", STR_ARG(module), STR_ARG(name));
      return;
    }
  }
}

typedef struct NameVisit {
  Dump *dump;
  const Function *function;
} NameVisit;

/* Dotted expressions and names that mean something by bindings alone; the longest ones only. */
static void visit_name(void *context, Expr *expr) {
  const NameVisit *visit = context;
  Dump *dump = visit->dump;
  if ((expr->kind == EXPR_NAME || expr->kind == EXPR_ATTR) && !expr->ctx_store) {
    EntitySet set = project_resolve(dump->analysis.project, dump->module->id, visit->function, expr);
    if (set.len) {
      write_position(dump, expr->span.start);
      Str text = expr_text(&dump->cli->arena, dump->module->ast, expr, 80);
      text_safe(&dump->out, text);
      for (uint32_t i = 0; i < set.len; i++) {
        buf_str(&dump->out, i ? S(" | ") : S(" = "));
        write_entity(dump, &set.items[i]);
      }
      if (set.more) buf_lit(&dump->out, " | ...");
      buf_char(&dump->out, '\n');
      return;
    }
  }
  expr_children(expr, visit_name, context);
}

static void names_of_block(const NameVisit *visit, Block block);

static void name_of(const NameVisit *visit, Expr *expr) {
  if (expr) visit_name((void *)visit, expr);
}

static void names_of_list(const NameVisit *visit, ExprList list) {
  for (uint32_t i = 0; i < list.len; i++) name_of(visit, list.data[i]);
}

static void names_of_try(const NameVisit *visit, const Stmt *stmt) {
  names_of_block(visit, stmt->u.try_.body);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    name_of(visit, stmt->u.try_.handlers[i].type);
    names_of_block(visit, stmt->u.try_.handlers[i].body);
  }
  names_of_block(visit, stmt->u.try_.orelse);
  names_of_block(visit, stmt->u.try_.finally);
}

/* flat table: one line a kind of statement */
static void names_of_stmt(const NameVisit *visit, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
      name_of(visit, stmt->u.expr);
      break;
    case STMT_ASSIGN:
      names_of_list(visit, stmt->u.assign.targets);
      name_of(visit, stmt->u.assign.value);
      break;
    case STMT_AUGASSIGN:
      name_of(visit, stmt->u.aug.value);
      break;
    case STMT_ANNASSIGN:
      name_of(visit, stmt->u.ann.value);
      break;
    case STMT_DELETE:
    case STMT_PRINT:
      names_of_list(visit, stmt->u.exprs);
      break;
    case STMT_RAISE:
      name_of(visit, stmt->u.raise.exc);
      break;
    case STMT_ASSERT:
      name_of(visit, stmt->u.assertion.test);
      break;
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
        name_of(visit, stmt->u.branch.arms[i].test);
        names_of_block(visit, stmt->u.branch.arms[i].body);
      }
      break;
    case STMT_WHILE:
      name_of(visit, stmt->u.loop.test);
      names_of_block(visit, stmt->u.loop.body);
      names_of_block(visit, stmt->u.loop.orelse);
      break;
    case STMT_FOR:
      name_of(visit, stmt->u.forloop.iter);
      names_of_block(visit, stmt->u.forloop.body);
      names_of_block(visit, stmt->u.forloop.orelse);
      break;
    case STMT_WITH:
      for (uint32_t i = 0; i < stmt->u.with.len; i++) name_of(visit, stmt->u.with.items[i].context);
      names_of_block(visit, stmt->u.with.body);
      break;
    case STMT_TRY:
      names_of_try(visit, stmt);
      break;
    case STMT_MATCH:
      name_of(visit, stmt->u.match.subject);
      for (uint32_t i = 0; i < stmt->u.match.len; i++) names_of_block(visit, stmt->u.match.cases[i].body);
      break;
    case STMT_FUNCTION:
      for (uint32_t i = 0; i < stmt->u.function->decorator_len; i++) name_of(visit, stmt->u.function->decorators[i]);
      break;
    case STMT_CLASS:
      for (uint32_t i = 0; i < stmt->u.class_->decorator_len; i++) name_of(visit, stmt->u.class_->decorators[i]);
      names_of_list(visit, stmt->u.class_->bases);
      names_of_block(visit, stmt->u.class_->body);
      break;
    default:
      break;
  }
}

static void names_of_block(const NameVisit *visit, Block block) {
  for (uint32_t i = 0; i < block.len; i++) names_of_stmt(visit, block.data[i]);
}

static void dump_names(Dump *dump) {
  const Ast *ast = dump->module->ast;
  for (uint32_t i = 0; i < ast->functions.len; i++) {
    NameVisit visit = {dump, ast->functions.data[i]};
    if (visit.function->lambda_body) name_of(&visit, visit.function->lambda_body);
    names_of_block(&visit, visit.function->body);
  }
}

/* ---- traced ---- */

/* What the calls of this instance pass, joined. */
static void write_params(Dump *dump, const Function *function, InstanceInfo info) {
  for (uint32_t i = 0; i < info.param_len && i < function->param_len; i++) {
    const Expr *name = function->params[i].name;
    if (!name) continue;
    Str id = sym_str(name->u.name.id), text = value_text(&dump->cli->arena, dump->analysis.project, info.params[i]);
    buf_printf(&dump->out, "        %.*s = ", STR_ARG(id));
    text_safe(&dump->out, text);
    buf_char(&dump->out, '\n');
  }
}

static void write_instance(Dump *dump, const Function *function, InstanceId id) {
  Arena *arena = &dump->cli->arena;
  InstanceInfo info = flow_instance(dump->analysis.flow, id);
  Chain chain = flow_chain(arena, dump->analysis.flow, id);
  Str text = context_text(arena, info.context);
  buf_printf(&dump->out, "    %.*s", STR_ARG(text));
  for (uint32_t i = 0; i < chain.len; i++) {
    Str name = project_qualified(arena, dump->analysis.project, chain.steps[i].func);
    buf_printf(&dump->out, "%s%.*s", i ? " > " : " via ", STR_ARG(name));
  }
  buf_char(&dump->out, '\n');
  write_params(dump, function, info);
}

static void dump_traced(Dump *dump) {
  Arena *arena = &dump->cli->arena;
  const Ast *ast = dump->module->ast;
  for (uint32_t i = 0; i < ast->functions.len; i++) {
    FuncRef ref = {dump->module->id, i};
    const InstanceId *instances = flow_instances_of(arena, dump->analysis.flow, ref);
    uint32_t traced = 0;
    for (uint32_t n = 0; instances[n] != NO_INSTANCE; n++)
      traced += ctx_traced(flow_instance(dump->analysis.flow, instances[n]).context);
    Str name = project_qualified(arena, dump->analysis.project, ref);
    write_position(dump, ast->functions.data[i]->header.start);
    buf_printf(&dump->out, "%.*s: %s\n", STR_ARG(name), traced ? "traced" : "eager");
    for (uint32_t n = 0; instances[n] != NO_INSTANCE; n++)
      if (ctx_traced(flow_instance(dump->analysis.flow, instances[n]).context))
        write_instance(dump, ast->functions.data[i], instances[n]);
  }
}

/* ---- values ---- */

static void dump_values(Dump *dump) {
  Arena *arena = &dump->cli->arena;
  LineValues values = {0};
  flow_line_values(arena, dump->analysis.flow, dump->module->id, &values);
  for (uint32_t i = 0; i < values.len; i++) {
    const LineValue *value = &values.data[i];
    Str name = sym_str(value->name), text = value_text(arena, dump->analysis.project, value->value);
    buf_printf(&dump->out, "%u: %.*s = ", value->line, STR_ARG(name));
    text_safe(&dump->out, text);
    buf_printf(&dump->out, "  (%s)\n", ctx_traced(value->context) ? "traced" : "eager");
  }
}

/* ---- blind ---- */

/* Of the whole project: what a file's traced code calls may be anywhere. One line a call and context. */
static void dump_blind(Dump *dump) {
  BlindSpots spots = {0};
  flow_blind_spots(&dump->cli->arena, dump->analysis.flow, &spots);
  for (uint32_t i = 0; i < spots.len; i++) {
    const Module *module = project_module(dump->analysis.project, spots.data[i].module);
    Position at = source_position(&module->source, spots.data[i].span.start);
    text_safe(&dump->out, module->path);
    buf_printf(&dump->out, ":%u:%u: %.*s: ", at.line, at.col, STR_ARG(spots.data[i].reason));
    Str text = source_slice(&module->source, spots.data[i].span);
    text_safe(&dump->out, str_trim(str_cut(&text, '\n')));
    buf_char(&dump->out, '\n');
  }
}

/* ---- */

/* The tree of a file that has nothing to do with TensorFlow is of interest too. */
static bool parse_alone(Dump *dump, Str root, Str path) {
  Cli *cli = dump->cli;
  Module *module = arena_new(&cli->arena, Module);
  Str bytes, whole = path_join(&cli->arena, root, path);
  if (cli->fs->read(cli->fs, &cli->arena, whole, cli->options.max_file_size, &bytes) != FS_OK) return false;
  source_init(&cli->arena, &module->source, path, bytes);
  if (module->source.error) return false;
  module->ast = ast_parse(&cli->arena, dump->analysis.symbols, &module->source);
  dump->module = module;
  return true;
}

typedef struct DumpKind {
  Str name;
  void (*write)(Dump *dump);
} DumpKind;

static const DumpKind dump_kinds[] = {{S_INIT("ast"), dump_ast},
                                      {S_INIT("names"), dump_names},
                                      {S_INIT("traced"), dump_traced},
                                      {S_INIT("values"), dump_values},
                                      {S_INIT("blind"), dump_blind}};

void command_debug(Cli *cli) {
  const StrVec *words = &cli->options.operands;
  const DumpKind *kind = NULL;
  Dump dump = {.cli = cli, .out = {.arena = &cli->arena}};
  Str path;
  for (size_t i = 0; words->len == 2 && i < sizeof dump_kinds / sizeof *dump_kinds; i++)
    if (str_eq(words->data[0], dump_kinds[i].name)) kind = &dump_kinds[i];
  if (!kind) {
    cli_error(cli, S("write `tfcheck debug ast|names|traced|values|blind FILE`"));
    return;
  }
  if (!cli_trace_file(cli, words->data[1], &dump.analysis, &path)) return;
  dump.module = analysis_module(&dump.analysis, path);
  bool known = dump.module && dump.module->ast;
  if (known || (kind->write == dump_ast && !dump.module && parse_alone(&dump, dump.analysis.project->root, path)))
    kind->write(&dump);
  else cli_error(cli, str_printf(&cli->arena, "%.*s: not analysed", STR_ARG(path)));
  cli_print(cli->streams.out, buf_view(&dump.out));
  analysis_release(&dump.analysis);
}
