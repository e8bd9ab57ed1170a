/* levin/abi.h -- the whole contract between the host and every plugin.
 *
 * Plain C99 (also C11, C++17, C++20); needs only stdint and stddef. While the major version is 0, a new minor version
 * breaks plugins: a host refuses plugins of another minor version. From 1.0 on a host takes every plugin of its major
 * version whose minor version is not newer than its own. docs/abi-coverage.md lists which need is served where.
 *
 * Thread tags: [main]   one thread at a time, before or after the run;
 *              [train]  the one thread that executes every step of a run;
 *              [loader] any data-loader worker, several at once only with LEVIN_F_CONCURRENT;
 *              [any]    any thread, concurrently.
 */
#ifndef LEVIN_ABI_H
#define LEVIN_ABI_H
/* the columns of the tables are aligned by hand: */
/* clang-format off */
#include <stddef.h>
#include <stdint.h>

#define LEVIN_ABI_MAJOR 0
#define LEVIN_ABI_MINOR 4
#define LEVIN_TEXT_(x) #x
#define LEVIN_TEXT(x) LEVIN_TEXT_(x)
#define LEVIN_ABI_TEXT LEVIN_TEXT(LEVIN_ABI_MAJOR) "." LEVIN_TEXT(LEVIN_ABI_MINOR) /* "0.4" */
#if defined(_WIN32)
#  define LEVIN_EXPORT __declspec(dllexport)
#else
#  define LEVIN_EXPORT __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- conventions ------------------------------------------------------------------------------------------
 * R1  every table starts with `uint32_t size` = its sizeof where it was filled in.
 * R2  a reader touches field f only if LEVIN_HAS(T, t, f). Within a major version (0: a minor version) a field is never
 *     moved, removed or given another type.
 * R3  no tail padding: sizeof(T) % 8 == 0, so a new field always grows size.
 * R4  no enum, bool, long, wchar_t, bit-field or C++ type in a table.
 * R5  strings are NUL-terminated UTF-8, borrowed for the call unless said otherwise.
 * R6  memory is freed by the side that allocated it: the plugin or the host.
 * R7  no exception, longjmp or panic crosses a call in either direction.
 * R8  tables, descriptors and their strings live as long as the process.
 * R9  a levin_tensor* argument is borrowed; an out-parameter levin_tensor** hands one reference to the receiver.
 * R10 an array of structs has a stride beside its count, the sizeof of an item where the array was made (field_size,
 *     output_size, option_size, claim_size), and is read with LEVIN_AT; or it is an array of pointers. Only levin_device,
 *     levin_dtype, levin_view, levin_managed and levin_value never grow and stand in arrays without a stride.
 * R11 the table of the service or extension "levin.NAME/1" is levin_NAME.
 * R12 every member and constant exists since 0.4, unless its comment says "since MAJOR.MINOR". */
#define LEVIN_HAS(T, t, f) (offsetof(T, f) + sizeof((t)->f) <= *(const uint32_t*)(t) && (t)->f)
#define LEVIN_KNOWS(T, t, f) (offsetof(T, f) + sizeof((t)->f) <= *(const uint32_t*)(t))
#define LEVIN_AT(T, array, stride, i) ((const T*)(const void*)((const char*)(array) + (size_t)(stride) * (size_t)(i)))

typedef int32_t levin_status; /* unknown negative: an error; unknown positive: as LEVIN_OK */
#define LEVIN_OK 0
#define LEVIN_STOP 1       /* end of data; from a hook: stop training after this batch  */
#define LEVIN_SKIP 2       /* drop this batch                                           */
#define LEVIN_SKIP_EPOCH 3 /* from on_train_batch_start: skip the rest of the epoch     */
#define LEVIN_E_INVALID (-1)
#define LEVIN_E_UNSUPPORTED (-2)
#define LEVIN_E_NOT_FOUND (-3)
#define LEVIN_E_IO (-4)
#define LEVIN_E_MEMORY (-5)
#define LEVIN_E_STATE (-6)
#define LEVIN_E_INTERNAL (-7)
#define LEVIN_E_EXCEPTION (-8) /* set by the SDK's firewall only */

/* ---- tensors as data: the layout of DLPack 1.x under our own names (LibTorch ships its own dlpack.h) -------- */
#define LEVIN_CPU 1
#define LEVIN_CUDA 2
#define LEVIN_CUDA_HOST 3
#define LEVIN_INT 0u
#define LEVIN_UINT 1u
#define LEVIN_FLOAT 2u
#define LEVIN_BFLOAT 4u
#define LEVIN_BOOL 6u
typedef struct levin_device { int32_t type, id; } levin_device;                 /* = DLDevice   */
typedef struct levin_dtype { uint8_t code, bits; uint16_t lanes; } levin_dtype; /* = DLDataType */
typedef struct levin_view {                                                     /* = DLTensor   */
  void* data;
  levin_device device;
  int32_t ndim;
  levin_dtype dtype;
  int64_t* shape;
  int64_t* strides; /* in elements; NULL = row-major */
  uint64_t byte_offset;
} levin_view;
typedef struct levin_managed { /* = DLManagedTensorVersioned */
  uint32_t major, minor;
  void* ctx;
  void (*deleter)(struct levin_managed*); /* [any]; the library is never unloaded */
  uint64_t flags;
  levin_view view;
} levin_managed;

typedef struct levin_tensor levin_tensor; /* opaque, reference-counted by the host                    */
typedef struct levin_run levin_run;       /* one fit, validate, test or predict; valid until teardown */
typedef struct levin_op levin_op;
typedef struct levin_group levin_group; /* a process group: some ranks of a run, which make collectives       */
typedef struct levin_work levin_work;   /* a running collective                                               */
typedef struct levin_network levin_network; /* a trained network from a file                                    */
typedef struct levin_host levin_host;
typedef struct levin_named { const char* name; levin_tensor* tensor; } levin_named;

/* ---- values and options -------------------------------------------------------------------------------------- */
#define LEVIN_T_NONE 0u
#define LEVIN_T_BOOL 1u   /* v.i: 0 or 1                                        */
#define LEVIN_T_INT 2u    /* v.i                                                */
#define LEVIN_T_FLOAT 3u  /* v.f                                                */
#define LEVIN_T_STRING 4u /* v.s                                                */
#define LEVIN_T_PATH 5u   /* v.s, absolute if the user gave it                  */
#define LEVIN_T_CHOICE 6u /* v.s, one of the choices                            */
#define LEVIN_T_JSON 7u   /* v.s: JSON text                                     */
#define LEVIN_T_TENSOR 8u /* v.t                                                */
#define LEVIN_T_INTS 9u   /* v.p -> int64_t[len]                                */
#define LEVIN_T_TENSORS 10u
typedef struct levin_value {
  uint32_t type, len;
  union { int64_t i; double f; const char* s; levin_tensor* t; const void* p; } v; /* 8 bytes each */
} levin_value;

#define LEVIN_OPT_REQUIRED 1u
#define LEVIN_OPT_SECRET 2u   /* never logged, never in a checkpoint     */
#define LEVIN_OPT_TUNABLE 4u  /* a sweep may vary it                     */
#define LEVIN_OPT_NULLABLE 16u /* JSON null is a value: type LEVIN_T_NONE */
#define LEVIN_OPT_OPTIMIZER 32u /* LEVIN_T_STRING: one of choices, in any letter case, or an optimizer component's id */
typedef struct levin_option {
  const char* name;
  uint32_t type, flags;
  const char* deflt; /* JSON text; NULL with LEVIN_OPT_REQUIRED */
  const char* help;
  double min, max;            /* min > max = unbounded               */
  const char* const* choices; /* NULL-terminated, for LEVIN_T_CHOICE and LEVIN_OPT_OPTIMIZER */
  const char* const* aliases; /* former names, NULL-terminated or NULL */
  const char* deprecated;     /* what to use instead, in a warning to users who set the option; NULL = not deprecated */
} levin_option;
typedef struct levin_args { /* checked by the host against the schema; index = schema order */
  uint32_t size, n;
  const levin_value* values;
  const char* json; /* the same, as one JSON object */
} levin_args;

/* ---- stages and splits --------------------------------------------------------------------------------------- */
#define LEVIN_STAGE_FIT 0u
#define LEVIN_STAGE_VALIDATE 1u
#define LEVIN_STAGE_TEST 2u
#define LEVIN_STAGE_PREDICT 3u
#define LEVIN_STAGE_SANITY 4u /* the sanity check before a fit; not passed to setup and teardown */
#define LEVIN_TRAIN 0u
#define LEVIN_VAL 1u
#define LEVIN_TEST 2u
#define LEVIN_PREDICT 3u
#define LEVIN_SPLITS 4u

