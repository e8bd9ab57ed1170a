#include "host/engine/check/fake/fake_run.hpp"

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/file.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "host/engine/check/common/common_rules.hpp"

namespace levin::core {
namespace {

FakeRun& fake(levin_run* run) { return *static_cast<FakeRun*>(run); }

levin_status number_of(const std::string& name, double* out) {
  static const std::map<std::string, double> numbers = {{"current_epoch", 0},        {"global_step", 0},
                                                        {"max_epochs", 1},           {"max_steps", -1},
                                                        {"num_training_batches", 8}, {"estimated_stepping_batches", 8}};
  const auto found = numbers.find(name);
  if (found == numbers.end()) return no_such("number", name.c_str());
  *out = found->second;
  return LEVIN_OK;
}

levin_trainer make_fake_trainer() {
  levin_trainer t{};
  t.size = sizeof t;
  t.log = [](levin_run* run, const levin_log* l) {
    return serve([&] { fake(run).logged[l->name] = l->tensor ? retain(l->tensor).item().toDouble() : l->number; });
  };
  t.metric = [](levin_run* run, uint32_t, const char* name, double* out) {
    return serve([&] {
      const auto found = fake(run).logged.find(name);
      if (found == fake(run).logged.end()) return LEVIN_E_NOT_FOUND;
      *out = found->second;
      return LEVIN_OK;
    });
  };
  t.metrics = [](levin_run* run, uint32_t, void (*each)(void*, const char*, double), void* ctx) {
    return serve([&] {
      for (const auto& [name, value] : fake(run).logged) each(ctx, name.c_str(), value);
    });
  };
  t.number = [](levin_run*, const char* name, double* out) { return serve([&] { return number_of(name, out); }); };
  t.text = [](levin_run*, const char* name, const char** out) -> levin_status {
    *out = std::string(name) == "stage" ? "fit" : "";
    return LEVIN_OK;
  };
  t.stop = [](levin_run*, const char*) -> levin_status { return LEVIN_OK; };
  t.skip_epoch = [](levin_run*) -> levin_status { return LEVIN_OK; };
  t.log_now = [](levin_run*, int64_t, const char* const*, const double*, uint32_t) -> levin_status { return LEVIN_OK; };
  t.media = [](levin_run*, const levin_media*) -> levin_status { return LEVIN_OK; };
  t.artifact = [](levin_run*, const levin_artifact*) -> levin_status { return LEVIN_OK; };
  t.hparams = [](levin_run*, const char*) -> levin_status { return LEVIN_OK; };
  t.print = [](levin_run*, const char*) -> levin_status { return LEVIN_OK; };
  t.set_number = [](levin_run*, const char* name, double) { return serve([&] { return no_such("number", name); }); };
  t.set_option = [](levin_run*, const char*, const char*) -> levin_status { return LEVIN_OK; };
  return t;
}

// The parameters can only be visited, not changed.
levin_params make_fake_params() {
  levin_params t = *params_service();
  t.visit = [](levin_run* run, const levin_visitor* v) {
    return serve([&] {
      for (const NamedTensor& p : fake(run).model.parameters())
        v->tensor(v, p.name.c_str(), borrow(p.tensor), LEVIN_PARAMETER);
    });
  };
  return t;
}

// The fake run has no optimizers.
levin_optim make_fake_optim() {
  levin_optim t = *optim_service();
  t.count = [](levin_run*, uint32_t* optimizers, uint32_t* schedulers) -> levin_status {
    *optimizers = *schedulers = 0;
    return LEVIN_OK;
  };
  return t;
}

// The fake run has no checkpoints.
levin_checkpoint make_fake_checkpoint() {
  levin_checkpoint t = *checkpoint_service();
  t.list = [](levin_run*, void (*)(void*, const levin_saved*), void*) -> levin_status { return LEVIN_OK; };
  t.saves_in = [](levin_run*, const char*) -> levin_status { return LEVIN_OK; };
  return t;
}

}  // namespace

ComponentConfig fake_part(PluginSet& plugins, uint32_t kind, const std::string& id, nlohmann::json options) {
  ComponentConfig part{id, (exe_path().parent_path() / "libcheck_parts.so").string(), id, {}};
  part.options = default_options(plugins.schema(part, kind));
  part.options.update(options);
  return part;
}

std::unique_ptr<Model> fake_model(PluginSet& plugins) {
  const Created made =
      plugins.create(fake_part(plugins, LEVIN_KIND_MODEL, "any_batch"), LEVIN_KIND_MODEL, LEVIN_STAGE_FIT);
  return make_component<Model>(made);
}

const ServiceTable& fake_services() {
  static const levin_trainer trainer = make_fake_trainer();
  static const levin_params params = make_fake_params();
  static const levin_optim optim = make_fake_optim();
  static const levin_checkpoint checkpoint = make_fake_checkpoint();
  static const ServiceTable table = [] {
    ServiceTable all = services();
    all["levin.trainer/1"] = &trainer;
    all["levin.params/1"] = &params;
    all["levin.optim/1"] = &optim;
    all["levin.checkpoint/1"] = &checkpoint;
    return all;
  }();
  return table;
}

}  // namespace levin::core
