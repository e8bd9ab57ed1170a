/* Writes each metric as a line "step name value". */
#define _POSIX_C_SOURCE 200809L /* truncate */
#include <levin/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct MyPlugin {
  const levin_host* host;
  char name[256]; /* of the file; an option's text lives during create only, so it is copied */
  FILE* out;
  uint64_t bytes; /* length of the file at the checkpoint from which the run resumes */
} MyPlugin;

static const levin_option options[] = {{.name = "file",
                                        .type = LEVIN_T_STRING,
                                        .deflt = "\"lines.txt\"", /* JSON, so text is quoted */
                                        .help = "file in the run's folder",
                                        .min = 1}};

static levin_status begin(void* me, const levin_logger_begin* run) {
  MyPlugin* self = me;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", run->run_dir, self->name);
  self->out = fopen(path, "a");
  /* A resumed run logs again what came after its checkpoint. */
  if (self->out && run->resumed_step >= 0 && fseek(self->out, 0, SEEK_END) == 0 &&
      (uint64_t)ftell(self->out) > self->bytes && truncate(path, (off_t)self->bytes) != 0)
    return self->host->fail(self->host, LEVIN_E_IO, "cannot shorten its file in the run's folder");
  return self->out ? LEVIN_OK : self->host->fail(self->host, LEVIN_E_IO, "cannot write its file in the run's folder");
}
static levin_status metrics(void* me, int64_t step, const char* const* names, const double* values, uint32_t n) {
  MyPlugin* self = me;
  for (uint32_t i = 0; i < n; ++i) fprintf(self->out, "%lld %s %.9g\n", (long long)step, names[i], values[i]);
  return LEVIN_OK;
}
static levin_status flush(void* me) {
  MyPlugin* self = me;
  return !self->out || fflush(self->out) == 0 ? LEVIN_OK
                                              : self->host->fail(self->host, LEVIN_E_IO, "cannot write its file");
}
static levin_status finalize(void* me, const char* status) {
  MyPlugin* self = me;
  fprintf(self->out, "%s\n", status);
  return flush(self);
}
/* For checkpoints, each of which comes after a flush: how far the file is. */
static levin_status save(void* me, const levin_writer* to) {
  MyPlugin* self = me;
  uint64_t bytes = self->bytes;
  if (self->out && fseek(self->out, 0, SEEK_END) == 0) bytes = (uint64_t)ftell(self->out);
  return to->put(to, "bytes", &bytes, sizeof bytes);
}
static levin_status load(void* me, const levin_reader* from) {
  MyPlugin* self = me;
  const void* data;
  size_t n;
  if (from->get(from, "bytes", &data, &n) == LEVIN_OK && n == sizeof self->bytes) memcpy(&self->bytes, data, n);
  return LEVIN_OK;
}
static void destroy(void* me) {
  MyPlugin* self = me;
  if (self->out) fclose(self->out);
  free(self);
}
static const levin_logger table = {.o = {.size = sizeof table, .destroy = destroy, .save = save, .load = load},
                                   .begin = begin,
                                   .metrics = metrics,
                                   .flush = flush,
                                   .finalize = finalize};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  MyPlugin* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->host = host;
  strncpy(made->name, in->args->values[0].v.s, sizeof made->name - 1); /* values: in the order of the options */
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_LOGGER, "my_plugin", "1.0.0", "Writes each metric as a line"), LEVIN_OPTIONS(options),
    .create = create};
LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", &component)