/* ---- description of the data --------------------------------------------------------------------------------- */
#define LEVIN_ROLE_INPUT 0u
#define LEVIN_ROLE_TARGET 1u
#define LEVIN_ROLE_OTHER 2u
typedef struct levin_field { /* one field of a row; the batch dimension is not in shape */
  const char* name;
  levin_dtype dtype;
  int32_t ndim; /* 0 = a scalar per row; at most 6; shape[i] = -1: differs from row to row */
  int64_t shape[6];
  uint32_t role, reserved;
  int64_t classes; /* number of classes: of indices, or of probabilities [classes, ...] if dtype is of floats; 0 = none */
  const char* const* class_names; /* `classes` strings, or NULL */
} levin_field;
typedef struct levin_split { /* one loader of one split */
  uint32_t size, reserved;
  int64_t rows; /* -1 = unknown (a stream) */
  const levin_field* fields;
  uint32_t n_fields, field_size; /* sizeof(levin_field) */
  const char* name; /* of the loader, or NULL */
} levin_split;
typedef struct levin_data_info { /* passed to create of a model; field i describes tensor i of a batch */
  uint32_t size, reserved;
  const levin_field* fields;
  uint32_t n_fields, field_size;
  int64_t rows[LEVIN_SPLITS]; /* of all loaders of the split; -1 = unknown, 0 = none */
} levin_data_info;

/* ---- batches --------------------------------------------------------------------------------------------------- */
typedef struct levin_batch { /* fields are positional and, if names != NULL, also named */
  uint32_t size, n;
  levin_tensor* const* tensors;
  const char* const* names;
  int64_t rows;
  const int64_t* sample_ids; /* NULL, or `rows` ids */
} levin_batch;

/* ---- hooks --------------------------------------------------------------------------------------------------------
 * One list has all of them: X(NAME, bit, member). LEVIN_HOOK_NAME is the bit of the hook in
 * levin_component.hooks[bit / 64] and the value of levin_event.hook; member is its name in classes and documents. */
#define LEVIN_FOR_EACH_CALLBACK_HOOK(X)                                                                  \
  X(SETUP, 0, setup)                                                                                     \
  X(TEARDOWN, 1, teardown)                                                                               \
  X(FIT_START, 2, on_fit_start)                                                                          \
  X(FIT_END, 3, on_fit_end)                                                                              \
  X(SANITY_CHECK_START, 4, on_sanity_check_start)                                                        \
  X(SANITY_CHECK_END, 5, on_sanity_check_end)                                                            \
  X(TRAIN_START, 6, on_train_start)                                                                      \
  X(TRAIN_END, 7, on_train_end)                                                                          \
  X(TRAIN_EPOCH_START, 8, on_train_epoch_start)                                                          \
  X(TRAIN_EPOCH_END, 9, on_train_epoch_end)                                                              \
  X(TRAIN_BATCH_START, 10, on_train_batch_start)                                                         \
  X(TRAIN_BATCH_END, 11, on_train_batch_end)                                                             \
  X(VALIDATION_START, 12, on_validation_start)                                                           \
  X(VALIDATION_END, 13, on_validation_end)                                                               \
  X(VALIDATION_EPOCH_START, 14, on_validation_epoch_start)                                               \
  X(VALIDATION_EPOCH_END, 15, on_validation_epoch_end)                                                   \
  X(VALIDATION_BATCH_START, 16, on_validation_batch_start)                                               \
  X(VALIDATION_BATCH_END, 17, on_validation_batch_end)                                                   \
  X(TEST_START, 18, on_test_start)                                                                       \
  X(TEST_END, 19, on_test_end)                                                                           \
  X(TEST_EPOCH_START, 20, on_test_epoch_start)                                                           \
  X(TEST_EPOCH_END, 21, on_test_epoch_end)                                                               \
  X(TEST_BATCH_START, 22, on_test_batch_start)                                                           \
  X(TEST_BATCH_END, 23, on_test_batch_end)                                                               \
  X(PREDICT_START, 24, on_predict_start)                                                                 \
  X(PREDICT_END, 25, on_predict_end)                                                                     \
  X(PREDICT_EPOCH_START, 26, on_predict_epoch_start)                                                     \
  X(PREDICT_EPOCH_END, 27, on_predict_epoch_end)                                                         \
  X(PREDICT_BATCH_START, 28, on_predict_batch_start)                                                     \
  X(PREDICT_BATCH_END, 29, on_predict_batch_end)                                                         \
  X(EXCEPTION, 30, on_exception)                    /* text: what went wrong */                          \
  X(SAVE_CHECKPOINT, 31, on_save_checkpoint)        /* writer: adds to the checkpoint */                 \
  X(LOAD_CHECKPOINT, 32, on_load_checkpoint)        /* reader: reads the checkpoint */                   \
  X(BEFORE_BACKWARD, 33, on_before_backward)        /* loss */                                           \
  X(AFTER_BACKWARD, 34, on_after_backward)                                                               \
  X(BEFORE_OPTIMIZER_STEP, 35, on_before_optimizer_step)                                                 \
  X(BEFORE_ZERO_GRAD, 36, on_before_zero_grad)                                                           \
  X(CHECKPOINT_DURABLE, 37, on_checkpoint_durable)  /* text: path of a checkpoint that is now on the disk */
/* The second word: hooks of models, hooks of older Lightning releases, and hooks of data modules that are called before the
 * loaders of a split are made. Bit 71 is free: its former hook was never called. */
#define LEVIN_FOR_EACH_MODEL_HOOK(X)                               \
  X(CONFIGURE_MODEL, 64, configure_model)                          \
  X(VALIDATION_MODEL_ZERO_GRAD, 65, on_validation_model_zero_grad) \
  X(VALIDATION_MODEL_EVAL, 66, on_validation_model_eval)           \
  X(VALIDATION_MODEL_TRAIN, 67, on_validation_model_train)         \
  X(TEST_MODEL_EVAL, 68, on_test_model_eval)                       \
  X(TEST_MODEL_TRAIN, 69, on_test_model_train)                     \
  X(PREDICT_MODEL_EVAL, 70, on_predict_model_eval)                 \
  X(EPOCH_START, 72, on_epoch_start)                               \
  X(EPOCH_END, 73, on_epoch_end)                                   \
  X(PRETRAIN_ROUTINE_START, 74, on_pretrain_routine_start)         \
  X(PRETRAIN_ROUTINE_END, 75, on_pretrain_routine_end)             \
  X(BATCH_START, 76, on_batch_start)                               \
  X(BATCH_END, 77, on_batch_end)                                   \
  X(TRAIN_DATALOADER, 78, train_dataloader)                        \
  X(VAL_DATALOADER, 79, val_dataloader)                            \
  X(TEST_DATALOADER, 80, test_dataloader)                          \
  X(PREDICT_DATALOADER, 81, predict_dataloader)
#define LEVIN_FOR_EACH_HOOK(X) LEVIN_FOR_EACH_CALLBACK_HOOK(X) LEVIN_FOR_EACH_MODEL_HOOK(X)
#define LEVIN_HOOK_VALUE_(NAME, bit, member) LEVIN_HOOK_##NAME = bit,
enum { /* a count is one more than the highest bit */
  LEVIN_FOR_EACH_CALLBACK_HOOK(LEVIN_HOOK_VALUE_) LEVIN_HOOK_CALLBACK_COUNT,
  LEVIN_FOR_EACH_MODEL_HOOK(LEVIN_HOOK_VALUE_) LEVIN_HOOK_COUNT
};
#undef LEVIN_HOOK_VALUE_
#define LEVIN_HOOK_WORDS 2u
#define LEVIN_BIT(h) (UINT64_C(1) << ((h) % 64u))

