/* Logs how long the slowest training batch of an epoch took, and says when one is slower than a limit. */
#include <levin/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct MyPlugin {
  const levin_host* host;
  const levin_trainer* trainer;
  double limit, begin, slowest; /* seconds */
} MyPlugin;

static const levin_option options[] = {{.name = "limit",
                                        .type = LEVIN_T_FLOAT,
                                        .deflt = "1.0",
                                        .help = "seconds after which a batch is slow",
                                        .min = 0,
                                        .max = 1e9}};

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end_of_batch(MyPlugin* self, const levin_event* event) {
  const double seconds = now() - self->begin;
  char text[100];
  if (seconds > self->slowest) self->slowest = seconds;
  if (seconds <= self->limit) return;
  snprintf(text, sizeof text, "batch %lld took %g s", (long long)event->batch_idx, seconds);
  self->host->log(self->host, LEVIN_LOG_WARNING, text);
}

static levin_status log_slowest(MyPlugin* self, const levin_event* event) {
  levin_log log = LEVIN_LOG_INIT;
  log.name = "slowest_batch";
  log.number = self->slowest;
  return self->trainer->log(event->run, &log);
}

/* Called for the hooks in the component's mask. */
static levin_status on(void* me, const levin_event* event) {
  MyPlugin* self = me;
  switch (event->hook) {
    case LEVIN_HOOK_TRAIN_EPOCH_START:
      self->slowest = 0;
      return LEVIN_OK;
    case LEVIN_HOOK_TRAIN_BATCH_START:
      self->begin = now();
      return LEVIN_OK;
    case LEVIN_HOOK_TRAIN_BATCH_END:
      end_of_batch(self, event);
      return LEVIN_OK;
    case LEVIN_HOOK_TRAIN_EPOCH_END:
      return log_slowest(self, event);
    default:
      return LEVIN_OK;
  }
}
static const levin_callback table = {.o = {.size = sizeof table, .destroy = free}, .on = on};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  MyPlugin* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  made->trainer = host->service(host, "levin.trainer/1");
  made->limit = in->args->values[0].v.f; /* in the order of the options */
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_CALLBACK, "my_plugin", "1.0.0", "Logs the slowest training batch of each epoch"),
    LEVIN_OPTIONS(options),
    .hooks = {LEVIN_BIT(LEVIN_HOOK_TRAIN_EPOCH_START) | LEVIN_BIT(LEVIN_HOOK_TRAIN_BATCH_START) |
              LEVIN_BIT(LEVIN_HOOK_TRAIN_BATCH_END) | LEVIN_BIT(LEVIN_HOOK_TRAIN_EPOCH_END)},
    .create = create};
LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", &component)
