// Components with the names used in the table of docs/errors.md. No component can be created.
#include "levin/detail/object.hpp"
#include "levin/detail/plugin.hpp"
#include "levin/options.hpp"

namespace {

levin_status refuse(const levin_host* host, const levin_create*, void**, const levin_object**) {
  return host->fail(host, LEVIN_E_UNSUPPORTED, "only a name");
}

const levin_option monitor_options[] = {
    {"monitor", LEVIN_T_STRING, 0, "\"\"", "metric", 1, 0, nullptr, nullptr, nullptr},
    {"patience", LEVIN_T_INT, 0, "3", "how long", 1, 0, nullptr, nullptr, nullptr},
    {"strict", LEVIN_T_BOOL, 0, "true", "whether it has to be there", 1, 0, nullptr, nullptr, nullptr},
    {"save_last", LEVIN_T_STRING, 0, "\"\"", "of a checkpoint", 1, 0, nullptr, nullptr, nullptr},
};

const char* const optimizers[] = {"sgd", "rmsprop", nullptr};
const levin_option model_options[] = {
    {"optimizer", LEVIN_T_STRING, LEVIN_OPT_OPTIMIZER, "\"sgd\"", "what trains", 1, 0, optimizers, nullptr, nullptr}};

levin_component component(uint32_t kind, const char* id) {
  levin_component c{};
  c.size = sizeof c;
  c.kind = kind;
  c.id = id;
  c.summary = "A name";
  c.option_size = sizeof(levin_option);
  c.create = refuse;
  return c;
}

[[maybe_unused]] levin_component monitor(const char* id, uint32_t more_options = 0) {
  levin_component c = component(LEVIN_KIND_CALLBACK, id);
  c.options = monitor_options;
  c.n_options = 3 + more_options;
  return c;
}

[[maybe_unused]] levin_component model(const char* id) {
  levin_component c = component(LEVIN_KIND_MODEL, id);
  c.options = model_options;
  c.n_options = 1;
  return c;
}

}  // namespace

#if defined(DOCUMENTED_STOPPING)
LEVIN_PLUGIN("levin.early_stopping", "1.0.0", "MIT", monitor("early_stopping"))
#elif defined(DOCUMENTED_CHECKPOINT)
LEVIN_PLUGIN("levin.model_checkpoint", "1.0.0", "MIT", monitor("model_checkpoint", 1))
#elif defined(DOCUMENTED_FOREIGN)
LEVIN_PLUGIN("org.example", "1.0.0", "MIT", monitor("early_stopping"))
#else
LEVIN_PLUGIN("org.documented", "1.0.0", "MIT", model("resnet"), component(LEVIN_KIND_DATA, "mnist"),
             component(LEVIN_KIND_CALLBACK, "timer"))
#endif