struct levin_writer;
struct levin_reader;
/* The argument of a hook. Fields that do not apply to the hook are 0 or NULL; such indices are -1. */
typedef struct levin_event {
  uint32_t size, hook;
  levin_run* run;
  uint32_t stage;      /* LEVIN_STAGE_FIT also during the validation of a fit         */
  uint32_t output_size; /* sizeof(levin_named)                                        */
  int64_t epoch;       /* 0-based; after the epoch's end: the number of completed epochs */
  int64_t global_step; /* optimizer steps done                                        */
  int64_t batch_idx, dataloader_idx, optimizer_idx;
  int64_t n_batches;   /* of this loader in this epoch; -1 = unknown                  */
  uint64_t seed;       /* of the run                                                  */
  const levin_batch* batch;
  levin_tensor* loss;
  const levin_named* outputs; /* what the step returned, "loss" first; read with LEVIN_AT */
  uint64_t n_outputs;
  const char* text;
  const struct levin_writer* writer;
  const struct levin_reader* reader;
  const levin_batch* const* batches; /* of every loader combined in this step; NULL entry = exhausted */
  uint64_t n_loaders;
} levin_event;

/* ---- state: keyed bytes and tensors ------------------------------------------------------------------------------
 * Writers, readers and visitors are valid during the call that passes them, on its thread. */
typedef struct levin_writer {
  uint32_t size, reserved;
  void* ctx;
  /* both copy the value and replace an earlier value of the key                                     [train] */
  levin_status (*put)(const struct levin_writer*, const char* key, const void* data, size_t n);
  levin_status (*put_tensor)(const struct levin_writer*, const char* key, levin_tensor*);
} levin_writer;
typedef struct levin_reader { /* a missing key: LEVIN_E_NOT_FOUND */
  uint32_t size, reserved;
  void* ctx;
  const char* version; /* of the component that wrote the state */
  /* [main] in load, [train] in on_load_checkpoint; *data lives until that call returns */
  levin_status (*get)(const struct levin_reader*, const char* key, const void** data, size_t* n);
  levin_status (*get_tensor)(const struct levin_reader*, const char* key, levin_tensor** out);
} levin_reader;
#define LEVIN_PARAMETER 0u
#define LEVIN_BUFFER 1u
typedef struct levin_visitor {
  uint32_t size, reserved;
  void* ctx;
  levin_status (*tensor)(const struct levin_visitor*, const char* name, levin_tensor*, uint32_t kind); /* [train] */
} levin_visitor;

/* ---- what a plugin implements: one table per kind ------------------------------------------------------------------ */
typedef struct levin_object { /* the head of every table; it is embedded and therefore never grows */
  uint32_t size, reserved;
  void (*destroy)(void* self);                               /* [main]                   */
  levin_status (*save)(void* self, const levin_writer*);     /* [train] optional         */
  levin_status (*load)(void* self, const levin_reader*);     /* [main]  optional         */
  const void* (*extension)(void* self, const char* id);      /* [any]   optional         */
} levin_object;

typedef struct levin_callback {
  levin_object o;
  /* [train] only for hooks in the component's mask; SETUP and TEARDOWN are [main] */
  levin_status (*on)(void* self, const levin_event*);
} levin_callback;

typedef struct levin_fill { /* arguments of fill, batch, next and rewind */
  uint32_t size, split, loader, reserved;
  const int64_t* indices; /* NULL in next and rewind                                               */
  int64_t n;              /* number of rows; in next: the batch size that the user set             */
  int64_t epoch;  /* derive random augmentation from (seed, epoch, index): it is then reproducible */
  uint64_t seed;
} levin_fill;
/* The order of a loader's rows; indices may be repeated or left out. */
#define LEVIN_SAMPLER_DEFAULT 0u    /* random if `shuffle` is set, else sequential                          */
#define LEVIN_SAMPLER_SEQUENTIAL 1u
#define LEVIN_SAMPLER_RANDOM 2u     /* every row once; with replacement: n draws, each row equally likely   */
#define LEVIN_SAMPLER_WEIGHTED 3u   /* n draws; row i with probability weights[i] / sum                     */
#define LEVIN_SAMPLER_SUBSET 4u     /* the rows in `indices`, shuffled if `shuffle` is set                  */
typedef struct levin_loader { /* settings of one loader, chosen by the host; the data module may change them */
  uint32_t size, split, loader, sampler;
  int64_t epoch;      /* the epoch in which the loader is made                                             */
  int64_t batch_size; /* a stream may set 0: it then chooses the size of each batch itself                */
  int32_t shuffle, drop_last;
  int32_t replacement, reserved;
  int64_t n;          /* draws per epoch; 0 = the number of rows. Subset: number of indices                */
  const double* weights;  /* one per row; copied by the host */
  const int64_t* indices; /* copied by the host */
} levin_loader;
typedef struct levin_data {
  levin_object o;
  levin_status (*prepare)(void* self);                 /* [main] optional; one process only: unpack, download  */
  levin_status (*setup)(void* self, uint32_t stage);   /* [main] optional                                      */
  levin_status (*teardown)(void* self, uint32_t stage); /* [main] optional                                     */
  levin_status (*loaders)(void* self, uint32_t split, uint32_t* n);             /* [main] optional: one loader  */
  /* [main] after setup; LEVIN_E_UNSUPPORTED if there is no such split */
  levin_status (*describe)(void* self, uint32_t split, uint32_t loader, levin_split* out);
  /* writes rows `indices` of every field into the host's row-major buffers; pure           [loader] optional */
  levin_status (*fill)(void* self, const levin_fill*, const levin_view* out);
  /* random access with tensors of the plugin (ragged rows); hands over *n fields           [loader] optional */
  levin_status (*batch)(void* self, const levin_fill*, levin_managed** out, uint32_t cap, uint32_t* n);
  /* hands over the next batch of a stream; LEVIN_STOP at the end of an epoch               [loader] optional */
  levin_status (*next)(void* self, const levin_fill*, levin_managed** out, uint32_t cap, uint32_t* n);
  /* starts an epoch of a stream                                                            [loader] optional */
  levin_status (*rewind)(void* self, const levin_fill*);
  /* hands over a whole split once, one tensor per field; the host then gathers the rows      [main] optional */
  levin_status (*resident)(void* self, uint32_t split, uint32_t loader, levin_managed** out, uint32_t cap, uint32_t* n);
  levin_status (*on)(void* self, const levin_event*);                                      /* [train] optional */
  /* called each time a loader is made, also by reload_dataloaders_every_n_epochs            [train] optional */
  levin_status (*dataloader)(void* self, levin_loader* loader);
  /* how the loaders of a split are combined: "sequential", "min_size", "max_size", "max_size_cycle"; NULL = the default:
   * multiple_trainloader_mode in training, else sequential                                   [main] optional */
  const char* (*combined_mode)(void* self, uint32_t split);
} levin_data;

struct levin_optim_plan;
struct levin_step_1x;
typedef struct levin_step_in {
  uint32_t size, stage; /* LEVIN_STAGE_FIT: training_step, LEVIN_STAGE_SANITY: validation_step, ... */
  levin_run* run;
  const levin_batch* batch;           /* the batch of the first loader                        */
  const levin_batch* const* batches;  /* of every train loader; NULL entry = exhausted        */
  uint64_t n_batches;
  int64_t epoch, global_step, batch_idx, dataloader_idx;
  uint64_t seed;
  const struct levin_step_1x* step_1x; /* training_step: what Lightning 1.x passes besides; else NULL */
} levin_step_in;
typedef struct levin_step_out { /* owned by the host; filled during the call */
  uint32_t size, reserved;
  void* ctx;
  /* the loss [a scalar that requires grad] and other outputs by name; borrowed: the host retains the tensor. No call = the
   * step returned nothing                                                                           [train] */
  levin_status (*put)(const struct levin_step_out*, const char* name, levin_tensor*);
} levin_step_out;
typedef struct levin_optim_call { /* arguments of the overrides of optimization */
  uint32_t size, reserved;
  levin_run* run;
  int64_t epoch, batch_idx, optimizer_idx, scheduler_idx;
  levin_status (*closure)(void* ctx); /* [train] forward, zero_grad and backward; NULL = none */
  void* ctx;
  levin_tensor* loss;                 /* backward                                                      */
  double metric;                      /* lr_scheduler_step: the monitored value; NaN = none            */
  double clip_val;                    /* configure_gradient_clipping; NaN = none                       */
  const char* clip_algorithm;         /* "norm" or "value"                                             */
} levin_optim_call;
typedef struct levin_model {
  levin_object o;
  levin_status (*visit)(void* self, const levin_visitor*);                    /* [train] in registration order    */
  levin_status (*mode)(void* self, uint32_t training);                        /* [train]                          */
  levin_status (*move)(void* self, levin_device, levin_dtype);                /* [main] floating-point tensors    */
  levin_status (*step)(void* self, const levin_step_in*, const levin_step_out*); /* [train]                       */
  levin_status (*configure_optimizers)(void* self, const struct levin_optim_plan*); /* [main] optional            */
  levin_status (*on)(void* self, const levin_event*);                         /* [train] optional                 */
  /* overrides; NULL = the host's default, which an override may call through levin.optim/1              [train] */
  levin_status (*optimizer_step)(void* self, const levin_optim_call*);
  levin_status (*optimizer_zero_grad)(void* self, const levin_optim_call*);
  levin_status (*backward)(void* self, const levin_optim_call*);
  levin_status (*lr_scheduler_step)(void* self, const levin_optim_call*);
  levin_status (*configure_gradient_clipping)(void* self, const levin_optim_call*);
  levin_status (*on_before_batch_transfer)(void* self, const levin_batch* in, levin_tensor** out, uint32_t n);
  levin_status (*transfer_batch_to_device)(void* self, const levin_batch* in, levin_device, levin_tensor** out, uint32_t n);
  levin_status (*on_after_batch_transfer)(void* self, const levin_batch* in, levin_tensor** out, uint32_t n);
  /* the model's own data module, owned by the model                                                      [main] */
  levin_status (*data_module)(void* self, void** data, const levin_data** table);
  /* the steps that exist: bit LEVIN_STAGE_*; 0 = all                                                     [main] */
  uint32_t (*steps)(void* self);
  /* puts the network's outputs for these inputs into out, in order; keeps the current training and gradient modes. NULL = the
   * model has no forward                                                                                  [train] */
  levin_status (*forward)(void* self, levin_run*, levin_tensor* const* in, uint32_t n, const levin_step_out* out);
} levin_model;

