/* Calls every function of levin.dist/1 when a fit starts, checks the results, and reports wrong ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <levin/plugin.h>

typedef struct Checks {
  const levin_host* host;
  const levin_dist* dist;
  const levin_trainer* trainer;
  levin_run* run;
  uint32_t rank, size;
  int wrong, refused;
} Checks;

static void check(Checks* c, int good, const char* what) {
  char text[600];
  if (good) return;
  ++c->wrong;
  snprintf(text, sizeof text, "WRONG rank %u: %s (%s)", c->rank, what, c->host->last_error(c->host));
  c->host->log(c->host, LEVIN_LOG_WARNING, text);
}
#define CHECK(condition) check(c, (condition), #condition)

static void refused(Checks* c, levin_status status, const char* text) {
  ++c->refused;
  if (status == LEVIN_E_INVALID && strstr(c->host->last_error(c->host), text)) return;
  check(c, 0, text);
}

static levin_tensor* pair(Checks* c, float a, float b) {
  float values[] = {a, b};
  int64_t shape[] = {2};
  const levin_view view = {values, {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 32, 1}, shape, NULL, 0};
  levin_tensor* made = NULL;
  CHECK(c->host->tensor_from_view(c->host, &view, &made) == LEVIN_OK);
  return made;
}
static int holds(Checks* c, levin_tensor* tensor, double a, double b) {
  levin_view view;
  if (!tensor || c->host->tensor_view(c->host, tensor, &view) < 0) return 0;
  const float* v = (const float*)((const char*)view.data + view.byte_offset);
  return v[0] == (float)a && v[1] == (float)b;
}
static void drop(Checks* c, levin_tensor** tensors, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) c->host->tensor_release(c->host, tensors[i]);
}

static void reductions(Checks* c) {
  const double n = c->size, r = c->rank, sum = n * (n + 1) / 2; /* of rank + 1 */
  levin_collective how = {sizeof how, 0, NULL, LEVIN_REDUCE_MAX, 0, 0, 0, NULL};
  levin_tensor* t[] = {pair(c, r + 1, 1), pair(c, r + 1, 1), pair(c, r + 1, 4), pair(c, r + 1, 2)};
  CHECK(c->dist->all_reduce(c->run, NULL, t[0]) == LEVIN_OK && holds(c, t[0], sum, n));
  CHECK(c->dist->all_reduce(c->run, &how, t[1]) == LEVIN_OK && holds(c, t[1], n, 1));
  how.reduce = LEVIN_REDUCE_MEAN;
  CHECK(c->dist->all_reduce(c->run, &how, t[2]) == LEVIN_OK && holds(c, t[2], sum / n, 4));
  how.reduce = LEVIN_REDUCE_SUM;
  how.root = c->size - 1;
  CHECK(c->dist->reduce(c->run, &how, t[3]) == LEVIN_OK);
  CHECK(c->rank != how.root || holds(c, t[3], sum, 2 * n));
  drop(c, t, 4);
}

static void distributions(Checks* c) {
  const double r = c->rank;
  levin_collective how = {sizeof how, 0, NULL, 0, c->size - 1, 0, 0, NULL};
  levin_tensor* t = pair(c, (float)r, (float)r);
  levin_tensor* parts[8];
  uint32_t i;
  CHECK(c->dist->broadcast(c->run, NULL, t) == LEVIN_OK && holds(c, t, 0, 0));
  c->host->tensor_release(c->host, t);
  t = pair(c, (float)r, 7);
  CHECK(c->dist->broadcast(c->run, &how, t) == LEVIN_OK && holds(c, t, c->size - 1, 7));
  for (i = 0; i < c->size; ++i) parts[i] = pair(c, (float)(10 * i), 1);
  CHECK(c->dist->scatter(c->run, &how, c->rank == how.root ? parts : NULL, t) == LEVIN_OK && holds(c, t, 10 * r, 1));
  CHECK(c->dist->reduce_scatter(c->run, NULL, parts, t) == LEVIN_OK && holds(c, t, 10 * r * c->size, c->size));
  drop(c, parts, c->size);
  c->host->tensor_release(c->host, t);
}

static void count_bytes(void* ctx, uint32_t rank, const void* data, size_t n) {
  if (n == rank && (n == 0 || ((const char*)data)[n - 1] == 'x')) ++*(uint32_t*)ctx;
}

