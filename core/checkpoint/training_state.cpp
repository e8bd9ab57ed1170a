#include "core/checkpoint/training_state.hpp"

#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <set>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/flag_scope.hpp"
#include "core/base/json_rules.hpp"
#include "core/base/text.hpp"
#include "core/base/version_order.hpp"
#include "core/checkpoint/second_name.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

// What is wrong with a file is said with its name and with the key that the body reads, whatever part of the run finds
// it.
template <class F>
void read(const CheckpointReader& file, const std::string& key, F&& body) {
  try {
    body();
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::checkpoint,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief_json_error(e.what()));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::checkpoint || starts_with(e.what(), file.path())) throw;
    throw Error(ErrorKind::checkpoint, file.path() + ": " + key + ": " + e.what());
  } catch (const std::exception& e) {  // of LibTorch, or of numbers as text
    throw Error(ErrorKind::checkpoint,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief(e));
  }
}

struct StateWriter {
  std::string id, version;  // of the component
  std::string plugin;       // its id; "": not known
  std::string full_name() const { return plugin.empty() ? id : plugin + ":" + id; }
};

// Who wrote a component's state; nullopt: the checkpoint has none.
std::optional<StateWriter> writer_of(const CheckpointReader& file, const std::string& prefix) {
  const nlohmann::json known = file.manifest().value("components", nlohmann::json::object());
  if (!known.contains(prefix)) return std::nullopt;
  const nlohmann::json& writer = known[prefix];
  return StateWriter{writer.value("component", ""), writer.value("version", ""), writer.value("plugin", "")};
}

// Where the run is, without its clock.
nlohmann::json counters_of(const RunProgress& progress) {
  nlohmann::json all = progress.state_dict();
  all.erase("train_seconds");
  return all;
}

// What a component refuses is wrong with the file.
void load_state(const CheckpointReader& file, const std::string& prefix, Component& component,
                const std::string& version) {
  const StateBag bag = file.bag(prefix);
  try {
    component.load(bag.reader(version.c_str()));
  } catch (const Error& e) {
    throw Error(ErrorKind::checkpoint, file.path() + ": the state of " + prefix + " cannot be loaded: " + e.what());
  }
}

}  // namespace

void TrainingState::save_component(CheckpointWriter& out, const std::string& prefix, Component& component) {
  if (!component.has_state()) return;
  StateBag bag;
  component.save(bag.writer());
  put_component(out, prefix, component, bag);
}

void TrainingState::put_component(CheckpointWriter& out, const std::string& prefix, const Component& component,
                                  const StateBag& state) {
  out.put(prefix, state);
  out.manifest()["components"][prefix] = {{"component", component.schema().id},
                                          {"plugin", component.schema().plugin},
                                          {"version", component.schema().version}};
}

void TrainingState::save_components(CheckpointWriter& out) {
  for (const auto& callback : parts_.hooks.callbacks())
    save_component(out, "callbacks." + callback->instance(), *callback);
  save_loggers(out);
}

void TrainingState::save_loggers(CheckpointWriter& out) {
  for (const auto& logger : parts_.loggers.all()) {
    const std::string& name = logger->logger().instance();
    const StateBag state = logger->state(), calls = logger->waiting_calls();
    if (!state.empty()) put_component(out, "loggers." + name, logger->logger(), state);
    if (!calls.empty()) out.put("logger_calls." + name, calls);
  }
}

void TrainingState::load_loggers(const CheckpointReader& file) {
  for (const auto& logger : parts_.loggers.all()) {
    const std::string& name = logger->logger().instance();
    read(file, "loggers." + name, [&] {
      logger->load(file.bag("loggers." + name), file.bag("logger_calls." + name),
                   [&](Component& component) { load_component(file, "loggers." + name, component); });
    });
  }
}

void TrainingState::tell_loggers(const SavedFile& file) {
  const std::string absolute = std::filesystem::absolute(file.path).lexically_normal().string();
  levin_saved saved{};
  saved.size = sizeof saved;
  saved.flags = file.facts.flags;
  saved.path = absolute.c_str();
  saved.monitor = file.facts.monitor.empty() ? nullptr : file.facts.monitor.c_str();
  saved.score = file.facts.score;
  saved.epoch = file.epoch;
  saved.global_step = file.global_step;
  parts_.loggers.after_save(saved);
}

