#include "core/services/run_state.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/components/tensor_handle.hpp"

namespace levin::core {
namespace {

MetricSet set_of(uint32_t set) {
  switch (set) {
    case LEVIN_METRIC_LOGGED:
      return MetricSet::logged;
    case LEVIN_METRIC_PROGRESS:
      return MetricSet::progress;
    case LEVIN_METRIC_RESULTS:
      return MetricSet::results;
    default:
      return MetricSet::callback;
  }
}

}  // namespace

void RunState::attach(TrainingState* state, RunFolder* folder, EvaluationLoop* validation, RunTexts texts) {
  state_ = state;
  folder_ = folder;
  validation_ = validation;
  texts_ = std::move(texts);
  run_dir_ = folder ? folder->path().string() : "";
  run_id_ = folder ? folder->id() : "";
}

void RunState::log(const levin_log& arguments) {
  if (plan_.barebones) return;
  MetricStore& store = now().log.active();
  if (!plan_.move_metrics_to_cpu || !arguments.tensor) return store.log(c_.hooks.origin(), arguments);
  const at::Tensor moved = retain(arguments.tensor).cpu();
  levin_log log = arguments;
  log.tensor = borrow(moved);
  store.log(c_.hooks.origin(), log);
}

bool RunState::metric(uint32_t set, const std::string& name, double& out) {
  return now().log.metric(set_of(set), name, out);
}

void RunState::metrics(uint32_t set, const MetricSink& each) {
  const auto items = now().log.metrics(set_of(set)).items();  // a copy: `each` may log
  for (const auto& [name, value] : items) each(name.c_str(), value);
}

void RunState::log_now(int64_t step, const char* const* names, const double* values, uint32_t n) {
  if (!in_trial_step()) loggers_.metrics(step, names, values, n);
  for (uint32_t i = 0; i < n; ++i) now().log.publish(names[i], values[i]);
}

void RunState::media(const levin_media& media) {
  if (!in_trial_step()) loggers_.media(media);
}

void RunState::visit(const levin_visitor& v) {
  for (const NamedTensor& t : c_.model.parameters()) v.tensor(&v, t.name.c_str(), borrow(t.tensor), LEVIN_PARAMETER);
  for (const NamedTensor& t : c_.model.buffers()) v.tensor(&v, t.name.c_str(), borrow(t.tensor), LEVIN_BUFFER);
}

bool RunState::requires_grad(const std::string& glob, bool on) {
  bool any = false;
  for (const NamedTensor& t : c_.model.parameters()) {
    if (!glob_match(glob, t.name)) continue;
    at::Tensor parameter = t.tensor;
    parameter.set_requires_grad(on);
    any = true;
  }
  return any;
}

bool RunState::get_requires_grad(const std::string& name, bool& on) {
  for (const NamedTensor& t : c_.model.parameters()) {
    if (t.name != name) continue;
    on = t.tensor.requires_grad();
    return true;
  }
  return false;
}

bool RunState::module_tree(void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) {
  const levin_modules* modules = c_.model.modules();
  if (!modules) return false;
  c_.model.invoke("levin.modules/1", [&] { return modules->visit(c_.model.self(), each, ctx); });
  return true;
}

// A model whose forward draws random numbers trains on the same ones whether it is asked or not.
bool RunState::module_sizes(void (*each)(void*, const char*, const char*, const char*), void* ctx) {
  const levin_modules* modules = c_.model.modules();
  if (!modules || !LEVIN_HAS(levin_modules, modules, sizes)) return false;
  const at::Device device = c_.strategy.device();
  const auto generators = generator_states(device);
  bool known = true;
  try {
    c_.model.invoke("example_input", [&] { return modules->sizes(c_.model.self(), this, each, ctx); });
  } catch (const Error& e) {
    console_.warn(std::string("the sizes of the model's modules are not known: ") + e.what());
    known = false;
  }
  set_generator_states(device, generators);
  return known;
}

bool RunState::assign(const std::string& name, levin_tensor* value) {
  const at::NoGradGuard no_grad;
  for (const auto* tensors : {&c_.model.parameters(), &c_.model.buffers()}) {
    for (const NamedTensor& t : *tensors) {
      if (t.name != name) continue;
      t.tensor.detach().copy_(retain(value));
      return true;
    }
  }
  return false;
}

Trial& RunState::trial() {
  if (!trial_) throw Error(ErrorKind::usage, "no trial has begun");
  return *trial_;
}

// Loaders that a loop reads from must not go.
void RunState::refuse_within_epoch(const char* what) const {
  if (c_.progress.epoch_start == std::chrono::steady_clock::time_point{}) return;
  throw Error(ErrorKind::usage,
              std::string(what) + " works in on_fit_start, on_train_start or between epochs, not while an epoch runs");
}

void RunState::trial_begin() {
  if (trial_) throw Error(ErrorKind::usage, "a trial runs already");
  refuse_within_epoch("a trial");
  trial_ = std::make_unique<Trial>(c_, snapshots_);
}

void RunState::trial_end() {
  trial().end();
  trial_.reset();
}

void RunState::set_batch_size(int64_t rows) {
  if (trial_) return trial_->set_batch_size(rows);
  refuse_within_epoch("set_batch_size");
  c_.loaders.set_batch_size(rows);
}

std::string RunState::in_run_folder(const std::string& path) const {
  if (path.empty()) throw Error(ErrorKind::usage, "a checkpoint needs a path");
  if (path[0] == '/' || !folder_) return path;
  return (folder_->path() / path).string();
}

void RunState::save_checkpoint(const std::string& path, bool weights_only) {
  if (!state_) throw Error(ErrorKind::usage, "checkpoints are saved during a fit");
  state_->save(in_run_folder(path), weights_only);
}

void RunState::remove_checkpoint(const std::string& path) {
  const std::string full = in_run_folder(path);
  std::error_code ignored;
  if (!resumed_from_.empty() && std::filesystem::equivalent(full, resumed_from_, ignored)) return;
  std::filesystem::remove(full, ignored);
}

void RunState::load_weights(const std::string& path) {
  if (!state_) throw Error(ErrorKind::usage, "weights are loaded during a run");
  state_->load_weights(CheckpointReader(in_run_folder(path)));
}

void RunState::announce_checkpoint(const std::string& which, const std::string& path, double score) {
  if (which != "best" && which != "last")
    throw Error(ErrorKind::usage, "a checkpoint is announced as best or last, not as '" + which + "'");
  if (folder_ && !path.empty()) folder_->announce(which, in_run_folder(path), score);
}

void RunState::list_checkpoints(const CheckpointSink& each) {
  if (!folder_) return;
  for (const RunCheckpoint& c : folder_->list()) {
    const uint32_t names = (c.best ? LEVIN_CHECKPOINT_BEST : 0u) | (c.last ? LEVIN_CHECKPOINT_LAST : 0u);
    each(c.path.c_str(), names, c.score);
  }
}

levin_device RunState::device() { return device_of(c_.strategy.device()); }

}  // namespace levin::core