/* What only Lightning 1.x has. The hooks of 1.x are in the second word of the hooks. */
typedef struct levin_step_1x { /* arguments of training_step */
  uint32_t size, reserved;
  int64_t optimizer_idx; /* -1 = there is one optimizer, or optimization is manual   */
  int64_t split_idx;     /* of truncated backpropagation; -1 = not split             */
  levin_tensor* const* hiddens; /* of the previous split, detached; NULL in the first */
  uint64_t n_hiddens;
  /* adds a hidden state of this split, in order; detached by the host                               [train] */
  levin_status (*put_hidden)(const levin_step_out*, levin_tensor*);
} levin_step_1x;
typedef struct levin_outputs { /* of one step */
  uint32_t size, output_size; /* sizeof(levin_named) */
  const levin_named* outputs;
  uint64_t n_outputs;
} levin_outputs;
typedef struct levin_epoch_outputs { /* of training_epoch_end and the like */
  uint32_t size, stage;
  levin_run* run;
  const levin_outputs* const* steps;
  uint64_t n_steps;
} levin_epoch_outputs;
typedef struct levin_split_out { /* filled by tbptt_split_batch */
  uint32_t size, reserved;
  void* ctx;
  /* adds a split: as many tensors as the batch has; borrowed: the host retains them                 [train] */
  levin_status (*add)(const struct levin_split_out*, levin_tensor* const* tensors, uint32_t n);
} levin_split_out;
typedef struct levin_model_1x { /* "levin.model_1x/1", an extension of a model; every function is optional */
  uint32_t size;
  /* the stages with step_end (bit LEVIN_STAGE_*) and with epoch_end (bit 8 + LEVIN_STAGE_*)                 */
  uint32_t ends;
  levin_status (*step_end)(void* self, const levin_step_in*, const levin_outputs*, const levin_step_out*); /* [train] */
  levin_status (*epoch_end)(void* self, const levin_epoch_outputs*);                                       /* [train] */
  /* splits a batch along time; NULL = every tensor along its second dimension                            [train] */
  levin_status (*tbptt_split_batch)(void* self, const levin_batch*, int64_t split_size, const levin_split_out*);
} levin_model_1x;

typedef struct levin_optimizer {
  levin_object o;
  levin_status (*add_group)(void* self, levin_tensor* const* params, const char* const* names, uint32_t n,
                            const levin_args* options, uint32_t* group);      /* [main] NULL = the component's   */
  /* closure: forward and backward again, for optimizers such as L-BFGS; NULL = none. Called under no-grad [train] */
  levin_status (*step)(void* self, levin_run*, levin_status (*closure)(void*), void* ctx);
  /* numeric options of the component; a bool is 0 or 1, null is NaN                                 [train] */
  levin_status (*set)(void* self, uint32_t group, const char* option, double value);
  levin_status (*get)(void* self, uint32_t group, const char* option, double* out);
  levin_status (*visit)(void* self, const levin_visitor*); /* [train] state tensors, "in.weight.momentum_buffer"   */
} levin_optimizer;

typedef struct levin_media { /* media for loggers; views are borrowed for the call */
  uint32_t size, reserved;
  /* "image" and "figure" [h,w,c] u8, "video" [t,h,w,c] u8, "audio" [n,c] f32, "histogram" [n] f64, "text", "table" (text: JSON
   * {"columns": [...], "rows": [[...], ...]}), "graph"; loggers ignore unknown kinds */
  const char* kind;
  const char* tag;
  int64_t step;           /* from a component, -1 = the step of metrics logged now; loggers get steps >= 0 */
  const levin_view* view; /* NULL for text, table and graph; loggers get it row-major, with strides NULL */
  const char* text;
  const char* caption;    /* or NULL                                              */
  double rate;            /* video: frames per second; audio: samples per second  */
} levin_media;
typedef struct levin_artifact { /* a file to keep with the run; strings are borrowed for the call */
  uint32_t size, reserved;
  const char *path; /* absolute; the file or folder must exist until the run has ended */
  const char *name; /* the name under which it is kept                            */
  const char *type; /* "model", "dataset", ...; NULL = a file                     */
} levin_artifact;
#define LEVIN_SAVED_BEST 1u
#define LEVIN_SAVED_LAST 2u
#define LEVIN_SAVED_LARGER 4u /* a larger score is better */
typedef struct levin_saved { /* a checkpoint, with its facts at the time of saving */
  uint32_t size, flags;   /* LEVIN_SAVED_*                                        */
  const char* path;       /* loggers and list get an absolute one                 */
  const char* monitor;    /* name of the metric that chooses the best; NULL = none */
  double score;           /* value of the monitor; NaN = none                     */
  int64_t epoch, global_step; /* set by the host in levin_logger.after_save       */
} levin_saved;
typedef struct levin_logger_begin {
  uint32_t size, reserved;
  levin_run* run;
  const char *run_dir, *run_id;
  const char* hparams_json; /* resolved options, secrets removed */
  int64_t resumed_step;     /* -1 = a fresh run; else the logger drops what was logged at later steps */
  const char* run_name;     /* given by the user; NULL = none */
  const char* const* tags;  /* NULL-terminated or NULL */
  const levin_args* hparams; /* every option of the run, without secrets */
  const char* const* hparam_names; /* [hparams->n] their dotted names, "model.lr" */
} levin_logger_begin;
/* Calls are made one at a time and in order: load (in a resumed run), begin, url, the others, finalize, destroy. After a
 * failure only destroy is called. All are [train]. With LEVIN_F_OFF_THREAD the calls after url, except destroy, come from one
 * other thread of the host, on which services of the run refuse their calls. */
typedef struct levin_logger {
  levin_object o;
  levin_status (*begin)(void* self, const levin_logger_begin*);
  levin_status (*metrics)(void* self, int64_t step, const char* const* names, const double* values, uint32_t n);
  levin_status (*media)(void* self, const levin_media*);                      /* optional */
  levin_status (*after_save)(void* self, const levin_saved*);                 /* optional */
  levin_status (*flush)(void* self);                                          /* optional */
  levin_status (*finalize)(void* self, const char* status);                   /* "success", "failed", "interrupted" */
  levin_status (*artifact)(void* self, const levin_artifact*);                /* optional */
  /* hyper-parameters set after begin: a JSON object of dotted names                                         optional */
  levin_status (*hparams)(void* self, const char* json);
  /* address of the run's page; called after begin, valid until destroy; NULL = none                         optional */
  const char* (*url)(void* self);
} levin_logger;

