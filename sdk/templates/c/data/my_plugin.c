/* Points in a square, of two classes: which of the two numbers is the larger one. */
#include <levin/plugin.h>
#include <stdlib.h>

typedef struct MyPlugin {
  int64_t rows;
} MyPlugin;

static const levin_option options[] = {
    {.name = "rows", .type = LEVIN_T_INT, .deflt = "4096", .help = "training rows", .min = 1, .max = 1e9}};
static const levin_field fields[] = {
    {.name = "x", .dtype = {LEVIN_FLOAT, 32, 1}, .ndim = 1, .shape = {2}, .role = LEVIN_ROLE_INPUT},
    {.name = "y", .dtype = {LEVIN_INT, 64, 1}, .role = LEVIN_ROLE_TARGET, .classes = 2}};

static levin_status describe(void* self, uint32_t split, uint32_t loader, levin_split* out) {
  (void)loader;
  out->rows = split == LEVIN_TRAIN ? ((MyPlugin*)self)->rows : 512;
  levin_set_fields(out, fields, 2);
  return LEVIN_OK;
}

/* The same number for the same seed, so that a row is the same whenever it is asked for. */
static float uniform(uint64_t seed) {
  seed += UINT64_C(0x9e3779b97f4a7c15);
  seed = (seed ^ (seed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  seed = (seed ^ (seed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (float)((seed ^ (seed >> 31)) >> 40) / 16777216.0f;
}

/* Writes the rows that are asked for into the host's buffers, one for each field. */
static levin_status fill(void* self, const levin_fill* in, const levin_view* out) {
  float* x = out[0].data;
  int64_t* y = out[1].data;
  (void)self;
  for (int64_t i = 0; i < in->n; ++i, x += 2) {
    const uint64_t seed = ((uint64_t)in->split << 40 | (uint64_t)in->indices[i]) * 2;
    x[0] = uniform(seed);
    x[1] = uniform(seed + 1);
    y[i] = x[1] > x[0];
  }
  return LEVIN_OK;
}
static const levin_data table = {.o = {.size = sizeof table, .destroy = free}, .describe = describe, .fill = fill};

static levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** out) {
  MyPlugin* made = calloc(1, sizeof *made);
  if (!made) return levin_out_of_memory(host);
  made->rows = in->args->values[0].v.i; /* in the order of the options */
  *self = made;
  *out = &table.o;
  return LEVIN_OK;
}

static const levin_component component = {
    LEVIN_COMPONENT(LEVIN_KIND_DATA, "my_plugin", "1.0.0", "Points of two classes"), LEVIN_OPTIONS(options),
    .flags = LEVIN_F_CONCURRENT, .create = create};
LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0", &component)
