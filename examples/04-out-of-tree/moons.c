/* Two interleaved half-moons: a data module in plain C. A row is a pure function of (split, index). */
/* clang-format off */
#include <levin/plugin.h>
#include <math.h>
#include <stdlib.h>

typedef struct { int64_t rows; double noise; } moons;
static const levin_option options[] = {{"rows", LEVIN_T_INT, 0, "4096", "training rows", 1, 1e9, NULL, NULL, NULL},
  {"noise", LEVIN_T_FLOAT, LEVIN_OPT_TUNABLE, "0.1", "half-width of the noise", 0, 10, NULL, NULL, NULL}};
static const levin_field fields[] = {{"x", {LEVIN_FLOAT, 32, 1}, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, NULL},
  {"y", {LEVIN_INT, 64, 1}, 0, {0}, LEVIN_ROLE_TARGET, 0, 2, NULL}};

static levin_status describe(void* self, uint32_t split, uint32_t loader, levin_split* out) {
  (void)loader;
  out->rows = split == LEVIN_TRAIN ? ((moons*)self)->rows : 512;
  levin_set_fields(out, fields, 2);
  return LEVIN_OK;
}
static double uniform(uint64_t k) { /* splitmix64, to -1..1 */
  k += UINT64_C(0x9e3779b97f4a7c15); k = (k ^ (k >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  k = (k ^ (k >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((k ^ (k >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}
static levin_status fill(void* self, const levin_fill* in, const levin_view* out) {
  float* x = out[0].data; int64_t* y = out[1].data; double noise = ((moons*)self)->noise;
  for (int64_t i = 0; i < in->n; ++i, x += 2) {
    uint64_t k = ((uint64_t)in->split << 40 | (uint64_t)in->indices[i]) * 4;
    double t = 3.14159265358979 * fabs(uniform(k));
    y[i] = in->indices[i] & 1;
    x[0] = (float)((y[i] ? 1 - cos(t) : cos(t)) + noise * uniform(k + 1));
    x[1] = (float)((y[i] ? 0.5 - sin(t) : sin(t)) + noise * uniform(k + 2));
  }
  return LEVIN_OK;
}
static const levin_data table = {.o = {.size = sizeof table, .destroy = free}, .describe = describe, .fill = fill};
static levin_status create(const levin_host* h, const levin_create* in, void** self, const levin_object** t) {
  moons* m = malloc(sizeof *m); if (!m) return levin_out_of_memory(h);
  m->rows = in->args->values[0].v.i; m->noise = in->args->values[1].v.f; *self = m; *t = &table.o; return LEVIN_OK;
}
static const levin_component part = {LEVIN_COMPONENT(LEVIN_KIND_DATA, "moons", "1.0.0", "Two half-moons"), LEVIN_OPTIONS(options),
  .flags = LEVIN_F_CONCURRENT | LEVIN_F_ISOLATABLE, .create = create};
LEVIN_PLUGIN("com.example.moons", "1.0.0", "Apache-2.0", &part)