/* a metric with state (accuracy, confusion matrix), reset and reduced by the host */
#define LEVIN_REDUCE_SUM 0u
#define LEVIN_REDUCE_MEAN 1u
#define LEVIN_REDUCE_MIN 2u
#define LEVIN_REDUCE_MAX 3u
#define LEVIN_REDUCE_CAT 4u
typedef struct levin_metric_state {
  uint32_t size, reserved;
  void* ctx;
  levin_status (*tensor)(const struct levin_metric_state*, const char* name, levin_tensor*, uint32_t reduce); /* [train] */
} levin_metric_state;
typedef struct levin_metric { /* all [train] */
  levin_object o;
  levin_status (*state)(void* self, const levin_metric_state*); /* for reduction and checkpoints; o.load adds a state */
  levin_status (*compute)(void* self, double* out);
  levin_status (*reset)(void* self);
  /* for on_step: as compute, but only of the updates between the last two logs of the metric; NULL = compute is used */
  levin_status (*compute_step)(void* self, double* out);
} levin_metric;

/* ---- description, readable without creating anything ---------------------------------------------------------------- */
#define LEVIN_KIND_MODEL 1u
#define LEVIN_KIND_DATA 2u
#define LEVIN_KIND_CALLBACK 3u
#define LEVIN_KIND_LOGGER 4u
#define LEVIN_KIND_OPTIMIZER 5u
#define LEVIN_F_CONCURRENT 1u /* fill() may run on several loader threads at once                        */
#define LEVIN_F_ISOLATABLE 2u /* uses only this ABI: may run in a worker process                         */
#define LEVIN_F_MANUAL 4u     /* model: manual optimization                                              */
#define LEVIN_F_MONITOR 8u    /* callback: on_train_epoch_end is called after the model's                */
#define LEVIN_F_LAST 16u      /* callback: called after all others (checkpoints)                         */
#define LEVIN_F_FIRST 32u     /* callback: called before all others (tuners)                             */
#define LEVIN_F_OFF_IN_FAST_DEV_RUN 64u /* callback or logger: not created under fast_dev_run           */
#define LEVIN_F_OPTIMIZER_IDX 256u /* model: reads levin_step_1x.optimizer_idx: several optimizers may be automatic */
#define LEVIN_F_ONE_ONLY 128u /* callback: at most one instance per run                                  */
#define LEVIN_F_OFF_THREAD 512u /* logger: called from a thread of its own after url, except destroy, so that a slow server
                                 * does not slow down training                                            */
typedef struct levin_flag { /* a trainer option that this component implements: --trainer.NAME */
  const char* name;
  const char* option; /* the component's option that gets the value; NULL = a bool: true adds, false removes the component */
  const char* help;
} levin_flag;
typedef struct levin_create {
  uint32_t size, stage;
  const levin_args* args;
  const levin_data_info* data; /* models: description of the data; NULL = no data    */
  const char* name;            /* of the instance */
} levin_create;
typedef struct levin_callback_list { /* receives the callbacks of a model */
  uint32_t size, reserved;
  void* ctx;
  /* adds a callback of the model's own plugin; options_json: an object, or NULL; name: of the instance, NULL = the
   * component's id                                                                                   [main] */
  levin_status (*add)(const struct levin_callback_list*, const char* component, const char* name, const char* options_json);
} levin_callback_list;
typedef struct levin_component {
  uint32_t size, kind;
  const char *id, *version, *summary;
  const char* const* aliases; /* former ids, NULL-terminated or NULL */
  const levin_option* options;
  uint32_t n_options, option_size;
  uint64_t hooks[LEVIN_HOOK_WORDS];
  uint64_t flags;
  levin_status (*create)(const levin_host*, const levin_create*, void** self, const levin_object** table); /* [main] */
  const levin_flag* claims;      /* trainer options that it implements */
  uint32_t n_claims, claim_size;
  const char* defaults; /* JSON object of recommended options, {"trainer.max_epochs": 12}; NULL = none */
  /* models, before an instance exists: the model's callbacks, which replace callbacks of the same component [main] optional */
  levin_status (*configure_callbacks)(const levin_host*, const levin_args*, const levin_callback_list*);
  /* models: downloads and the like, in one process, after prepare of the data module; must not keep state     [main] optional */
  levin_status (*prepare_data)(const levin_host*, const levin_args*);
  /* the oldest version of this component whose saved state `load` accepts; `load` reads the version from levin_reader.
   * NULL = all versions */
  const char* state_since;
} levin_component;
typedef struct levin_torch_abi { /* only for plugins that use LibTorch's C++ API */
  uint32_t size, torch_version; /* 2006000 = 2.6.0; further requirements are in the file's note */
} levin_torch_abi;
typedef struct levin_plugin {
  uint32_t size, abi_major, abi_minor, reserved;
  const char *id, *version, *license, *url;
  const levin_torch_abi* torch; /* NULL = portable */
  const levin_component* const* components;
  uint64_t n_components;
} levin_plugin;
/* The one exported function; its name has the major version. On failure it calls host->fail and returns NULL. */
typedef const levin_plugin* (*levin_plugin_fn)(const levin_host*);
#define LEVIN_ENTRY_NAME "levin_plugin_v" LEVIN_TEXT(LEVIN_ABI_MAJOR)
LEVIN_EXPORT const levin_plugin* levin_plugin_v0(const levin_host* host);

/* ---- what the host offers -------------------------------------------------------------------------------------------- */
#define LEVIN_LOG_DEBUG 0
#define LEVIN_LOG_INFO 1
#define LEVIN_LOG_WARNING 2
#define LEVIN_LOG_ERROR 3
struct levin_host {
  uint32_t size, abi_minor;
  const char *name, *version;
  void* ctx;                                                              /* the host's; identifies the plugin    */
  const void* (*service)(const levin_host*, const char* id);              /* [any] NULL = not offered             */
  levin_status (*fail)(const levin_host*, levin_status, const char* msg); /* [any] copies msg, returns the status */
  void (*log)(const levin_host*, int32_t level, const char* msg);         /* [any] a line to the user             */
  void (*tensor_retain)(const levin_host*, levin_tensor*);                /* [any]                                */
  void (*tensor_release)(const levin_host*, levin_tensor*);               /* [any]                                */
  levin_status (*tensor_view)(const levin_host*, levin_tensor*, levin_view* out); /* [any] valid as long as the tensor */
  levin_status (*tensor_from_view)(const levin_host*, const levin_view*, levin_tensor** out);     /* [any] copies */
  levin_status (*tensor_from_managed)(const levin_host*, levin_managed*, levin_tensor** out);     /* [any] takes  */
  levin_status (*tensor_item)(const levin_host*, levin_tensor*, double* out); /* [train] waits for the device     */
  /* why the last call of the host or of a service failed on this thread; valid until the next call. "" = it did not fail,
   * or gave no reason                                                                             [any] */
  const char* (*last_error)(const levin_host*);
};

/* ---- services ---------------------------------------------------------------------------------------------------------
 * host->service(host, id) returns NULL if this host does not offer the service. run = the event's or step's run. */

#define LEVIN_LOG_DEFAULT (-1)
typedef struct levin_log { /* arguments of log, as in Lightning's self.log */
  uint32_t size;
  int8_t on_step, on_epoch, prog_bar, logger, sync_dist, add_dataloader_idx, rank_zero_only, reserved[5];
  const char* name;
  levin_tensor* tensor; /* of one element; NULL = number is logged */
  double number;
  const char* reduce_fx;       /* "mean" (NULL), "sum", "min", "max" */
  int64_t batch_size;          /* -1 = rows of the batch             */
  const levin_metric* metric;  /* with metric_self: a metric with state, computed by the host; without tensor and number */
  void* metric_self;
  levin_group* sync_dist_group; /* with sync_dist: reduce over these ranks; NULL = all */
} levin_log;
/* Lightning's defaults, not zeros. Write levin_log log = LEVIN_LOG_INIT; then set name, and tensor or number. */
#define LEVIN_LOG_INIT \
  {(uint32_t)sizeof(levin_log), LEVIN_LOG_DEFAULT, LEVIN_LOG_DEFAULT, 0, 1, 0, 1, 0, {0}, NULL, NULL, 0, NULL, -1, NULL, NULL, NULL}
