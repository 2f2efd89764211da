/* Names of kinds and dtypes, both ways. */
#include "catalog/kind.h"

static const Str kind_names[] = {
#define X(id, text) S_INIT(text),
    KIND_LIST(X)
#undef X
};
_Static_assert(KIND_COUNT <= 64, "a KindSet has 64 bits");

Str kind_name(Kind kind) { return kind_names[kind]; }

bool kind_parse(Str text, Kind *out) {
  for (int i = 0; i < KIND_COUNT; i++) {
    if (!str_eq(kind_names[i], text)) continue;
    *out = (Kind)i;
    return true;
  }
  return false;
}

static const Str dtype_names[DT_COUNT] = {
    [DT_UNKNOWN] = S_INIT("?"),           [DT_BOOL] = S_INIT("bool"),
    [DT_INT8] = S_INIT("int8"),           [DT_UINT8] = S_INIT("uint8"),
    [DT_INT16] = S_INIT("int16"),         [DT_UINT16] = S_INIT("uint16"),
    [DT_INT32] = S_INIT("int32"),         [DT_UINT32] = S_INIT("uint32"),
    [DT_INT64] = S_INIT("int64"),         [DT_UINT64] = S_INIT("uint64"),
    [DT_FLOAT16] = S_INIT("float16"),     [DT_BFLOAT16] = S_INIT("bfloat16"),
    [DT_FLOAT32] = S_INIT("float32"),     [DT_FLOAT64] = S_INIT("float64"),
    [DT_COMPLEX64] = S_INIT("complex64"), [DT_COMPLEX128] = S_INIT("complex128"),
    [DT_STRING] = S_INIT("string"),
};

/* Spellings of Python, NumPy and TensorFlow for dtypes that have another name here. Python's float and int are NumPy's
 * defaults, because that is who receives them as a dtype most of the time. */
static const struct {
  Str name;
  DType dtype;
} dtype_aliases[] = {
    {S_INIT("float"), DT_FLOAT64},  {S_INIT("int"), DT_INT64},    {S_INIT("half"), DT_FLOAT16},
    {S_INIT("double"), DT_FLOAT64}, {S_INIT("bool_"), DT_BOOL},   {S_INIT("str"), DT_STRING},
    {S_INIT("single"), DT_FLOAT32}, {S_INIT("bytes"), DT_STRING}, {S_INIT("complex"), DT_COMPLEX128},
};

Str dtype_name(DType dtype) { return dtype_names[dtype]; }

bool dtype_parse(Str text, DType *out) {
  for (int i = DT_UNKNOWN + 1; i < DT_COUNT; i++) {
    if (!str_eq(dtype_names[i], text)) continue;
    *out = (DType)i;
    return true;
  }
  for (size_t i = 0; i < sizeof dtype_aliases / sizeof *dtype_aliases; i++) {
    if (!str_eq(dtype_aliases[i].name, text)) continue;
    *out = dtype_aliases[i].dtype;
    return true;
  }
  return false;
}

bool dtype_is_float(DType dtype) { return dtype >= DT_FLOAT16 && dtype <= DT_FLOAT64; }

bool dtype_is_int(DType dtype) { return dtype >= DT_INT8 && dtype <= DT_UINT64; }