static void gatherings(Checks* c) {
  levin_collective how = {sizeof how, 0, NULL, 0, c->size - 1, 0, 0, NULL};
  levin_tensor* in = pair(c, (float)c->rank, 5);
  levin_tensor* out[8] = {0};
  uint32_t i, good = 0;
  CHECK(c->dist->all_gather(c->run, NULL, in, out) == LEVIN_OK);
  for (i = 0; i < c->size; ++i) CHECK(holds(c, out[i], i, 5));
  drop(c, out, c->size);
  memset(out, 0, sizeof out);
  CHECK(c->dist->gather(c->run, &how, in, c->rank == how.root ? out : NULL) == LEVIN_OK);
  for (i = 0; i < c->size; ++i) CHECK(c->rank == how.root ? holds(c, out[i], i, 5) : !out[i]);
  if (c->rank == how.root) drop(c, out, c->size);
  CHECK(c->dist->all_gather_bytes(c->run, NULL, "xxxxxxxx", c->rank, &count_bytes, &good) == LEVIN_OK);
  CHECK(good == c->size);
  c->host->tensor_release(c->host, in);
}

/* Waits for work after other collectives, in another order. */
static void handles(Checks* c) {
  levin_work *first = NULL, *second = NULL, *dropped = NULL;
  levin_collective how = {sizeof how, 0, NULL, 0, 0, 0, 0, &first};
  levin_tensor *a = pair(c, 1, 2), *b = pair(c, (float)c->rank, 0);
  int32_t done = 0;
  CHECK(c->dist->all_reduce(c->run, &how, a) == LEVIN_OK);
  how.work = &second;
  CHECK(c->dist->broadcast(c->run, &how, b) == LEVIN_OK);
  CHECK(c->dist->barrier(c->run, NULL) == LEVIN_OK);
  CHECK(c->dist->wait(c->run, second) == LEVIN_OK && holds(c, b, 0, 0));
  CHECK(c->dist->wait(c->run, first) == LEVIN_OK && holds(c, a, c->size, 2 * c->size));
  CHECK(c->dist->wait(c->run, first) == LEVIN_OK && holds(c, a, c->size, 2 * c->size));
  CHECK(c->dist->done(c->run, first, &done) == LEVIN_OK && done == 1);
  how.work = &dropped;
  CHECK(c->dist->barrier(c->run, &how) == LEVIN_OK);
  c->dist->work_release(dropped);
  c->dist->work_release(first);
  c->dist->work_release(second);
  levin_tensor* both[] = {a, b};
  drop(c, both, 2);
}

/* A ring in which each rank sends before it receives. Two messages with the same tag arrive in order; one with another
 * tag is received before them. */
static void messages(Checks* c) {
  const uint32_t to = (c->rank + 1) % c->size, from = (c->rank + c->size - 1) % c->size;
  levin_work* sent[3];
  levin_collective how = {sizeof how, 0, NULL, 0, to, 4, 0, &sent[0]};
  levin_tensor* t[] = {pair(c, (float)c->rank, 1), pair(c, (float)c->rank, 2), pair(c, (float)c->rank, 3),
                       pair(c, 9, 9)};
  int i;
  for (i = 0; i < 3; ++i) {
    how.work = &sent[i];
    how.tag = i < 2 ? 4 : 0;
    CHECK(c->dist->send(c->run, &how, t[i]) == LEVIN_OK);
  }
  how.work = NULL;
  how.root = from;
  CHECK(c->dist->recv(c->run, &how, t[3]) == LEVIN_OK && holds(c, t[3], from, 3));
  how.tag = 4;
  CHECK(c->dist->recv(c->run, &how, t[3]) == LEVIN_OK && holds(c, t[3], from, 1));
  CHECK(c->dist->recv(c->run, &how, t[3]) == LEVIN_OK && holds(c, t[3], from, 2));
  for (i = 0; i < 3; ++i) CHECK(c->dist->wait(c->run, sent[i]) == LEVIN_OK);
  for (i = 0; i < 3; ++i) c->dist->work_release(sent[i]);
  drop(c, t, 4);
}