// What on_save_checkpoint put as "state_dict.NAME" stands for the model's own tensor.
void TrainingState::put_weights(CheckpointWriter& out, StateBag& extra) const {
  for (const auto* tensors : {&parts_.model.parameters(), &parts_.model.buffers()}) {
    for (const NamedTensor& t : *tensors) {
      const auto instead = extra.tensors().find("state_dict." + t.name);
      out.put("state_dict." + t.name, instead == extra.tensors().end() ? t.tensor : instead->second);
      if (instead != extra.tensors().end()) extra.tensors().erase(instead);
    }
  }
}

void TrainingState::save_gradients(CheckpointWriter& out) {
  if (!parts_.progress.window_open) return;
  for (const NamedTensor& t : parts_.model.parameters())
    if (t.tensor.grad().defined()) out.put("gradients." + t.name, t.tensor.grad());
}

void TrainingState::load_gradients(const CheckpointReader& file) {
  for (const NamedTensor& t : parts_.model.parameters()) {
    if (!file.contains("gradients." + t.name)) continue;
    at::Tensor parameter = t.tensor;
    const at::Tensor gradient = file.tensor("gradients." + t.name);
    if (gradient.sizes() != parameter.sizes())
      throw Error(ErrorKind::checkpoint, file.path() + ": 'gradients." + t.name + "' has the shape " +
                                             c10::str(gradient.sizes()) + ", and the parameter has " +
                                             c10::str(parameter.sizes()));
    parameter.mutable_grad() = gradient.to(parameter.options());
  }
}

// Such a file would become the best or the last one, and a run that goes on from it learns nothing.
void TrainingState::refuse_non_finite(const std::string& path) const {
  const std::string name = first_non_finite(parts_.model.parameters());
  if (!name.empty())
    throw Error(ErrorKind::non_finite, path + " is not saved: the parameter '" + name +
                                           "' is NaN or infinite; go on from an earlier checkpoint with a lower "
                                           "learning rate, or save all the same with --trainer.non_finite ignore");
}

// A save within a hook of a save would call that hook again, without an end.
void TrainingState::save(const std::string& path, uint32_t flags, const SavedFacts& facts) {
  if (saving_)
    throw Error(ErrorKind::usage,
                "save_checkpoint cannot be called while a checkpoint is saved, as in on_save_checkpoint and "
                "on_checkpoint_durable; save in another hook, such as on_train_epoch_end");
  if (parts_.only_finite) refuse_non_finite(path);
  const FlagScope saving(saving_);
  if (!parts_.writes) return;
  const bool async = (flags & LEVIN_SAVE_ASYNC) != 0;
  const SavedFile what{path, facts, parts_.progress.current_epoch(), parts_.progress.global_step()};
  if (!async || !is_last_save(flags)) files_.wait();
  if (!is_last_save(flags)) {
    write(what, flags);
  } else if (async) {
    files_.add([from = last_save_.path, path] { name_also(from, path); }, what);
  } else {
    name_also(last_save_.path, path);
    files_.done(what);
  }
  if (!async) tell_saved();
}

