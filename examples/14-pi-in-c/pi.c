/* Pi from points in the unit square, in plain C. The file has the number of points of one task in each line. */
#include <levin/plugin.h>
#include <levin/tasks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pi {
  const levin_host* host;
  uint64_t seed;
} Pi;

static const levin_option options[] = {
    {.name = "seed", .type = LEVIN_T_INT, .deflt = "1", .help = "seed of the points", .min = 1}};

static levin_status read_tasks(void* me, const char* path, const levin_task_sink* tasks) {
  Pi* self = me;
  FILE* in = fopen(path, "r");
  if (!in) return self->host->fail(self->host, LEVIN_E_IO, "cannot read the file");
  levin_status status = LEVIN_OK;
  for (char line[64]; status >= 0 && fgets(line, sizeof line, in);) {
    const int64_t points = atoll(line);
    const levin_task task = {.size = sizeof task, .data = &points, .n_data = sizeof points, .weight = (double)points};
    status = points > 0 ? tasks->add(tasks, &task)
                        : self->host->fail(self->host, LEVIN_E_INVALID, "a line is no positive number of points");
  }
  fclose(in);
  return status;
}

/* xorshift64* */
static double uniform(uint64_t* state) {
  *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
  return (double)((*state * 2685821657736338717u) >> 11) / 9007199254740992.0;
}

typedef struct Count {
  int64_t points, inside;
} Count;

static levin_status handle(void* me, const levin_task* task, const levin_bytes_sink* result) {
  Pi* self = me;
  Count count = {0, 0};
  if (task->n_data != sizeof count.points) return LEVIN_E_INVALID;
  memcpy(&count.points, task->data, sizeof count.points);
  /* The points depend on the task alone, not on the process that handles it. */
  uint64_t state = (self->seed * 1000003u + task->index + 1) * 0x9e3779b97f4a7c15u;
  for (int64_t i = 0; i < count.points; ++i) {
    const double x = uniform(&state), y = uniform(&state);
    count.inside += x * x + y * y < 1;
  }
  return result->write(result, &count, sizeof count);
}

static levin_status sum(void* me, const levin_results* results, const levin_bytes_sink* output) {
  (void)me;
  Count all = {0, 0}, one;
  levin_result result = {.size = sizeof result};
  levin_status status;
  while ((status = results->next(results, &result)) == LEVIN_OK) {
    memcpy(&one, result.data, sizeof one);
    all.points += one.points, all.inside += one.inside;
  }
  if (status < 0) return status;
  if (all.points == 0) return LEVIN_E_INVALID;
  char text[64];
  const int n = snprintf(text, sizeof text, "%.6f\n", 4.0 * (double)all.inside / (double)all.points);
  return output->write(output, text, (uint64_t)n);
}

static const levin_tasks table = {
    .o = {.size = sizeof table, .destroy = free}, .read = read_tasks, .handle = handle, .sum = sum};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  Pi* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  made->seed = (uint64_t)in->args->values[0].v.i;
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_TASKS, "pi", "1.0.0", "Pi from points in the unit square"), LEVIN_OPTIONS(options),
    .create = create};
LEVIN_PLUGIN("org.levin.example.pi", "1.0.0", "Apache-2.0", &component)
