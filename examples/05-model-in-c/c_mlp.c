/* A perceptron in plain C. It never sees LibTorch: it asks the host for ATen's operators by name (levin.ops/1), and
 * autograd works through them, so one binary runs on every LibTorch. */
#include <levin/plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { W1, B1, W2, B2, PARAMETERS };
static const char* const names[PARAMETERS] = {"in.weight", "in.bias", "out.weight", "out.bias"};

typedef struct CMlp {
  const levin_host* host;
  const levin_ops* ops;
  const levin_trainer* trainer;
  levin_op *uniform, *flatten, *linear, *relu, *cross_entropy;
  levin_tensor* parameters[PARAMETERS];
  uint32_t input, target; /* their indices among the fields of a batch */
  double lr;
} CMlp;

static const levin_option options[] = {
    {"hidden", LEVIN_T_INT, LEVIN_OPT_TUNABLE, "64", "width of the hidden layer", 1, 1e6, NULL, NULL, NULL},
    {"lr", LEVIN_T_FLOAT, LEVIN_OPT_TUNABLE, "0.01", "learning rate of Adam", 0, 10, NULL, NULL, NULL}};

/* ---- making it ---- */

static void destroy(void* self) {
  CMlp* m = self;
  for (int i = 0; i < PARAMETERS; ++i) levin_release(m->host, m->parameters[i]);
  free(m);
}

static levin_status find_ops(CMlp* m) {
  struct {
    const char *name, *overload;
    levin_op** op;
  } wanted[] = {{"uniform_", "", &m->uniform},
                {"flatten", "using_ints", &m->flatten},
                {"linear", "", &m->linear},
                {"relu", "", &m->relu},
                {"cross_entropy_loss", "", &m->cross_entropy}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    levin_status s = m->ops->find(m->host, wanted[i].name, wanted[i].overload, wanted[i].op);
    if (s < 0) return s;
  }
  return LEVIN_OK;
}

/* A parameter drawn from -bound..bound by the run's generator, as LibTorch's linear layers are. */
static levin_status add_parameter(CMlp* m, int which, int32_t ndim, int64_t* shape, double bound) {
  const size_t n = (size_t)(shape[0] * (ndim > 1 ? shape[1] : 1));
  float* zeros = calloc(n, sizeof *zeros);
  if (!zeros) return levin_out_of_memory(m->host);
  levin_view view = {zeros, {LEVIN_CPU, 0}, ndim, {LEVIN_FLOAT, 32, 1}, shape, NULL, 0};
  levin_tensor *plain = NULL, *drawn = NULL;
  levin_status s = m->host->tensor_from_view(m->host, &view, &plain);
  free(zeros);
  levin_value in[3] = {levin_of_tensor(plain), levin_of_float(-bound), levin_of_float(bound)};
  if (s >= 0) s = m->ops->call(m->host, m->uniform, in, 3, &drawn, 1);
  if (s >= 0) s = m->host->tensor_view(m->host, drawn, &view);
  if (s >= 0) s = m->ops->parameter(m->host, &view, &m->parameters[which]);
  levin_release(m->host, drawn);
  levin_release(m->host, plain);
  return s;
}

static levin_status add_layer(CMlp* m, int weight, int64_t inputs, int64_t outputs) {
  int64_t shape[2] = {outputs, inputs};
  const double bound = 1 / sqrt((double)inputs);
  levin_status s = add_parameter(m, weight, 2, shape, bound);
  return s < 0 ? s : add_parameter(m, weight + 1, 1, shape, bound);
}

/* Finds input and target among the fields; hands their sizes over. */
static levin_status read_fields(CMlp* m, const levin_data_info* data, int64_t* inputs, int64_t* classes) {
  *inputs = *classes = 0;
  for (uint32_t i = data ? data->n_fields : 0; i-- > 0;) {
    const levin_field* f = LEVIN_AT(levin_field, data->fields, data->field_size, i);
    if (f->role == LEVIN_ROLE_TARGET) m->target = i, *classes = f->classes;
    if (f->role != LEVIN_ROLE_INPUT) continue;
    m->input = i, *inputs = 1;
    for (int32_t d = 0; d < f->ndim; ++d) *inputs *= f->shape[d];
  }
  if (*inputs > 0 && *classes > 1) return LEVIN_OK;
  return m->host->fail(m->host, LEVIN_E_INVALID, "c_mlp needs data with an input field and a target with classes");
}

static levin_status make_model(CMlp* m, const levin_create* in) {
  int64_t inputs, classes, hidden = in->args->values[0].v.i;
  m->lr = in->args->values[1].v.f;
  levin_status s = read_fields(m, in->data, &inputs, &classes);
  if (s >= 0) s = find_ops(m);
  if (s >= 0) s = add_layer(m, W1, inputs, hidden);
  if (s >= 0) s = add_layer(m, W2, hidden, classes);
  return s;
}