#define LEVIN_METRIC_CALLBACK 0u /* metrics that callbacks monitor      */
#define LEVIN_METRIC_LOGGED 1u   /* metrics last passed to loggers      */
#define LEVIN_METRIC_PROGRESS 2u /* metrics shown in the progress bar   */
#define LEVIN_METRIC_RESULTS 3u  /* only the metrics of the last completed evaluation */
typedef struct levin_trainer { /* "levin.trainer/1" */
  uint32_t size, reserved;
  levin_status (*log)(levin_run*, const levin_log*);                                              /* [train] */
  /* LEVIN_E_NOT_FOUND if there is no such metric                                                     [train] */
  levin_status (*metric)(levin_run*, uint32_t set, const char* name, double* out);
  /* calls each(ctx, name, value) for every metric of the set, in order of first logging            [train] */
  levin_status (*metrics)(levin_run*, uint32_t set, void (*each)(void*, const char*, double), void* ctx);
  /* numbers of the run; a fact is 0 or 1. LEVIN_E_NOT_FOUND for another name                         [train]
   *   where it is: "current_epoch", "global_step", "batches_that_stepped", "batch_idx", "total_batch_idx", "is_last_batch",
   *     "dataloader_idx", "num_dataloaders", "split_idx", "num_splits", "sanity_checking", "should_stop",
   *     "should_update_logs", "resumed", "time_train_seconds", "accumulate_grad_batches" (now), "interrupted"
   *   its lengths: "num_training_batches", "num_val_batches", "num_test_batches", "num_predict_batches",
   *     "num_sanity_val_batches", "estimated_stepping_batches", "batch_size", "train_rows" (-1 = unknown), "num_loggers"
   *   its options: "max_epochs", "max_steps", "log_every_n_steps", "check_val_every_n_epoch", "val_check_interval",
   *     "fast_dev_run", "truncated_bptt_steps", "verbosity", "channels_last", "cpu_kernels", "num_threads", "num_workers"
   *   what it does: "validates", "automatic_optimization"
   *   Lightning's counters: PATH.total.COUNT (of the fit) and PATH.current.COUNT (of the epoch). COUNT is "ready", "started",
   *     "processed" or "completed". PATH is "epoch_progress", "epoch_loop.batch_progress",
   *     "epoch_loop.scheduler_progress", "epoch_loop.automatic_optimization.optim_progress.optimizer.step",
   *     "epoch_loop.automatic_optimization.optim_progress.optimizer.zero_grad",
   *     "epoch_loop.manual_optimization.optim_step_progress" or "epoch_loop.val_loop.batch_progress"
   *   "epoch_loop.batch_progress.is_last_batch" and "epoch_loop.val_loop.batch_progress.is_last_batch" */
  levin_status (*number)(levin_run*, const char* name, double* out);
  /* texts of the run, owned by it. LEVIN_E_NOT_FOUND for another name                                [train]
   *   "stage": "fit", "validate", "test", "predict" or "sanity_check"
   *   "run_dir": its folder, "" = it keeps no files; "run_id": the folder's name; "default_root_dir": where it was made
   *   "run_uid": of a fit, 32 random hexadecimal digits that stay the same when the run is resumed; else ""
   *   "resumed_from": of a fit, the path of the checkpoint that it resumes; "" = none
   *   "model", "data": ids of the components; "config": its config.json; "torch_version": of LibTorch
   *   "origin.callback.NAME.OPTION", "origin.logger.NAME.OPTION", "origin.model.OPTION", "origin.data.OPTION",
   *   "origin.trainer.OPTION": where the user set the option, as "origin.callback.stop.monitor"; "" = nowhere */
  levin_status (*text)(levin_run*, const char* name, const char** out);
  levin_status (*stop)(levin_run*, const char* reason);                                           /* [any]   */
  levin_status (*skip_epoch)(levin_run*);                                                         /* [train] */
  /* passes values to every logger at once, without the rules of log(); names and values as in levin_logger.metrics; step -1 =
   * the step of metrics logged now                                                                   [train] */
  levin_status (*log_now)(levin_run*, int64_t step, const char* const* names, const double* values, uint32_t n);
  levin_status (*media)(levin_run*, const levin_media*);                                          /* [train] */
  /* prints a line or a table for the user, above the progress bar                                  [train] */
  levin_status (*print)(levin_run*, const char* text);
  /* "accumulate_grad_batches", "max_epochs"; before an epoch or in a trial also "channels_last" to "num_workers"   [train] */
  levin_status (*set_number)(levin_run*, const char* name, double value);
  /* "model.lr" and JSON text: changes the run's config.json; existing components are not notified  [train] */
  levin_status (*set_option)(levin_run*, const char* name, const char* json);
  levin_status (*artifact)(levin_run*, const levin_artifact*);                                    /* [train] */
  /* passes hyper-parameters set after begin, a JSON object, to every logger                        [train] */
  levin_status (*hparams)(levin_run*, const char* json);
} levin_trainer;

/* "levin.run_data/1": the run's data for callbacks, all [train] */
typedef struct levin_run_data {
  uint32_t size, reserved;
  levin_status (*loaders)(levin_run*, uint32_t split, uint32_t* n); /* 0 = the run has no such split */
  /* shapes, types, classes and their names; owned by the run. LEVIN_E_NOT_FOUND if there is no such loader */
  levin_status (*describe)(levin_run*, uint32_t split, uint32_t loader, levin_split* out);
  /* hands over *n_out tensors: n rows by index, collated as a batch on the run's device. LEVIN_E_UNSUPPORTED for a stream */
  levin_status (*rows)(levin_run*, uint32_t split, uint32_t loader, const int64_t* indices, int64_t n, levin_tensor** out,
                       uint32_t cap, uint32_t* n_out);
} levin_run_data;

#define LEVIN_BUFFERS_KEEP 0u    /* lerp leaves a snapshot's buffers unchanged         */
#define LEVIN_BUFFERS_AVERAGE 1u /* lerp averages buffers like parameters              */
#define LEVIN_BUFFERS_COPY 2u    /* lerp copies the model's buffers                    */
/* "levin.params/1": the model's tensors by name. LEVIN_E_NOT_FOUND for an unknown name or a glob without a match */
typedef struct levin_params {
  uint32_t size, reserved;
  levin_status (*visit)(levin_run*, const levin_visitor*);                                        /* [train] */
  levin_status (*requires_grad)(levin_run*, const char* name_glob, int32_t on);                   /* [train] */
  levin_status (*get_requires_grad)(levin_run*, const char* name, int32_t* on);                   /* [train] */
  levin_status (*snapshot)(levin_run*, uint64_t* id);             /* copies parameters and buffers   [train] */
  levin_status (*swap)(levin_run*, uint64_t id);                  /* exchanges model and snapshot    [train] */
  levin_status (*snapshot_visit)(levin_run*, uint64_t id, const levin_visitor*);                  /* [train] */
  /* snapshot += weight * (model - snapshot); buffers: LEVIN_BUFFERS_*                               [train] */
  levin_status (*lerp)(levin_run*, uint64_t id, double weight, uint32_t buffers);
  levin_status (*drop)(levin_run*, uint64_t id);                                                  /* [train] */
  /* copies value into the model's parameter or buffer                                               [train] */
  levin_status (*assign)(levin_run*, const char* name, levin_tensor* value);
} levin_params;

typedef struct levin_group_desc {
  uint32_t size, n_globs;
  const char* name;
  const char* const* globs; /* of parameter names; a parameter joins the first group that matches; NULL = the rest */
  const char* options_json; /* overrides of the optimizer's options; NULL = none */
} levin_group_desc;
typedef struct levin_optimizer_desc {
  uint32_t size, n_groups;
  const char* name;         /* "sgd", "adamw", or a plugin's component id                        */
  const char* options_json; /* {"lr": 0.1, "momentum": 0.9}; NULL = defaults                     */
  const levin_group_desc* const* groups; /* NULL = one group with every parameter                */
  int64_t frequency;        /* consecutive batches, with several optimizers; 0 = every batch     */
} levin_optimizer_desc;
typedef struct levin_scheduler_desc {
  uint32_t size, optimizer; /* index of the optimizer, in the order of add_optimizer             */
  const char* name;         /* "one_cycle", "step", ...                                          */
  const char* options_json;
  const char* interval;     /* "step" or "epoch" (NULL)                                          */
  int64_t frequency;        /* 0 = 1                                                             */
  const char* monitor;      /* "reduce_on_plateau": the metric                                   */
  const char* label;        /* for learning_rate_monitor; NULL = from the optimizer's name       */
  int32_t strict, reserved; /* 1 = a missing monitor is an error                                 */
  double (*factor)(void* ctx, int64_t step); /* "lambda", "multiplicative" [train]               */
  void* factor_ctx;
} levin_scheduler_desc;
typedef struct levin_optim_plan { /* filled during configure_optimizers */
  uint32_t size, reserved;
  void* ctx;
  levin_run* run; /* for "estimated_stepping_batches" */
  /* both [main]; *index counts from 0, in the order of the calls */
  levin_status (*add_optimizer)(const struct levin_optim_plan*, const levin_optimizer_desc*, uint32_t* index);
  levin_status (*add_scheduler)(const struct levin_optim_plan*, const levin_scheduler_desc*, uint32_t* index);
} levin_optim_plan;
/* "levin.optim/1", all [train]. Optimizers, groups and schedules are counted from 0. LEVIN_E_INVALID for an index that the run
 * does not have, and for an unknown option or algorithm. */
