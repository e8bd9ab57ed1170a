/* Adds the squares of the numbers in a file, one task for each line. */
#include <levin/plugin.h>
#include <levin/tasks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct MyPlugin {
  const levin_host* host;
  double factor;
} MyPlugin;

static const levin_option options[] = {
    {.name = "factor", .type = LEVIN_T_FLOAT, .deflt = "1", .help = "factor of every square", .min = 1}};

static levin_status read_tasks(void* me, const char* path, const levin_task_sink* tasks) {
  MyPlugin* self = me;
  FILE* in = fopen(path, "r");
  if (!in) return self->host->fail(self->host, LEVIN_E_IO, "cannot read the file");
  levin_status status = LEVIN_OK;
  for (char line[256]; status >= 0 && fgets(line, sizeof line, in);) {
    const levin_task task = {.size = sizeof task, .data = line, .n_data = strcspn(line, "\n"), .weight = 1};
    status = tasks->add(tasks, &task);
  }
  fclose(in);
  return status;
}
/* Data, results and the output are bytes, without a NUL at the end. */
static double number_in(const void* data, uint64_t n) {
  char text[256] = "";
  memcpy(text, data, n < sizeof text ? (size_t)n : sizeof text - 1);
  return atof(text);
}
static levin_status write_number(const levin_bytes_sink* to, const char* format, double number) {
  char text[64];
  return to->write(to, text, (uint64_t)snprintf(text, sizeof text, format, number));
}
static levin_status handle(void* me, const levin_task* task, const levin_bytes_sink* result) {
  MyPlugin* self = me;
  const double number = number_in(task->data, task->n_data);
  return write_number(result, "%.17g", self->factor * number * number);
}
static levin_status sum(void* me, const levin_results* results, const levin_bytes_sink* output) {
  (void)me;
  double total = 0;
  levin_result result = {.size = sizeof result};
  levin_status status;
  while ((status = results->next(results, &result)) == LEVIN_OK) total += number_in(result.data, result.n_data);
  return status < 0 ? status : write_number(output, "%g\n", total);
}
static const levin_tasks table = {
    .o = {.size = sizeof table, .destroy = free}, .read = read_tasks, .handle = handle, .sum = sum};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  MyPlugin* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  made->factor = in->args->values[0].v.f; /* values: in the order of the options */
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {LEVIN_COMPONENT(LEVIN_KIND_TASKS, "my_plugin", "1.0.0", "Adds squares"),
                                          LEVIN_OPTIONS(options), .create = create};
LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", &component)
