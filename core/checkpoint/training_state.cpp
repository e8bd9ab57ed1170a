#include "core/checkpoint/training_state.hpp"

#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/components/tensor_handle.hpp"

namespace levin::core {
namespace {

std::string few(const std::vector<std::string>& names) {
  constexpr size_t most = 5;
  if (names.size() <= most) return join(names, ", ");
  return join({names.begin(), names.begin() + most}, ", ") + " and " + std::to_string(names.size() - most) + " more";
}

// True while it lives.
class Saving {
 public:
  explicit Saving(bool& flag) : flag_(flag) { flag_ = true; }
  ~Saving() { flag_ = false; }
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;

 private:
  bool& flag_;
};

}  // namespace

void TrainingState::save_component(CheckpointWriter& out, const std::string& prefix, Component& component) {
  if (!component.has_state()) return;
  StateBag bag;
  component.save(bag.writer());
  out.put(prefix, bag);
  out.manifest()["components"][prefix] = {{"component", component.schema().id},
                                          {"version", component.schema().version}};
}

void TrainingState::save_components(CheckpointWriter& out) {
  for (const auto& callback : p_.hooks.callbacks()) save_component(out, "callbacks." + callback->instance(), *callback);
  for (const auto& logger : p_.loggers.all()) save_component(out, "loggers." + logger->instance(), *logger);
}

// What on_save_checkpoint put as "state_dict.NAME" stands for the model's own tensor.
void TrainingState::put_weights(CheckpointWriter& out, StateBag& extra) const {
  for (const auto* tensors : {&p_.model.parameters(), &p_.model.buffers()}) {
    for (const NamedTensor& t : *tensors) {
      const auto instead = extra.tensors().find("state_dict." + t.name);
      out.put("state_dict." + t.name, instead == extra.tensors().end() ? t.tensor : instead->second);
      if (instead != extra.tensors().end()) extra.tensors().erase(instead);
    }
  }
}

void TrainingState::save_gradients(CheckpointWriter& out) {
  if (!p_.window_open()) return;
  for (const NamedTensor& t : p_.model.parameters())
    if (t.tensor.grad().defined()) out.put("gradients." + t.name, t.tensor.grad());
}

void TrainingState::load_gradients(const CheckpointReader& file) {
  for (const NamedTensor& t : p_.model.parameters()) {
    if (!file.contains("gradients." + t.name)) continue;
    at::Tensor parameter = t.tensor;
    parameter.mutable_grad() = file.tensor("gradients." + t.name).to(parameter.options());
  }
}

// A hook of a save that saved again would be called by that save, and so on without an end.
void TrainingState::save(const std::string& path, bool weights_only) {
  if (saving_)
    throw Error(ErrorKind::usage,
                "save_checkpoint cannot be called while a checkpoint is saved, as in on_save_checkpoint and "
                "on_checkpoint_durable; save in another hook, such as on_train_epoch_end");
  const Saving saving(saving_);
  p_.loggers.flush();  // what was logged so far: a run that goes on from here does not log it again
  CheckpointWriter out;
  nlohmann::json& m = out.manifest();
  m = p_.provenance();
  m["weights_only"] = weights_only;
  m["epoch"] = p_.hooks.position().epoch;
  m["global_step"] = p_.hooks.position().global_step;
  m["loops"] = p_.loops();
  if (!weights_only) {
    m["components"] = nlohmann::json::object();
    m["optimizer_states"] = nlohmann::json::array();
    save_components(out);
    save_gradients(out);
    size_t place = 0;
    for (const StateBag& metric : p_.metric_states()) out.put("epoch_metrics." + std::to_string(place++), metric);
    for (size_t i = 0; i < p_.optimizers.optimizers().size(); ++i) {
      Optimizer& optimizer = *p_.optimizers.optimizers()[i];
      OptimizerState state = optimizer.state_dict();
      for (const auto& [key, tensor] : state.tensors)
        out.put("optimizer_states." + std::to_string(i) + "." + key, tensor);
      m["optimizer_states"].push_back({{"name", optimizer.id()}, {"values", state.values}});
    }
    m["lr_schedulers"] = p_.optimizers.schedules_state();
    m["precision"] = p_.precision.state_dict();
    for (const auto& [name, state] : generator_states(p_.device)) out.put("generators." + name, state);
  }
  save_component(out, "model", p_.model);
  if (p_.data) save_component(out, "data", *p_.data);
  StateBag extra;
  const levin_writer writer = extra.writer();
  p_.hooks.fire(LEVIN_HOOK_SAVE_CHECKPOINT, [&](levin_event& e) { e.writer = &writer, e.text = path.c_str(); });
  put_weights(out, extra);
  out.put("extra", extra);
  out.write(path);
  p_.loggers.after_save(path);
  p_.hooks.fire(LEVIN_HOOK_CHECKPOINT_DURABLE, [&](levin_event& e) { e.text = path.c_str(); });
}

void TrainingState::load_component(const CheckpointReader& file, const std::string& prefix, Component& component) {
  const StateBag bag = file.bag(prefix);
  const nlohmann::json known = file.manifest().value("components", nlohmann::json::object());
  if (!known.contains(prefix)) return;
  const std::string version = known[prefix].value("version", "");
  component.load(bag.reader(version.c_str()));
}

void TrainingState::load_weights(const CheckpointReader& file) {
  const at::NoGradGuard no_grad;
  std::set<std::string> given;
  for (const std::string& key : file.keys("state_dict")) given.insert(key);
  std::vector<std::string> missing;
  auto load = [&](const std::vector<NamedTensor>& tensors) {
    for (const NamedTensor& t : tensors) {
      if (!given.erase(t.name)) {
        missing.push_back(t.name);
        continue;
      }
      const at::Tensor value = file.tensor("state_dict." + t.name);
      if (value.sizes() != t.tensor.sizes())
        throw Error(ErrorKind::checkpoint, file.path() + ": '" + t.name + "' has the shape " + c10::str(value.sizes()) +
                                               ", and the model's has " + c10::str(t.tensor.sizes()) +
                                               "; make the model with the same options");
      at::Tensor target = t.tensor;
      target.copy_(value);
    }
  };
  load(p_.model.parameters());
  load(p_.model.buffers());
  if (!missing.empty())
    throw Error(ErrorKind::checkpoint, file.path() + ": the model's " + few(missing) + " are not in the checkpoint");
  if (!given.empty())
    throw Error(ErrorKind::checkpoint, file.path() + ": the model has no " + few({given.begin(), given.end()}) +
                                           ", which the checkpoint holds");
}

void TrainingState::load_model(const CheckpointReader& file, bool callbacks) {
  const StateBag extra = file.bag("extra");
  const levin_reader reader = extra.reader("");
  load_weights(file);
  load_component(file, "model", p_.model);
  if (p_.data) load_component(file, "data", *p_.data);
  const nlohmann::json& m = file.manifest();
  p_.hooks.load_checkpoint(reader, file.path(), m.value("epoch", int64_t{0}), m.value("global_step", int64_t{0}));
  if (!callbacks) return;
  for (const auto& callback : p_.hooks.callbacks())
    load_component(file, "callbacks." + callback->instance(), *callback);
}

void TrainingState::load_position(const CheckpointReader& file) {
  if (file.weights_only())
    throw Error(ErrorKind::checkpoint, file.path() +
                                           " holds weights only, so a fit cannot go on from it; "
                                           "validate, test and predict can use it");
  const nlohmann::json& m = file.manifest();
  for (const char* part : {"optimizer_states", "lr_schedulers", "loops"})
    if (!m.contains(part))
      throw Error(ErrorKind::checkpoint, file.path() + ": the checkpoint has no " + part +
                                             ", so a fit cannot go on from it; validate, test and predict can use it");
  std::vector<StateBag> metrics(m.at("loops").value("epoch_metrics", nlohmann::json::array()).size());
  for (size_t i = 0; i < metrics.size(); ++i) metrics[i] = file.bag("epoch_metrics." + std::to_string(i));
  p_.set_loops(m.at("loops"), std::move(metrics));
}

void TrainingState::load_training(const CheckpointReader& file) {
  load_position(file);
  const nlohmann::json& m = file.manifest();
  const nlohmann::json states = m.value("optimizer_states", nlohmann::json::array());
  auto& optimizers = p_.optimizers.optimizers();
  if (states.size() != optimizers.size())
    throw Error(ErrorKind::checkpoint, file.path() + " holds the state of " + std::to_string(states.size()) +
                                           " optimizers, and the run has " + std::to_string(optimizers.size()));
  for (size_t i = 0; i < optimizers.size(); ++i) {
    if (states[i].value("name", "") != optimizers[i]->id())
      throw Error(ErrorKind::checkpoint, file.path() + ": optimizer " + std::to_string(i) + " was '" +
                                             states[i].value("name", "") + "', and the run's is '" +
                                             optimizers[i]->id() + "'");
    OptimizerState state;
    const std::string prefix = "optimizer_states." + std::to_string(i);
    for (const std::string& key : file.keys(prefix)) state.tensors.emplace_back(key, file.tensor(prefix + "." + key));
    state.values = states[i].at("values");
    optimizers[i]->load_state_dict(state);
  }
  p_.optimizers.load_schedules_state(m.value("lr_schedulers", nlohmann::json::array()));
  p_.precision.load_state_dict(m.value("precision", nlohmann::json::object()));
  for (const auto& logger : p_.loggers.all()) load_component(file, "loggers." + logger->instance(), *logger);
  std::map<std::string, at::Tensor> generators = {{"cpu", file.tensor("generators.cpu")}};
  if (file.contains("generators.cuda")) generators["cuda"] = file.tensor("generators.cuda");
  set_generator_states(p_.device, generators);
}

}  // namespace levin::core