typedef struct levin_optim {
  uint32_t size, reserved;
  levin_status (*count)(levin_run*, uint32_t* optimizers, uint32_t* schedulers);
  /* names ("Adam"; the name of a group may be "") are owned by the run */
  levin_status (*describe)(levin_run*, uint32_t optimizer, const char** name, uint32_t* groups);
  levin_status (*group_name)(levin_run*, uint32_t optimizer, uint32_t group, const char** name);
  /* numeric options of the optimizer: a bool is 0 or 1, betas are "beta1" and "beta2", null is NaN. set does not check the
   * option's bounds */
  levin_status (*get)(levin_run*, uint32_t optimizer, uint32_t group, const char* option, double* out);
  levin_status (*set)(levin_run*, uint32_t optimizer, uint32_t group, const char* option, double value);
  levin_status (*add_group)(levin_run*, uint32_t optimizer, const levin_group_desc*); /* of parameters without an optimizer */
  /* fires the hooks of a step; closure: forward, zero_grad and backward, or NULL if the gradients exist already */
  levin_status (*step)(levin_run*, uint32_t optimizer, levin_status (*closure)(void*), void* ctx);
  levin_status (*zero_grad)(levin_run*, uint32_t optimizer);
  /* on = 1: the parameters of other optimizers require no grad until another optimizer is toggled. on = 0 restores the state */
  levin_status (*toggle)(levin_run*, uint32_t optimizer, int32_t on);
  levin_status (*backward)(levin_run*, levin_tensor* loss, int32_t retain_graph);
  levin_status (*clip)(levin_run*, uint32_t optimizer, double value, const char* algorithm); /* "norm" (NULL), "value" */
  /* label and interval ("step" or "epoch") are owned by the run */
  levin_status (*scheduler)(levin_run*, uint32_t scheduler, uint32_t* optimizer, const char** label, const char** interval);
  levin_status (*scheduler_step)(levin_run*, uint32_t scheduler, double metric); /* metric: for schedules that monitor one */
  levin_status (*pause_scheduler)(levin_run*, uint32_t scheduler, int32_t paused); /* 1 = the trainer does not step it */
} levin_optim;

#define LEVIN_SAVE_WEIGHTS_ONLY 1u
#define LEVIN_SAVE_ASYNC 2u /* returns when the state is copied; the file is written during training. on_checkpoint_durable is
                             * called when the file is durable; a failure ends the run after the current batch */
#define LEVIN_SAVE_SAME 4u  /* the state is the same as in the run's last save: this name becomes a hard link to that file, if
                             * the file system has links; else the file is written again */
typedef struct levin_checkpoint { /* "levin.checkpoint/1"; a relative path is relative to the run's folder */
  uint32_t size, reserved;
  /* saves what->path. Durable when it returns, except with LEVIN_SAVE_ASYNC; waits for the previous write. Loggers get the
   * facts of `what`; without any, those of the announced file of this path. It announces nothing. flags: LEVIN_SAVE_*  [train] */
  levin_status (*save)(levin_run*, const levin_saved* what, uint32_t flags);
  /* keeps the checkpoint that is resumed. Takes effect after earlier writes, as announce; not if one failed [train] */
  levin_status (*remove)(levin_run*, const char* path);
  levin_status (*wait)(levin_run*); /* blocks until all writes are durable; returns the first failure  [train] */
  levin_status (*load_weights)(levin_run*, const char* path);              /* [train] */
  /* makes what->path the file that `--ckpt_path best` or `last` means, by its flags. Monitor, score and whether a larger score
   * is better are kept with it                                               [train] */
  levin_status (*announce)(levin_run*, const levin_saved* what);
  /* calls each(ctx, found) for every existing checkpoint, oldest first: the .ckpt files below the run's folder of checkpoints
   * and announced files elsewhere, with the facts that were announced. `found` is valid for the call [train] */
  levin_status (*list)(levin_run*, void (*each)(void* ctx, const levin_saved* found), void* ctx);
  /* says, in setup or on_fit_start, in which folder the component saves. After on_fit_start the host checks once
   * that a checkpoint fits into each of these folders                        [train] */
  levin_status (*saves_in)(levin_run*, const char* folder);
} levin_checkpoint;

typedef struct levin_trial { /* "levin.trial/1": trial training steps; end restores the state exactly */
  uint32_t size, reserved;
  levin_status (*begin)(levin_run*);                                                              /* [train] */
  /* makes n optimizer steps without callbacks, loggers and schedules; loss: of the last batch. LEVIN_E_MEMORY: out of memory */
  levin_status (*step)(levin_run*, int64_t n, double* loss);                                      /* [train] */
  levin_status (*set_batch_size)(levin_run*, int64_t rows); /* of training; outside a trial: permanently     [train] */
  levin_status (*end)(levin_run*);                                                                /* [train] */
} levin_trial;

typedef struct levin_modules { /* "levin.modules/1", an extension of a model */
  uint32_t size, reserved;
  /* calls each(ctx, name, type, depth, training) for the module tree, parents first; "" is the model [train] */
  levin_status (*visit)(void* self, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx);
  /* runs the model's example input forward, in evaluation mode and without gradients, and calls each(ctx, name, in, out) for
   * every module with known sizes. in, out: "[1, 28, 28]"; of several tensors "[[1, 9], [1, 2, 8]]"; "?" = not a tensor. Without
   * an example input there is no call. Optional                                                  [train] */
  levin_status (*sizes)(void* self, levin_run*, void (*each)(void*, const char*, const char*, const char*), void* ctx);
} levin_modules;
typedef struct levin_module_tree { /* "levin.module_tree/1": the module tree, for callbacks */
  uint32_t size, reserved;
  levin_status (*visit)(levin_run*, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx); /* [train] */
  /* as levin_modules.sizes; random generators keep their state. LEVIN_E_UNSUPPORTED if the model has no sizes, or its forward
   * failed, which the host has reported to the user                                                               [train] */
  levin_status (*sizes)(levin_run*, void (*each)(void*, const char*, const char*, const char*), void* ctx);
  /* runs the model's forward in evaluation mode and without gradients, then restores the modes; hands over *n_out tensors.
   * LEVIN_E_UNSUPPORTED if the model has no forward                                                               [train] */
  levin_status (*forward)(levin_run*, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap, uint32_t* n_out);
} levin_module_tree;

typedef struct levin_networks { /* "levin.networks/1": trained networks from files, such as teachers, beside the run's model */
  uint32_t size, reserved;
  /* opens a checkpoint of Levin or a TorchScript file, on the run's device and in evaluation mode. *out is the caller's, who
   * closes it before the component is destroyed                                                     [train] */
  levin_status (*open)(levin_run*, const char* file, levin_network** out);
  /* the training data of a checkpoint, owned by the network; NULL = unknown                         [any]   */
  const levin_data_info* (*data)(const levin_network*);
  /* runs forward without gradients, for inputs on any device; hands over *n_out tensors on the run's device [train] */
  levin_status (*forward)(levin_run*, levin_network*, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap,
                          uint32_t* n_out);
  void (*close)(levin_network*); /*                                                                  [main]  */
} levin_networks;

typedef struct levin_ops { /* "levin.ops/1": every ATen operator, with autograd, by name, on any LibTorch */
  uint32_t size, reserved;
  levin_status (*find)(const levin_host*, const char* name, const char* overload, levin_op** out); /* [any]  */
  const char* (*schema)(const levin_host*, levin_op*);                                             /* [any]  */
  /* missing trailing arguments get the schema's defaults; hands over n_out outputs                  [train] */
  levin_status (*call)(const levin_host*, levin_op*, const levin_value* in, uint32_t n_in, levin_tensor** out, uint32_t n_out);
  levin_status (*parameter)(const levin_host*, const levin_view* init, levin_tensor** out);        /* [main] a leaf */
  levin_status (*grad)(const levin_host*, levin_tensor* param, levin_tensor** out); /* LEVIN_E_NOT_FOUND if none [train] */
} levin_ops;