/* Two concurrent groups: the last rank alone, and the others in reverse order. */
static void groups(Checks* c) {
  const uint32_t last = c->size - 1;
  uint32_t others[8], i, n = 0;
  const uint32_t* ranks = NULL;
  levin_group *alone = NULL, *rest = NULL;
  levin_collective how = {sizeof how, 0, NULL, 0, 0, 0, 0, NULL};
  levin_tensor* t = pair(c, (float)c->rank, 1);
  int32_t rank = 0;
  for (i = 0; i < last; ++i) others[i] = last - 1 - i;
  CHECK(c->dist->new_group(c->run, &last, 1, &alone) == LEVIN_OK);
  if (last > 0) CHECK(c->dist->new_group(c->run, others, last, &rest) == LEVIN_OK);
  CHECK(c->dist->group(c->run, alone, &rank, &ranks, &n) == LEVIN_OK && n == 1 && ranks[0] == last);
  CHECK(rank == (c->rank == last ? 0 : -1));
  how.group = c->rank == last ? alone : rest;
  CHECK(c->dist->all_reduce(c->run, &how, t) == LEVIN_OK &&
        holds(c, t, c->rank == last ? last : last * (last - 1) / 2, c->rank == last ? 1 : last));
  how.root = c->rank == last ? 0 : last;
  if (last > 0) refused(c, c->dist->broadcast(c->run, &how, t), "is not in the group");
  how.group = c->rank == last ? rest : alone;
  if (last > 0) refused(c, c->dist->all_reduce(c->run, &how, t), "and the group has the rank");
  CHECK(c->dist->group(c->run, NULL, &rank, &ranks, &n) == LEVIN_OK && n == c->size && rank == (int32_t)c->rank);
  c->dist->group_release(alone);
  if (rest) c->dist->group_release(rest);
  c->host->tensor_release(c->host, t);
}

static void mistakes(Checks* c) {
  levin_collective how = {sizeof how, 0, NULL, 9, 0, 0, 0, NULL};
  levin_work* work = NULL;
  levin_tensor *t = pair(c, 1, 2), *out[8];
  const uint32_t twice[] = {0, 0}, nobody = 77;
  levin_group* group = NULL;
  refused(c, c->dist->all_reduce(c->run, &how, t), "there is no reduction 9");
  how.reduce = LEVIN_REDUCE_CAT;
  refused(c, c->dist->all_reduce(c->run, &how, t), "all_gather gives the tensors of all ranks");
  how.root = 77;
  refused(c, c->dist->broadcast(c->run, &how, t), "there is no rank 77");
  refused(c, c->dist->all_reduce(c->run, NULL, NULL), "");
  how.reduce = 0;
  how.root = c->rank;
  refused(c, c->dist->send(c->run, &how, t), c->size > 1 ? "this process itself" : "the run has one process");
  refused(c, c->dist->recv(c->run, &how, t), c->size > 1 ? "this process itself" : "the run has one process");
  how.tag = -1;
  how.root = (c->rank + 1) % c->size;
  refused(c, c->dist->send(c->run, &how, t), c->size > 1 ? "a tag is a number from 0" : "the run has one process");
  how.flags = LEVIN_SYNC_GRADS;
  refused(c, c->dist->barrier(c->run, &how), "takes no flags");
  how.work = &work;
  refused(c, c->dist->all_gather(c->run, &how, t, out), "leave work NULL");
  refused(c, c->dist->reduce_scatter(c->run, NULL, NULL, t), "one tensor for each");
  how.size = 8;
  refused(c, c->dist->barrier(c->run, &how), "sizeof(levin_collective)");
  refused(c, c->dist->new_group(c->run, twice, 2, &group), "rank 0 comes twice");
  refused(c, c->dist->new_group(c->run, &nobody, 1, &group), "there is no rank 77");
  refused(c, c->dist->new_group(c->run, NULL, 0, &group), "at least one rank");
  refused(c, c->dist->wait(c->run, NULL), "there is no work");
  refused(c, c->dist->done(c->run, NULL, NULL), "done is NULL");
  refused(c, c->dist->all_gather(c->run, NULL, t, NULL), "out is NULL");
  refused(c, c->dist->new_group(c->run, &c->rank, 1, NULL), "out is NULL");
  refused(c, c->dist->all_gather_bytes(c->run, NULL, "x", 1, NULL, NULL), "each is NULL");
  c->host->tensor_release(c->host, t);
}