// Whether the last save has the state that is to be saved, as the caller says. A file that could not be written has
// not.
bool TrainingState::is_last_save(uint32_t flags) const {
  return (flags & LEVIN_SAVE_SAME) != 0 && !last_save_.path.empty() && !files_.failed() &&
         last_save_.weights_only == ((flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0) &&
         last_save_.counters == counters_of(parts_.progress);
}

void TrainingState::write(const SavedFile& what, uint32_t flags) {
  const bool weights_only = (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0;
  const auto out = std::make_shared<CheckpointWriter>();
  collect(*out, what.path, weights_only);
  const auto job = [out, path = what.path, before = parts_.before_commit] {
    before();
    out->write(path);
  };
  if ((flags & LEVIN_SAVE_ASYNC) != 0 && copied(*out)) {
    files_.add(job, what);
  } else {
    job();
    files_.done(what);
  }
  last_save_ = {what.path, weights_only, counters_of(parts_.progress)};
}

// Without memory for a copy the file is written at once.
bool TrainingState::copied(CheckpointWriter& out) try {
  out.copy_into(memory_);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void TrainingState::tell_saved() {
  while (const auto file = files_.next_saved()) {
    tell_loggers(*file);
    parts_.hooks.fire(LEVIN_HOOK_CHECKPOINT_DURABLE, parts_.progress,
                      [&](levin_event& e) { e.text = file->path.c_str(); });
  }
}

void TrainingState::deliver() {
  {
    const FlagScope saving(saving_);
    tell_saved();
  }
  files_.throw_failure();
}

void TrainingState::finish() {
  files_.wait();
  memory_.release();
  deliver();
}

void TrainingState::wait() {
  files_.wait();
  files_.check();
}

void TrainingState::collect(CheckpointWriter& out, const std::string& path, bool weights_only) {
  parts_.loggers.flush();  // what was logged so far: a run that goes on from here does not log it again
  nlohmann::json& m = out.manifest();
  m = parts_.provenance();
  m["run"] = lineage_.run;
  m["saves"] = ++lineage_.saves;
  m["weights_only"] = weights_only;
  m["epoch"] = parts_.progress.current_epoch();
  m["global_step"] = parts_.progress.global_step();
  m["loops"] = loops_state();
  if (!weights_only) {
    m["components"] = nlohmann::json::object();
    save_components(out);
    save_gradients(out);
    save_train_outputs(out);
    size_t place = 0;
    for (const StateBag& metric : parts_.log.train().metric_states())
      out.put("epoch_metrics." + std::to_string(place++), metric);
    save_optimizers(out);
    m["lr_schedulers"] = parts_.optimizers.schedules_state();
    m["precision"] = parts_.precision.state_dict();
    save_generators(out);
  }
  save_component(out, "model", parts_.model);
  if (parts_.data) save_component(out, "data", *parts_.data);
  StateBag extra;
  const levin_writer writer = extra.writer();
  parts_.hooks.fire(LEVIN_HOOK_SAVE_CHECKPOINT, parts_.progress,
                    [&](levin_event& e) { e.writer = &writer, e.text = path.c_str(); });
  put_weights(out, extra);
  out.put("extra", extra);
}

// The manifest has the names, which may be anything; the tensors go by their place.
void TrainingState::save_train_outputs(CheckpointWriter& out) const {
  if (!parts_.train_outputs || parts_.train_outputs->empty()) return;
  nlohmann::json names = nlohmann::json::array();
  for (const auto& step : *parts_.train_outputs) {
    const std::string prefix = "train_outputs." + std::to_string(names.size()) + ".";
    nlohmann::json of_step = nlohmann::json::array();
    for (const NamedTensor& t : step) {
      out.put(prefix + std::to_string(of_step.size()), t.tensor);
      of_step.push_back(t.name);
    }
    names.push_back(std::move(of_step));
  }
  out.manifest()["train_outputs"] = std::move(names);
}

void TrainingState::load_train_outputs(const CheckpointReader& file) {
  if (!parts_.train_outputs) return;
  parts_.train_outputs->clear();
  if (!parts_.progress.within_epoch) return;
  for (const nlohmann::json& of_step : file.manifest().value("train_outputs", nlohmann::json::array())) {
    const std::string prefix = "train_outputs." + std::to_string(parts_.train_outputs->size()) + ".";
    std::vector<NamedTensor> step;
    for (const nlohmann::json& name : of_step)
      step.push_back({name.get<std::string>(), file.tensor(prefix + std::to_string(step.size())).to(parts_.device)});
    parts_.train_outputs->push_back(std::move(step));
  }
}

void TrainingState::save_generators(CheckpointWriter& out) const {
  const GeneratorStates* before = parts_.generators_before_validation;
  const GeneratorStates states = before && !before->empty() ? *before : generator_states(parts_.device);
  for (const auto& [name, state] : states) out.put("generators." + name, state);
}

void TrainingState::save_optimizers(CheckpointWriter& out) {
  nlohmann::json& states = out.manifest()["optimizer_states"] = nlohmann::json::array();
  const auto& optimizers = parts_.optimizers.optimizers();
  for (size_t i = 0; i < optimizers.size(); ++i) {
    OptimizerState state = optimizers[i]->state_dict();
    for (const auto& [key, tensor] : state.tensors)
      out.put("optimizer_states." + std::to_string(i) + "." + key, tensor);
    states.push_back({{"name", optimizers[i]->id()}, {"values", state.values}});
  }
}

nlohmann::json TrainingState::loops_state() {
  nlohmann::json loops = parts_.progress.state_dict();
  loops["callback_metrics"] = parts_.log.state_dict();
  loops["epoch_metrics"] = parts_.log.train().state_dict();
  loops["rows_repeated"] = parts_.loggers.repeated();
  return loops;
}

void TrainingState::load_loops_state(const nlohmann::json& loops, std::vector<StateBag> metric_states) {
  parts_.progress.load_state_dict(loops);
  parts_.log.load_state_dict(loops.at("callback_metrics"));
  parts_.loggers.leave_out(loops.value("rows_repeated", uint64_t{0}));
  const bool at_end = parts_.progress.resumed_at_epoch_end;
  if (!at_end && !RunProgress::made_within_epoch(loops)) return;
  parts_.log.train().load_state_dict(loops.value("epoch_metrics", nlohmann::json::array()), std::move(metric_states));
  if (at_end) parts_.log.train().reach_end();
}

// Whether the component loads its state from the checkpoint. Warns where that is of a newer version, or of another
// component. Throws Error{checkpoint} if it is too old, unless plugins may have changed.
bool TrainingState::takes_state(const CheckpointReader& file, const std::string& prefix,
                                const Component& component) const {
  const auto writer = writer_of(file, prefix);
  if (!writer) return false;
  const ComponentSchema& schema = component.schema();
  const std::string state = file.path() + ": the state of " + prefix;
  if (!schema.answers_to(writer->full_name())) {
    parts_.warn(state + " is that of '" + writer->full_name() + "', not of '" + schema.full_name() +
                "': it is left out");
    return false;
  }
  if (writer->version.empty() || schema.version.empty()) return true;
  const std::string is = state + " is of " + schema.id + " " + writer->version;
  if (compare_versions(writer->version, schema.version) > 0)
    parts_.warn(is + ", which is newer than the plugin's " + schema.version);
  if (schema.state_since.empty() || compare_versions(writer->version, schema.state_since) >= 0) return true;
  const std::string old = is + ", and " + schema.version + " takes that of " + schema.state_since + " and newer";
  if (!parts_.allow_plugin_changes)
    throw Error(ErrorKind::checkpoint, old + "; --allow_plugin_changes goes on without this state");
  parts_.warn(old + ": it is left out");
  return false;
}

void TrainingState::load_component(const CheckpointReader& file, const std::string& prefix, Component& component) {
  if (takes_state(file, prefix, component)) load_state(file, prefix, component, writer_of(file, prefix)->version);
}

void load_before_setup(const CheckpointReader& file, DataModule& data) {
  read(file, "the state of the data module", [&] {
    const auto writer = writer_of(file, "data");
    const ComponentSchema& schema = data.schema();
    if (!writer || !schema.answers_to(writer->full_name())) return;
    if (!schema.state_since.empty() && !writer->version.empty() &&
        compare_versions(writer->version, schema.state_since) < 0)
      return;
    load_state(file, "data", data, writer->version);
  });
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
  load(parts_.model.parameters());
  load(parts_.model.buffers());
  if (!missing.empty())
    throw Error(ErrorKind::checkpoint,
                file.path() + ": the model's " + join_some(missing, 5) + " are not in the checkpoint");
  if (!given.empty())
    throw Error(ErrorKind::checkpoint, file.path() + ": the model has no " +
                                           join_some({given.begin(), given.end()}, 5) + ", which the checkpoint holds");
}

void TrainingState::load_model(const CheckpointReader& file, bool callbacks) {
  read(file, "the state of the model", [&] {
    const StateBag extra = file.bag("extra");
    const levin_reader reader = extra.reader("");
    load_weights(file);
    load_component(file, "model", parts_.model);
    if (parts_.data) load_component(file, "data", *parts_.data);
    const nlohmann::json& m = file.manifest();
    parts_.hooks.load_checkpoint(parts_.progress, reader, file.path(), m.value("epoch", int64_t{0}),
                                 m.value("global_step", int64_t{0}));
    if (!callbacks) return;
    for (const auto& callback : parts_.hooks.callbacks())
      load_component(file, "callbacks." + callback->instance(), *callback);
  });
}

void TrainingState::load_position(const CheckpointReader& file) {
  read(file, "loops", [&] {
    if (file.weights_only())
      throw Error(ErrorKind::checkpoint, file.path() +
                                             " holds weights only, so a fit cannot go on from it; "
                                             "validate, test and predict can use it");
    const nlohmann::json& m = file.manifest();
    for (const char* part : {"optimizer_states", "lr_schedulers", "loops"})
      if (!m.contains(part))
        throw Error(ErrorKind::checkpoint,
                    file.path() + ": the checkpoint has no " + part +
                        ", so a fit cannot go on from it; validate, test and predict can use it");
    std::vector<StateBag> metrics(m.at("loops").value("epoch_metrics", nlohmann::json::array()).size());
    for (size_t i = 0; i < metrics.size(); ++i) metrics[i] = file.bag("epoch_metrics." + std::to_string(i));
    load_loops_state(m.at("loops"), std::move(metrics));
  });
}

void TrainingState::load_optimizers(const CheckpointReader& file) {
  const nlohmann::json states = file.manifest().value("optimizer_states", nlohmann::json::array());
  auto& optimizers = parts_.optimizers.optimizers();
  if (states.size() != optimizers.size())
    throw Error(ErrorKind::checkpoint, file.path() + " holds the state of " + std::to_string(states.size()) +
                                           " optimizers, and the run has " + std::to_string(optimizers.size()));
  for (size_t i = 0; i < optimizers.size(); ++i) {
    const std::string prefix = "optimizer_states." + std::to_string(i);
    read(file, prefix, [&] {
      if (states[i].value("name", "") != optimizers[i]->id())
        throw Error(ErrorKind::checkpoint, "optimizer " + std::to_string(i) + " was '" + states[i].value("name", "") +
                                               "', and the run's is '" + optimizers[i]->id() + "'");
      OptimizerState state;
      for (const std::string& key : file.keys(prefix)) state.tensors.emplace_back(key, file.tensor(prefix + "." + key));
      state.values = states[i].at("values");
      optimizers[i]->load_state_dict(state);
    });
  }
}

void TrainingState::load_learned(const CheckpointReader& file) {
  read(file, "the state of the model", [&] {
    load_weights(file);
    load_component(file, "model", parts_.model);
  });
  load_optimizers(file);
}

void TrainingState::load_training(const CheckpointReader& file) {
  const nlohmann::json& m = file.manifest();
  load_position(file);
  read(file, "the outputs of training steps", [&] { load_train_outputs(file); });
  load_optimizers(file);
  read(file, "lr_schedulers",
       [&] { parts_.optimizers.load_schedules_state(m.value("lr_schedulers", nlohmann::json::array())); });
  read(file, "precision", [&] { parts_.precision.load_state_dict(m.value("precision", nlohmann::json::object())); });
  read(file, "generators", [&] {
    std::map<std::string, at::Tensor> generators = {{"cpu", file.tensor("generators.cpu")}};
    if (file.contains("generators.cuda")) generators["cuda"] = file.tensor("generators.cuda");
    set_generator_states(parts_.device, generators);
  });
  if (lineage_of(file.manifest()).run == lineage_.run)
    last_save_ = {file.path(), /*weights_only=*/false, counters_of(parts_.progress)};
}

}  // namespace levin::core
