/* Gradient descent with momentum. It never sees LibTorch: it asks the host for ATen's operators by name (levin.ops/1),
 * so one library runs on every LibTorch. A model uses it as plan.optimizer("my_plugin", {{"lr", 0.1}}), and a
 * classifier or regressor as --model.optimizer my_plugin. */
#include <levin/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LR, MOMENTUM, NUMBERS }; /* in the order of the options */
static const levin_option options[NUMBERS] = {
    {.name = "lr", .type = LEVIN_T_FLOAT, .deflt = "0.01", .help = "learning rate", .min = 0, .max = 10},
    {.name = "momentum", .type = LEVIN_T_FLOAT, .deflt = "0.9", .help = "momentum factor", .min = 0, .max = 1}};

typedef struct Param {
  levin_tensor *tensor, *velocity;
  char* state_name; /* "fc.weight.velocity" */
} Param;
typedef struct Group {
  double numbers[NUMBERS];
  Param* params;
  uint32_t n;
} Group;
typedef struct MyPlugin {
  const levin_host* host;
  const levin_ops* ops;
  levin_op *zeros_like, *mul, *add, *sub;
  Group* groups;
  uint32_t n;
} MyPlugin;

static void destroy(void* me) {
  MyPlugin* self = me;
  for (uint32_t g = 0; g < self->n; ++g) {
    for (uint32_t i = 0; i < self->groups[g].n; ++i) {
      levin_release(self->host, self->groups[g].params[i].tensor);
      levin_release(self->host, self->groups[g].params[i].velocity);
      free(self->groups[g].params[i].state_name);
    }
    free(self->groups[g].params);
  }
  free(self->groups);
  free(self);
}

/* The state of a parameter is made when the parameter is added, so that a resumed run finds it. */
static levin_status add_param(MyPlugin* self, Param* param, levin_tensor* t, const char* name) {
  const size_t size = strlen(name) + sizeof ".velocity";
  const levin_value in[] = {levin_of_tensor(t)};
  self->host->tensor_retain(self->host, t);
  param->tensor = t;
  param->state_name = malloc(size);
  if (!param->state_name) return levin_out_of_memory(self->host);
  snprintf(param->state_name, size, "%s.velocity", name);
  return self->ops->call(self->host, self->zeros_like, in, 1, &param->velocity, 1);
}

static levin_status add_group(void* me, levin_tensor* const* params, const char* const* names, uint32_t n,
                              const levin_args* args, uint32_t* index) {
  MyPlugin* self = me;
  Group* groups = realloc(self->groups, (self->n + 1) * sizeof *groups);
  if (!groups) return levin_out_of_memory(self->host);
  self->groups = groups;
  Group* group = &groups[self->n];
  memset(group, 0, sizeof *group);
  for (int i = 0; i < NUMBERS; ++i) group->numbers[i] = args->values[i].v.f;
  group->params = calloc(n, sizeof *group->params);
  if (!group->params) return levin_out_of_memory(self->host);
  *index = self->n++;
  for (uint32_t i = 0; i < n; ++i) {
    group->n = i + 1;
    const levin_status status = add_param(self, &group->params[i], params[i], names[i]);
    if (status < 0) return status;
  }
  return LEVIN_OK;
}

/* Changes the first tensor in place; the operator hands a further reference to it over. */
static levin_status change(const MyPlugin* self, levin_op* op, const levin_value* in, uint32_t n) {
  levin_tensor* same = NULL;
  const levin_status status = self->ops->call(self->host, op, in, n, &same, 1);
  levin_release(self->host, same);
  return status;
}

static levin_status step_param(const MyPlugin* self, const Group* group, const Param* param) {
  levin_tensor* grad = NULL;
  levin_status status = self->ops->grad(self->host, param->tensor, &grad);
  if (status == LEVIN_E_NOT_FOUND) return LEVIN_OK; /* the step gave this parameter no gradient */
  const levin_value decayed[] = {levin_of_tensor(param->velocity), levin_of_float(group->numbers[MOMENTUM])};
  const levin_value grown[] = {levin_of_tensor(param->velocity), levin_of_tensor(grad)};
  const levin_value moved[] = {levin_of_tensor(param->tensor), levin_of_tensor(param->velocity),
                               levin_of_float(group->numbers[LR])};
  if (status >= 0) status = change(self, self->mul, decayed, 2);
  if (status >= 0) status = change(self, self->add, grown, 2);
  if (status >= 0) status = change(self, self->sub, moved, 3);
  levin_release(self->host, grad);
  return status;
}

/* Called without gradients. */
static levin_status step(void* me, levin_run* run, levin_status (*closure)(void*), void* ctx) {
  const MyPlugin* self = me;
  (void)run, (void)closure, (void)ctx;
  for (uint32_t g = 0; g < self->n; ++g)
    for (uint32_t i = 0; i < self->groups[g].n; ++i) {
      const levin_status status = step_param(self, &self->groups[g], &self->groups[g].params[i]);
      if (status < 0) return status;
    }
  return LEVIN_OK;
}

static double* find_number(MyPlugin* self, uint32_t group, const char* option) {
  for (int i = 0; group < self->n && i < NUMBERS; ++i)
    if (strcmp(options[i].name, option) == 0) return &self->groups[group].numbers[i];
  return NULL;
}
/* Schedules change numbers by `set`. */
static levin_status set(void* me, uint32_t group, const char* option, double value) {
  double* found = find_number(me, group, option);
  if (!found) return LEVIN_E_NOT_FOUND;
  *found = value;
  return LEVIN_OK;
}
static levin_status get(void* me, uint32_t group, const char* option, double* out) {
  const double* found = find_number(me, group, option);
  if (!found) return LEVIN_E_NOT_FOUND;
  *out = *found;
  return LEVIN_OK;
}

/* Checkpoints keep these tensors. */
static levin_status visit(void* me, const levin_visitor* visitor) {
  const MyPlugin* self = me;
  for (uint32_t g = 0; g < self->n; ++g)
    for (uint32_t i = 0; i < self->groups[g].n; ++i) {
      const Param* param = &self->groups[g].params[i];
      const levin_status status = visitor->tensor(visitor, param->state_name, param->velocity, LEVIN_BUFFER);
      if (status < 0) return status;
    }
  return LEVIN_OK;
}
static const levin_optimizer table = {.o = {.size = sizeof table, .destroy = destroy},
                                      .add_group = add_group,
                                      .step = step,
                                      .set = set,
                                      .get = get,
                                      .visit = visit};

static levin_status find_ops(MyPlugin* self) {
  const struct {
    const char *name, *overload;
    levin_op** op;
  } wanted[] = {{"zeros_like", "", &self->zeros_like},
                {"mul_", "Scalar", &self->mul},
                {"add_", "Tensor", &self->add},
                {"sub_", "Tensor", &self->sub}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    const levin_status status = self->ops->find(self->host, wanted[i].name, wanted[i].overload, wanted[i].op);
    if (status < 0) return status;
  }
  return LEVIN_OK;
}

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  const levin_ops* ops = host->service(host, "levin.ops/1");
  (void)in; /* each group gets its options */
  if (!ops) return host->fail(host, LEVIN_E_UNSUPPORTED, "my_plugin needs levin.ops/1");
  MyPlugin* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  made->ops = ops;
  const levin_status status = find_ops(made);
  if (status < 0) return free(made), status;
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_OPTIMIZER, "my_plugin", "1.0.0", "Gradient descent with momentum"),
    LEVIN_OPTIONS(options), .create = create};
LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", &component)
