/* levin/plugin.h -- what every plugin in C repeats, beside levin/abi.h. C99. Plugins in C++ include levin/levin.hpp. */
#ifndef LEVIN_PLUGIN_H
#define LEVIN_PLUGIN_H
#include "levin/abi.h"

/* The first members of a levin_component, by name:
 *   {LEVIN_COMPONENT(LEVIN_KIND_DATA, "moons", "1.0.0", "Two half-moons"), LEVIN_OPTIONS(options), .create = create} */
#define LEVIN_COMPONENT(KIND, ID, VERSION, SUMMARY) \
  .size = sizeof(levin_component), .kind = KIND, .id = ID, .version = VERSION, .summary = SUMMARY
#define LEVIN_OPTIONS(ARRAY) \
  .options = ARRAY, .n_options = sizeof(ARRAY) / sizeof(levin_option), .option_size = sizeof(levin_option)

/* The note in the file, the description and the entry of a portable plugin. Once per library, without a semicolon:
 *   LEVIN_PLUGIN("com.example.moons", "1.0.0", "Apache-2.0", &component) */
#define LEVIN_PLUGIN(ID, VERSION, LICENSE, ...)                                                         \
  LEVIN_NOTE(LEVIN_NOTE_ABI "id=" ID "\0version=" VERSION "\0torch=none\0");                            \
  static const levin_component* const levin_components_[] = {__VA_ARGS__};                              \
  static const levin_plugin levin_plugin_ = {.size = sizeof(levin_plugin),                              \
                                             .abi_major = LEVIN_ABI_MAJOR,                              \
                                             .abi_minor = LEVIN_ABI_MINOR,                              \
                                             .id = ID,                                                  \
                                             .version = VERSION,                                        \
                                             .license = LICENSE,                                        \
                                             .url = "",                                                 \
                                             .components = levin_components_,                           \
                                             .n_components = sizeof levin_components_ / sizeof(void*)}; \
  const levin_plugin* levin_plugin_v0(const levin_host* host) {                                         \
    (void)host;                                                                                         \
    return &levin_plugin_;                                                                              \
  }

static inline levin_status levin_out_of_memory(const levin_host* host) {
  return host->fail(host, LEVIN_E_MEMORY, "out of memory");
}
/* Does nothing for NULL. */
static inline void levin_release(const levin_host* host, levin_tensor* tensor) {
  if (tensor) host->tensor_release(host, tensor);
}
/* For describe of a data module; the fields must live as long as the instance. */
static inline void levin_set_fields(levin_split* out, const levin_field* fields, uint32_t n) {
  out->fields = fields;
  out->n_fields = n;
  out->field_size = sizeof *fields;
}

/* Arguments of levin_ops.call. */
static inline levin_value levin_of_tensor(levin_tensor* tensor) {
  levin_value value = {LEVIN_T_TENSOR, 0, {0}};
  value.v.t = tensor;
  return value;
}
static inline levin_value levin_of_int(int64_t number) {
  levin_value value = {LEVIN_T_INT, 0, {0}};
  value.v.i = number;
  return value;
}
static inline levin_value levin_of_float(double number) {
  levin_value value = {LEVIN_T_FLOAT, 0, {0}};
  value.v.f = number;
  return value;
}
#endif
