/* Abstract values: what the analysis knows about the result of an expression.
 *
 * A value is a product of flat lattices (dtype, rank, constant, origin …) over a set of kinds. Values are immutable once
 * made. Zero is BOTTOM: no execution gets here (yet). The join is associative, commutative and idempotent in everything but
 * `why`, which is a witness chosen by least place and never compared. Depth of structure is at most VALUE_DEPTH and width at
 * most VALUE_WIDTH; wider or deeper structures keep the join of their elements only, so every chain of joins is finite.
 */
#ifndef TFCHECK_FLOW_VALUE_H
#define TFCHECK_FLOW_VALUE_H

#include "catalog/catalog.h"
#include "sema/project.h"

enum { VALUE_DEPTH = 3, VALUE_WIDTH = 16, VALUE_OBJS = 4, VALUE_DIMS = 8 };

typedef struct Value Value;
typedef uint32_t InstanceId;  // flow/engine.h
enum { NO_INSTANCE = UINT32_MAX };

/* ---- where a value is stored: the identity of a variable across functions ---- */

typedef enum VarKind {
  VAR_NONE,     // a temporary, or unknown
  VAR_LOCAL,    // slot of the function `func` (also a captured variable of an enclosing function)
  VAR_GLOBAL,   // module-level name
  VAR_FIELD,    // attribute of the objects of a project class
  VAR_CLASS,    // class attribute (written through the class itself or in its body)
  VAR_PARAM,    // parameter of the traced root, as given by its caller
  VAR_API,      // attribute of an object of the outside world: by allocation site, name
} VarKind;

typedef struct Var {
  VarKind kind;
  ModuleId module;
  uint32_t owner;  // LOCAL, PARAM: function index; FIELD, CLASS: class index; API: site
  Sym name;        // GLOBAL, FIELD, CLASS, API; for LOCAL and PARAM the name, slots are unique by it
} Var;

bool var_eq(Var a, Var b);
uint64_t var_key(Var var);  // for Map
Str var_text(Arena *arena, const Project *project, Var var);  // "self.buffer", "history", "Model.cache"

/* Who else can hold the value, seen from the trace that is being analysed. */
typedef enum Origin {
  ORIGIN_UNKNOWN,  // mixed or not known: silent
  ORIGIN_FRESH,    // made during the current call tree
  ORIGIN_OUTER,    // read from a place that outlives the call: `home` says which
  ORIGIN_PARAM,    // a parameter of the traced root (or part of it)
} Origin;

/* ---- provenance ---- */

typedef enum WhyKind {
  WHY_NONE, WHY_RESULT, WHY_OPERATOR, WHY_PARAMETER, WHY_SIGNATURE, WHY_ANNOTATION, WHY_DEFAULT, WHY_CALL_SITE, WHY_ELEMENT,
  WHY_ITERATION, WHY_KERAS, WHY_USE, WHY_ATTRIBUTE, WHY_CONSTRUCTED, WHY_ASSIGNED,
} WhyKind;

typedef struct Why {
  WhyKind kind;
  ModuleId module;
  Span span;
  Sym name;         // API or parameter or attribute it speaks of, may be NULL
} Why;

/* ---- identities ---- */

typedef enum ObjKind {
  OBJ_FUNCTION,      // project function or lambda; with `self`, a bound method
  OBJ_TRACED,        // tf.function object around `target`
  OBJ_CLASS,         // project class
  OBJ_INSTANCE,      // object of a project class
  OBJ_API,           // outside name: module, function, class ("tensorflow.reduce_sum")
  OBJ_API_INSTANCE,  // object of an outside class ("keras.layers.Dense", "numpy.random.Generator")
  OBJ_API_METHOD,    // bound method of an outside class: `api` is where it was found, `self` the receiver
  OBJ_MODULE,        // project module
  OBJ_PARTIAL,       // functools.partial of `target`
} ObjKind;

/* Allocation site: the expression that made the object, in which instance. */
typedef struct Site {
  ModuleId module;
  uint32_t expr;
  InstanceId instance;
} Site;

static inline bool site_eq(Site a, Site b) {
  return a.module == b.module && a.expr == b.expr && a.instance == b.instance;
}

typedef enum Tri { TRI_UNKNOWN, TRI_NO, TRI_YES } Tri;