static void log_in_group(Checks* c, const char* name, levin_group* group) {
  levin_log log = {0};
  log.size = sizeof log;
  log.name = name;
  log.number = c->rank + 1;
  log.on_epoch = log.sync_dist = 1;
  log.batch_size = 1;
  log.sync_dist_group = group;
  CHECK(c->trainer->log(c->run, &log) == LEVIN_OK);
  c->dist->group_release(group); /* the logged value does not need it any more */
}

/* All ranks log over two groups: the last rank alone, and the others. */
static void log_in_groups(Checks* c) {
  const uint32_t last = c->size - 1;
  uint32_t others[8], i;
  levin_group *alone = NULL, *rest = NULL;
  for (i = 0; i < last; ++i) others[i] = i;
  CHECK(c->dist->new_group(c->run, &last, 1, &alone) == LEVIN_OK);
  log_in_group(c, "last rank", alone);
  if (last > 0) CHECK(c->dist->new_group(c->run, others, last, &rest) == LEVIN_OK);
  if (last > 0) log_in_group(c, "other ranks", rest);
}

static void see_groups(Checks* c) {
  double value = 0;
  CHECK(c->trainer->metric(c->run, LEVIN_METRIC_CALLBACK, "last rank", &value) == LEVIN_OK && value == c->size);
  if (c->size > 1)
    CHECK(c->trainer->metric(c->run, LEVIN_METRIC_CALLBACK, "other ranks", &value) == LEVIN_OK &&
          value == c->size / 2.);
}

static uint32_t devices(Checks* c) {
  const levin_devices* service = c->host->service(c->host, "levin.devices/1");
  levin_device all[8] = {{7, 7}}, first = {7, 7};
  uint32_t n = 0;
  CHECK(service->all(c->run, NULL, 0, &n) == LEVIN_OK && n > 0);
  CHECK(service->all(c->run, all, 8, &n) == LEVIN_OK && service->current(c->run, &first) == LEVIN_OK);
  CHECK(all[0].type == first.type && all[0].id == first.id);
  return n;
}

static levin_status on(void* me, const levin_event* event) {
  Checks* c = me;
  char text[200];
  uint32_t n_devices;
  c->run = event->run;
  if (event->hook == LEVIN_HOOK_TRAIN_EPOCH_START) return log_in_groups(c), LEVIN_OK;
  if (event->hook == LEVIN_HOOK_FIT_END) {
    see_groups(c);
    snprintf(text, sizeof text, "rank %u at the end: %d wrong", c->rank, c->wrong);
    c->host->log(c->host, LEVIN_LOG_WARNING, text);
    return LEVIN_OK;
  }
  c->rank = c->dist->rank(c->run);
  c->size = c->dist->world_size(c->run);
  CHECK(c->dist->local_rank(c->run) == c->rank && c->dist->local_world_size(c->run) == c->size);
  CHECK(c->dist->node_rank(c->run) == 0 && c->dist->num_nodes(c->run) == 1);
  mistakes(c);
  reductions(c);
  distributions(c);
  gatherings(c);
  handles(c);
  if (c->size > 1) messages(c);
  groups(c);
  n_devices = devices(c);
  snprintf(text, sizeof text, "rank %u of %u: %d wrong, %d refused, %u devices", c->rank, c->size, c->wrong, c->refused,
           n_devices);
  c->host->log(c->host, LEVIN_LOG_WARNING, text);
  return LEVIN_OK;
}
static const levin_callback table = {.o = {.size = sizeof table, .destroy = free}, .on = on};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  Checks* made = calloc(1, sizeof *made);
  (void)in;
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  made->dist = host->service(host, "levin.dist/1");
  made->trainer = host->service(host, "levin.trainer/1");
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_CALLBACK, "collectives", "1.0.0", "Calls every function of levin.dist/1"),
    .hooks = {LEVIN_BIT(LEVIN_HOOK_FIT_START) | LEVIN_BIT(LEVIN_HOOK_FIT_END) |
              LEVIN_BIT(LEVIN_HOOK_TRAIN_EPOCH_START)},
    .create = create};
LEVIN_PLUGIN("levin.test.collectives", "1.0.0", "Apache-2.0", &component)
