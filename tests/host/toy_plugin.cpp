// One component of each kind that a command line can name. No component can be created.
#include "levin/detail/object.hpp"
#include "levin/detail/plugin.hpp"
#include "levin/options.hpp"

namespace {

levin_status create(const levin_host* host, const levin_create*, void**, const levin_object**) {
  return host->fail(host, LEVIN_E_UNSUPPORTED, "a toy");
}

const char* const depths[] = {"18", "34", nullptr};
const levin_option net_options[] = {
    {"depth", LEVIN_T_CHOICE, 0, "\"18\"", "how deep", 1, 0, depths, nullptr, nullptr},
    {"lr", LEVIN_T_FLOAT, LEVIN_OPT_TUNABLE, "0.1", "learning rate", 0, 10, nullptr, nullptr, nullptr},
    {"token", LEVIN_T_STRING, LEVIN_OPT_SECRET, "\"\"", "password", 1, 0, nullptr, nullptr, nullptr},
};
const levin_option rows_options[] = {
    {"rows", LEVIN_T_INT, LEVIN_OPT_REQUIRED, nullptr, "how many", 1, 1e9, nullptr, nullptr, nullptr},
    {"lr", LEVIN_T_FLOAT, 0, "1.0", "label rate", 1, 0, nullptr, nullptr, nullptr},
};
const levin_option halt_options[] = {
    {"monitor", LEVIN_T_STRING, 0, "\"val_loss\"", "metric", 1, 0, nullptr, nullptr, nullptr},
    {"patience", LEVIN_T_INT, 0, "3", "how long", 0, 1e15, nullptr, nullptr, nullptr},
};
const levin_option save_options[] = {{"monitor", LEVIN_T_STRING, 0, "\"\"", "metric", 1, 0, nullptr, nullptr, nullptr}};
const levin_flag save_claims[] = {{"enable_saving", nullptr, "save now and then"}};

template <size_t N>
levin_component component(uint32_t kind, const char* id, const levin_option (&options)[N]) {
  levin_component c{};
  c.size = sizeof c;
  c.kind = kind;
  c.id = id;
  c.summary = "A toy";
  c.options = options;
  c.n_options = N;
  c.option_size = sizeof(levin_option);
  c.create = create;
  return c;
}

levin_component net() {
  levin_component c = component(LEVIN_KIND_MODEL, "toy_net", net_options);
  c.defaults = "{\"trainer.max_epochs\": 12}";
  c.hooks[0] = LEVIN_BIT(LEVIN_HOOK_FIT_START);
  c.flags = LEVIN_F_OPTIMIZER_IDX;
  return c;
}

levin_component save() {
  levin_component c = component(LEVIN_KIND_CALLBACK, "toy_save", save_options);
  c.claims = save_claims;
  c.n_claims = 1;
  c.claim_size = sizeof(levin_flag);
  return c;
}

}  // namespace

LEVIN_PLUGIN("org.toy", "1.2.3", "MIT", net(), component(LEVIN_KIND_DATA, "toy_rows", rows_options),
             component(LEVIN_KIND_CALLBACK, "toy_halt", halt_options), save(),
             component(LEVIN_KIND_LOGGER, "toy_log", save_options),
             component(LEVIN_KIND_OPTIMIZER, "toy_sgd", save_options))