typedef struct levin_devices { /* "levin.devices/1" */
  uint32_t size, reserved;
  levin_status (*current)(levin_run*, levin_device* out);                                          /* [train] */
  /* memory of the run's device in bytes: in use by all programs, and in total; for the CPU the machine's memory.
   * LEVIN_E_UNSUPPORTED if unknown                                                                  [train] */
  levin_status (*memory)(levin_run*, uint64_t* used, uint64_t* total);
  levin_status (*to)(const levin_host*, levin_tensor*, levin_device, levin_tensor** out);          /* [train] */
  /* blocks until the run's device has finished all its work; returns at once for a CPU             [train] */
  levin_status (*synchronize)(levin_run*);
  /* writes at most cap of this process's devices, the run's device first; *n is their number. With trainer.strategy
   * model_parallel the model places its parts on them in setup or configure_model: the host moves batches to the first device
   * and moves no parameter. On a CPU each of them is the CPU                                      [train] */
  levin_status (*all)(levin_run*, levin_device* out, uint32_t cap, uint32_t* n);
} levin_devices;

#define LEVIN_SYNC_GRADS 1u /* blocking all_gather: gradients flow back; each rank gets the sum of the gradients of its part */
typedef struct levin_collective { /* arguments of a collective; zeros = sum, over all ranks, from or to rank 0, blocking */
  uint32_t size, flags; /* LEVIN_SYNC_GRADS */
  levin_group* group;   /* NULL = all ranks                                                       */
  uint32_t reduce;      /* LEVIN_REDUCE_*, except LEVIN_REDUCE_CAT                                */
  uint32_t root;        /* a rank of the run that is in the group; in send and recv: the other rank */
  int32_t tag;          /* send and recv: tells apart several messages between two ranks          */
  uint32_t reserved;
  /* NULL = the call blocks until the collective is done. Else it returns at once and hands over a handle to release. Until wait
   * has returned, inputs must not be changed and outputs are undefined */
  levin_work** work;
} levin_collective;
/* "levin.dist/1". A collective is called by all ranks of its group, in the same order, with tensors of the same shapes and
 * types on any device, and changes tensors in place. LEVIN_E_INVALID for an unsupported tensor, rank, group or reduction. In a
 * run of one process everything works except send and recv. */
typedef struct levin_dist {
  uint32_t size, reserved;
  uint32_t (*rank)(levin_run*);                                                                    /* [any]   */
  uint32_t (*world_size)(levin_run*);                                                              /* [any]   */
  /* local_*: among the processes on this machine; node_rank, num_nodes: of the machines              [any]   */
  uint32_t (*local_rank)(levin_run*);
  uint32_t (*local_world_size)(levin_run*);
  uint32_t (*node_rank)(levin_run*);
  uint32_t (*num_nodes)(levin_run*);
  /* hands over a group of these ranks, in this order; release it. All ranks of the run must call it; ranks outside the group
   * may not make its collectives. Not valid after the run                                            [train] */
  levin_status (*new_group)(levin_run*, const uint32_t* ranks, uint32_t n, levin_group** out);
  /* rank: of this process in the group, -1 = not in it; ranks: n ranks of the run, owned by the group. Any out-parameter may
   * be NULL                                                                                          [train] */
  levin_status (*group)(levin_run*, levin_group*, int32_t* rank, const uint32_t** ranks, uint32_t* n);
  void (*group_release)(levin_group*); /* by each rank, after the group's collectives                 [any]   */
  /* in all collectives a levin_collective* of NULL = all zeros                                       [train] */
  levin_status (*all_reduce)(levin_run*, const levin_collective*, levin_tensor*);
  levin_status (*broadcast)(levin_run*, const levin_collective*, levin_tensor*);
  levin_status (*barrier)(levin_run*, const levin_collective*);
  /* as all_reduce, but only for the root; on other ranks the tensor is undefined afterwards          [train] */
  levin_status (*reduce)(levin_run*, const levin_collective*, levin_tensor*);
  /* hands over one tensor per rank of the group in out; all have the same shape and type. gather fills out on the root only;
   * on other ranks out may be NULL                                                                    [train] */
  levin_status (*all_gather)(levin_run*, const levin_collective*, levin_tensor* in, levin_tensor** out);
  levin_status (*gather)(levin_run*, const levin_collective*, levin_tensor* in, levin_tensor** out);
  /* writes this rank's part into out. parts: one per rank of the group, read only on the root        [train] */
  levin_status (*scatter)(levin_run*, const levin_collective*, levin_tensor* const* parts, levin_tensor* out);
  /* reduces parts[i] of all ranks into out of the rank i of the group                                [train] */
  levin_status (*reduce_scatter)(levin_run*, const levin_collective*, levin_tensor* const* parts, levin_tensor* out);
  /* to and from rank levin_collective.root. Only these two ranks make the call; recv writes into the tensor, which must have
   * the sender's shape and type                                                                      [train] */
  levin_status (*send)(levin_run*, const levin_collective*, levin_tensor*);
  levin_status (*recv)(levin_run*, const levin_collective*, levin_tensor*);
  /* calls each(ctx, rank, data, n) with the bytes of each rank, in the group's order; rank: of the run. Blocks [train] */
  levin_status (*all_gather_bytes)(levin_run*, const levin_collective*, const void* data, size_t n,
                                   void (*each)(void* ctx, uint32_t rank, const void* data, size_t n), void* ctx);
  levin_status (*wait)(levin_run*, levin_work*);                /* a second call has the same result [train] */
  levin_status (*done)(levin_run*, levin_work*, int32_t* done); /* 1 = wait would return at once     [train] */
  /* if wait was not called, the outputs stay undefined and a failure is not reported                 [any]   */
  void (*work_release)(levin_work*);
} levin_dist;

/* service "levin.torch/1" (a non-NULL pointer) exists only if the host's LibTorch matches the plugin's
 * levin_torch_abi; then a levin_tensor* is a c10::TensorImpl*. */

/* ---- a note in the file, readable with no code run: NUL-separated key=value, double NUL at the end ---------------------- */
#if defined(__ELF__)
#  define LEVIN_NOTE(text)                                                                                       \
    __attribute__((section(".note.levin"), used, aligned(4))) static const struct {                             \
      uint32_t namesz, descsz, type;                                                                             \
      char name[4];                                                                                              \
      char desc[(sizeof(text) + 3u) & ~3u];                                                                      \
    } levin_note_ = {4u, (uint32_t)((sizeof(text) + 3u) & ~3u), 1u, {'L', 'E', 'V', 0}, text}
#else
#  define LEVIN_NOTE(text) LEVIN_EXPORT extern const char levin_note_v0[]; const char levin_note_v0[] = text
#endif
#define LEVIN_NOTE_ABI "abi=" LEVIN_ABI_TEXT "\0"
#ifdef __cplusplus
}
#endif

/* sizes are part of the contract: if one of these fails, the ABI is broken (LP64 and LLP64 agree) */
#if defined(__cplusplus)
#  define LEVIN_ASSERT(c) static_assert(c, #c)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#  define LEVIN_ASSERT(c) _Static_assert(c, #c)
#else
#  define LEVIN_ASSERT(c) extern char levin_assert_[(c) ? 1 : -1]
#endif
LEVIN_ASSERT(sizeof(levin_view) == 48 && sizeof(levin_managed) == 80 && offsetof(levin_view, shape) == 24);
LEVIN_ASSERT(sizeof(levin_value) == 16 && sizeof(levin_option) == 72 && sizeof(levin_batch) == 40);
LEVIN_ASSERT(sizeof(levin_field) == 88 && sizeof(levin_split) == 40 && sizeof(levin_data_info) == 56);
LEVIN_ASSERT(sizeof(levin_event) == 152 && sizeof(levin_object) == 40 && sizeof(levin_component) == 136);
LEVIN_ASSERT(sizeof(levin_plugin) == 72 && sizeof(levin_log) == 80 && sizeof(struct levin_host) == 112);
LEVIN_ASSERT(offsetof(struct levin_host, fail) == 40 && offsetof(levin_model, step) == 64);
LEVIN_ASSERT(sizeof(levin_step_in) == 88 && sizeof(levin_optim_call) == 96 && sizeof(levin_fill) == 48);
#if defined(DLPACK_DLPACK_H_) && defined(__cplusplus)
LEVIN_ASSERT(sizeof(levin_view) == sizeof(DLTensor) && offsetof(levin_view, strides) == offsetof(DLTensor, strides));
#endif
#endif