/* ---- steps ---- */

/* out = op(in[0..n)); releases `used`, an intermediate tensor that autograd now holds where it needs it. */
static levin_status apply(CMlp* m, levin_op* op, const levin_value* in, uint32_t n, levin_tensor* used,
                          levin_tensor** out) {
  *out = NULL;
  levin_status s = m->ops->call(m->host, op, in, n, out, 1);
  levin_release(m->host, used);
  return s;
}

static levin_status forward(CMlp* m, levin_tensor* x, levin_tensor** out) {
  levin_value rows[2] = {levin_of_tensor(x), levin_of_int(1)};
  levin_status s = apply(m, m->flatten, rows, 2, NULL, out);
  levin_value in[3] = {levin_of_tensor(*out), levin_of_tensor(m->parameters[W1]), levin_of_tensor(m->parameters[B1])};
  if (s >= 0) s = apply(m, m->linear, in, 3, *out, out);
  levin_value hidden = levin_of_tensor(*out);
  if (s >= 0) s = apply(m, m->relu, &hidden, 1, *out, out);
  levin_value last[3] = {levin_of_tensor(*out), levin_of_tensor(m->parameters[W2]), levin_of_tensor(m->parameters[B2])};
  if (s >= 0) s = apply(m, m->linear, last, 3, *out, out);
  return s;
}

static levin_status log_loss(CMlp* m, const levin_step_in* in, levin_tensor* loss) {
  levin_log log = LEVIN_LOG_INIT;
  log.name = in->stage == LEVIN_STAGE_FIT ? "train_loss" : in->stage == LEVIN_STAGE_TEST ? "test_loss" : "val_loss";
  log.prog_bar = 1;
  log.tensor = loss;
  return m->trainer->log(in->run, &log);
}

static levin_status step(void* self, const levin_step_in* in, const levin_step_out* out) {
  CMlp* m = self;
  levin_tensor* y = NULL;
  levin_status s = forward(m, in->batch->tensors[m->input], &y);
  if (s >= 0 && in->stage == LEVIN_STAGE_PREDICT) {
    s = out->put(out, "prediction", y);
  } else if (s >= 0) {
    levin_value of[2] = {levin_of_tensor(y), levin_of_tensor(in->batch->tensors[m->target])};
    s = apply(m, m->cross_entropy, of, 2, y, &y);
    if (s >= 0) s = log_loss(m, in, y);
    if (s >= 0) s = out->put(out, "loss", y);
  }
  levin_release(m->host, y);
  return s;
}

/* ---- what the host asks ---- */

static levin_status visit(void* self, const levin_visitor* v) {
  levin_status s = LEVIN_OK;
  for (int i = 0; i < PARAMETERS && s >= 0; ++i)
    s = v->tensor(v, names[i], ((CMlp*)self)->parameters[i], LEVIN_PARAMETER);
  return s;
}
static levin_status mode(void* self, uint32_t training) { /* training and evaluation are the same here */
  (void)self, (void)training;
  return LEVIN_OK;
}
static levin_status move(void* self, levin_device device, levin_dtype dtype) {
  const levin_host* host = ((CMlp*)self)->host;
  if (device.type == LEVIN_CPU && dtype.code == LEVIN_FLOAT && dtype.bits == 32) return LEVIN_OK;
  return host->fail(host, LEVIN_E_UNSUPPORTED, "c_mlp computes in float32 on the CPU only");
}
static levin_status configure_optimizers(void* self, const levin_optim_plan* plan) {
  char json[64];
  snprintf(json, sizeof json, "{\"lr\": %.17g}", ((CMlp*)self)->lr);
  levin_optimizer_desc adam = {sizeof adam, 0, "adam", json, NULL, 0};
  uint32_t index;
  return plan->add_optimizer(plan, &adam, &index);
}

static const levin_model table = {.o = {.size = sizeof table, .destroy = destroy},
                                  .visit = visit,
                                  .mode = mode,
                                  .move = move,
                                  .step = step,
                                  .configure_optimizers = configure_optimizers};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  CMlp* m = calloc(1, sizeof *m);
  if (!m) return levin_out_of_memory(host);
  m->host = host;
  m->ops = host->service(host, "levin.ops/1");
  m->trainer = host->service(host, "levin.trainer/1");
  levin_status s = m->ops && m->trainer ? make_model(m, in)
                                        : host->fail(host, LEVIN_E_UNSUPPORTED, "this host does not offer levin.ops/1");
  if (s < 0) {
    destroy(m);
    return s;
  }
  *self = m;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_MODEL, "c_mlp", "1.0.0", "A perceptron in plain C"), LEVIN_OPTIONS(options),
    .create = create};
LEVIN_PLUGIN("com.example.c_mlp", "1.0.0", "Apache-2.0", &component)