/* How one traced function object was made. */
typedef struct TraceSpec {
  Tri autograph;         // TRI_YES unless autograph=False
  Tri jit;               // TRI_NO unless jit_compile
  Tri reduce_retracing;
  bool has_signature;    // input_signature given and not None
  const Value *signature; // its value, or NULL
  bool is_decorator;     // @ form: the place is the decorator
  bool per_instance;     // decorated method: one traced function per object
  ModuleId module;       // where
  Span span;             // the decorator without `@`, or the call
  Sym api;               // "tensorflow.function", or a configured wrapper
} TraceSpec;

typedef struct Obj {
  ObjKind kind;
  FuncRef func;            // FUNCTION
  InstanceId env;          // FUNCTION: the instance whose locals it captures; NO_INSTANCE at module level
  ClassRef cls;            // CLASS, INSTANCE
  Sym api;                 // API, API_INSTANCE (its class), API_METHOD (canonical name of the method)
  ModuleId module;         // MODULE
  const Value *self;       // bound receiver, or NULL
  const Value *target;     // TRACED, PARTIAL: what is wrapped
  const TraceSpec *trace;  // TRACED
  const struct BoundArgs *bound;  // PARTIAL; NULL: arguments not known
  Site site;               // where it was made (INSTANCE, API_INSTANCE, TRACED, FUNCTION of a lambda or inner def)
  bool many;               // made in a loop or comprehension: stands for several objects
  bool no_autograph;       // FUNCTION: wrapped by do_not_convert
  bool gives_gradient;     // FUNCTION: under tf.custom_gradient, returns (result, gradient function)
  bool once;               // FUNCTION: memoised (lru_cache): its body runs once per key
  uint8_t binding;         // FUNCTION, TRACED: MethodBinding; PARTIAL: METHOD_PARTIAL if it binds like a method
} Obj;

/* How a function found in a class binds. */
typedef enum MethodBinding { METHOD_PLAIN, METHOD_STATIC, METHOD_CLASS, METHOD_PROPERTY, METHOD_CACHED_PROPERTY,
               METHOD_PARTIAL } MethodBinding;

typedef struct BoundArgs {
  const Value **args;
  uint32_t arg_len;
  Sym *names;
  const Value **named;
  uint32_t named_len;
} BoundArgs;

/* ---- the value ---- */

typedef enum ConstTag { KONST_NONE, KONST_BOOL, KONST_INT, KONST_FLOAT, KONST_STR } ConstTag;

typedef enum ValueFlag {
  VF_TAINTED = 1 << 0,    // result of something that was reported: host rules still see the tensor, others do not
  VF_LIKELY = 1 << 1,     // the kind is a good guess only (use in an op, a default value): certain becomes likely
  VF_CHANGING = 1 << 2,   // another Python value at each evaluation: loop counters, `eps *= 0.9`, float(loss)
  VF_FRESH = 1 << 3,      // a new object at each evaluation
  VF_RANDOM = 1 << 4,     // computed from a host random draw made in this trace
  VF_CLOCK = 1 << 5,      // computed from a clock or the environment in this trace
  VF_HOST_STATE = 1 << 6, // computed from host state that lives outside: `home` says which
  VF_GROWING = 1 << 7,    // longer at each evaluation (shape or length)
  VF_FLAG = 1 << 8,       // few-valued: comparison result, bool, None
  VF_NULLED = 1 << 9,     // None came from `= None` initialisation only
  VF_TENSOR_LEN = 1 << 10,// a dimension that is None at trace time (kind DIM)
  VF_MADE_BY_PARAM = 1 << 11, // a Python-valued parameter of the root
  VF_PERHAPS_NEST = 1 << 13,  // handed over by a framework: one tensor, or a list, tuple or dict of them
  VF_OVER_DATASET = 1 << 12,  // a Python iterator that walks a dataset: symbolic elements have no end
} ValueFlag;

enum { DIM_UNKNOWN = -1, DIM_NONE = -2 };  // DIM_NONE: certainly not known while tracing

