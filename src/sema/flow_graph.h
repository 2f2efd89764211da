/* The control flow of one function as AutoGraph counts it: nodes with reads and writes in order, and where each `if`, `while`
 * and `for` begins and ends among them.
 *
 * Nodes are numbered in source order, so that a statement is a range of nodes. facts.c solves the equations over it.
 */
#ifndef TFCHECK_SEMA_FLOW_GRAPH_H
#define TFCHECK_SEMA_FLOW_GRAPH_H

#include "sema/places.h"

enum { NO_NODE = UINT32_MAX, EXIT_NODE = 0 };

typedef enum FlowOp {
  FLOW_READ,
  FLOW_WRITE,
  FLOW_DELETE,
  FLOW_CAPTURE,  // a nested function that is defined here reads the place: live from here on
} FlowOp;

typedef struct FlowEvent { uint32_t op, place; } FlowEvent;

typedef struct FlowNode {
  uint32_t first_event;  // up to the next node's
  uint32_t handler;      // where an exception in it goes, NO_NODE: out of the function
  VEC(uint32_t) next;
} FlowNode;

typedef enum JumpKind { JUMP_BREAK, JUMP_CONTINUE, JUMP_RETURN, JUMP_RAISE } JumpKind;

typedef struct Jump {
  JumpKind kind;
  uint32_t node;  // empty node right before it
  uint32_t loop;  // break, continue: depth of the loop it is about, 1 for an outermost one
} Jump;

/* A stretch of code: its nodes, the jumps in it, the empty node at its end. */
typedef struct Stretch {
  uint32_t first, end;
  uint32_t first_jump, end_jump;
  uint32_t last;
  bool falls;     // some path reaches its end
  bool definite;  // AutoGraph's notion: it sees a `return` on every path (a `raise` is none)
} Stretch;

typedef enum RestTo { REST_NONE, REST_ELSE, REST_MAIN } RestTo;

/* An arm of an `if` that has a test. The alternative are the arms behind it, and the end of the last test if there is no else. */
typedef struct IfFlow {
  const Stmt *stmt;
  uint32_t arm;
  uint32_t before;               // node that tests
  uint32_t join;                 // node after the statement
  uint32_t end_jump;             // of the whole statement
  uint32_t loop;                 // depth of loops around it
  uint32_t arms, first_other, end_other;  // indexes into FlowGraph.arms: this one, and those of the alternative
  RestTo rest_to;                // which side the rest of the block belongs to
  Stretch rest;
} IfFlow;

typedef struct LoopFlow {
  const Stmt *stmt;
  uint32_t before;  // once, before the loop
  uint32_t header;  // before each iteration
  uint32_t exit;    // where it goes when it is over: the else block
  uint32_t after;   // behind the statement
  uint32_t loops;   // depth of loops around it
  Stretch body;     // from the header
} LoopFlow;

typedef struct FlowGraph {
  PlaceTable *places;
  VEC(FlowNode) nodes;
  VEC(FlowEvent) events;
  VEC(Jump) jumps;
  VEC(Stretch) arms;
  VEC(IfFlow) ifs;
  VEC(LoopFlow) loops;
} FlowGraph;

/* The state of building, shared by flow_graph.c (statements) and flow_events.c (expressions). */
typedef struct FlowFrame FlowFrame;
typedef struct FlowBuilder {
  Arena *arena;
  FlowGraph *graph;
  const Function *function;
  uint32_t at;       // node that events go to: always the newest
  uint32_t guarded;  // `try` bodies around: there each statement is a node of its own
  uint32_t loops;    // loops around
  FlowFrame *frame;
} FlowBuilder;

void flow_emit_expr(FlowBuilder *b, Expr *expr);    // evaluates
void flow_emit_target(FlowBuilder *b, Expr *expr);  // assigns to
void flow_emit_delete(FlowBuilder *b, Expr *expr);
void flow_emit_name(FlowBuilder *b, Sym name);      // binds by import or definition
void flow_emit_function(FlowBuilder *b, const Function *function);
void flow_emit_class(FlowBuilder *b, const Class *class_);
void flow_emit_pattern(FlowBuilder *b, const Pattern *pattern);

FlowGraph *flow_graph_build(Arena *arena, PlaceTable *places, const Function *function);

#endif