struct Value {
  KindSet kinds;           // 0: bottom
  uint32_t flags;          // ValueFlag
  uint8_t dtype;           // DType; of numbers too: int32, float32, complex64
  int8_t rank;             // RANK_UNKNOWN
  uint8_t dim_len;         // known dims: dims[0..rank), 0 when not known
  uint8_t konst;           // ConstTag
  int32_t dims[VALUE_DIMS];
  union { int64_t i; double f; Str s; } constant;
  const Obj *objs[VALUE_OBJS];
  uint8_t obj_len;         // identities, sorted by obj_cmp; 0 with obj_more: too many to tell
  bool obj_more;
  uint8_t origin;          // Origin
  uint8_t part_len;
  bool parts_exact;        // parts are all of it, in order (tuple, list, dict in order of `keys`)
  const Value **parts;
  Sym *keys;               // dict with constant text keys: key of each part; else NULL
  const Value *elem;       // without exact parts: join of what it holds or yields (containers, datasets, iterators); NULL:
                           // unknown. value_held() reads both forms
  Var home;                // where it was read from, or VAR_NONE
  Why why;
};

extern const Value value_bottom;   // kinds 0
extern const Value value_unknown;  // KIND(UNKNOWN)

static inline bool value_is(const Value *v, KindSet set) { return v->kinds != 0 && (v->kinds & ~set) == 0; }
static inline bool value_may(const Value *v, KindSet set) { return (v->kinds & (set | KIND(UNKNOWN))) != 0; }
static inline bool value_has(const Value *v, KindSet set) { return (v->kinds & set) != 0; }
static inline bool value_is_unknown(const Value *v) { return (v->kinds & KIND(UNKNOWN)) != 0; }
/* Surely a symbolic tensor (tainted ones are for host rules only: see value_is_host_tensor). */
bool value_is_tensor(const Value *v);
bool value_is_one_tensor(const Value *v);   // … and no structure of tensors that a framework may hand over in its place
bool value_is_host_tensor(const Value *v);  // tensor, variable or tainted tensor: what NumPy would choke on
/* A tensor, or a list/tuple/dict with a tensor somewhere inside. */
bool value_holds_tensor(const Value *v);

/* Constructors; results live in `arena`. */
Value *value_new(Arena *arena, KindSet kinds);
Value *value_copy(Arena *arena, const Value *v);               // shallow, to modify before publishing
const Value *value_deep_copy(Arena *arena, const Value *v);    // nothing of the result lies in another arena
/* `v` itself, or without what nests deeper than VALUE_DEPTH: `t = (t, t)` over and over must not grow. */
const Value *value_trim(Arena *arena, const Value *v);
const Value *value_int(Arena *arena, int64_t i);
const Value *value_bool(Arena *arena, bool b);
const Value *value_str(Arena *arena, Str s);
const Value *value_of_obj(Arena *arena, KindSet kind, const Obj *obj);
Value *value_any_object(Arena *arena, const ClassInfo *info);  // some object of the class, made nobody knows where
const Value *value_sequence(Arena *arena, Kind kind, const Value **parts, uint32_t len);  // exact, widened when too wide
const Value *value_with_flags(Arena *arena, const Value *v, uint32_t set, uint32_t clear);
const Value *value_with_why(Arena *arena, const Value *v, Why why);

/* Least upper bound. May return one of its arguments. NULL arguments count as bottom. */
const Value *value_join(Arena *arena, const Value *a, const Value *b);
/* Equality in everything but `why`. */
bool value_eq(const Value *a, const Value *b);
/* What the memo key keeps: kinds, dtype, rank, identities, origin, bool/None constants, structure of the same. */
uint64_t value_shape_hash(const Value *v);
/* The value with all that the memo key does not keep widened away, so that equal keys give equal inputs. */
const Value *value_widen_key(Arena *arena, const Value *v);
/* The element a Python iteration over it gives (a dict: its keys); unknown when not known. */
const Value *value_element(Arena *arena, const Value *v);
/* Everything a container holds, joined (a dict: its values); bottom when it is empty, unknown when not known. */
const Value *value_held(Arena *arena, const Value *v);
const Obj *obj_deep_copy(Arena *arena, const Obj *obj);
int obj_cmp(const Obj *a, const Obj *b);
bool obj_eq(const Obj *a, const Obj *b);

/* "tensor[float32]", "list(tensor)", "traced-function step", "number=3" for dumps and fact comments. */
Str value_text(Arena *arena, const Project *project, const Value *v);
/* "`x` is a tensor: result of `tf.reduce_mean`": the note under a finding; empty if there is no provenance. */
Str why_text(Arena *arena, const Project *project, const Value *v, Str name);
Str why_noun(const Value *v);  // "a tensor", "a variable", "a model" …
/* A canonical API name as people write it: "tf.reduce_mean", "np.sum", "len"; others stay ("keras.layers.Dense"). */
Str api_text(Arena *arena, Str canonical);

#endif
