#include "core/config/run_plan.hpp"

#include <limits>

#include "levin/duration.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// 1.0 is everything; a float above it is a count that no integer holds.
bool is_fraction(const json& value) { return value.is_number_float() && value.get<double>() <= 1; }

Limit limit_of(const json& value) {
  if (value.is_null()) return {};
  return {value.get<double>(), is_fraction(value)};
}

ValCheckInterval interval_of(const json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return {0, false, parse_duration(value.get<std::string>())};
  return {value.get<double>(), is_fraction(value), {}};
}

// A number, or {"0": 1, "4": 2}: from epoch 0 one batch, from epoch 4 two.
std::map<int64_t, int64_t> accumulation_of(const json& value) {
  if (value.is_null()) return {{0, 1}};
  if (!value.is_object()) return {{0, value.get<int64_t>()}};
  std::map<int64_t, int64_t> schedule = {{0, 1}};
  for (const auto& [epoch, batches] : value.items()) schedule[std::stoll(epoch)] = batches.get<int64_t>();
  return schedule;
}

std::optional<double> norm_of(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

template <class T>
std::optional<T> optional_of(const json& trainer, const char* name) {
  const auto found = trainer.find(name);
  if (found == trainer.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

}  // namespace

RunPlan make_run_plan(const json& t, bool timed) {
  RunPlan p;
  const auto max_epochs = optional_of<int64_t>(t, "max_epochs");
  p.max_steps = optional_of<int64_t>(t, "max_steps").value_or(-1);
  p.max_epochs_by_default = !max_epochs && p.max_steps < 0 && !timed;
  p.max_epochs = max_epochs.value_or(p.max_epochs_by_default ? 1000 : -1);
  p.min_steps = optional_of<int64_t>(t, "min_steps").value_or(0);
  p.min_epochs = optional_of<int64_t>(t, "min_epochs").value_or(p.min_steps > 0 ? 1 : 0);
  p.limit_train = limit_of(t.value("limit_train_batches", json(1.0)));
  p.limit_val = limit_of(t.value("limit_val_batches", json(1.0)));
  p.limit_test = limit_of(t.value("limit_test_batches", json(1.0)));
  p.limit_predict = limit_of(t.value("limit_predict_batches", json(1.0)));
  p.overfit_batches = t.value("overfit_batches", json(0.0)).get<double>();
  const json fast = t.value("fast_dev_run", json(false));
  p.fast_dev_run = fast.is_boolean() ? (fast.get<bool>() ? 1 : 0) : fast.get<int64_t>();
  p.val_check_interval = interval_of(t.value("val_check_interval", json(1.0)));
  p.check_val_every_n_epoch = optional_of<int64_t>(t, "check_val_every_n_epoch");
  p.num_sanity_val_steps = optional_of<int64_t>(t, "num_sanity_val_steps").value_or(2);
  p.log_every_n_steps = optional_of<int64_t>(t, "log_every_n_steps").value_or(50);
  p.flush_logs_every_n_steps = optional_of<int64_t>(t, "flush_logs_every_n_steps").value_or(0);
  p.accumulate_grad_batches = accumulation_of(t.value("accumulate_grad_batches", json(1)));
  p.accumulate_exact = optional_of<bool>(t, "accumulate_exact").value_or(false);
  p.gradient_clip_val = optional_of<double>(t, "gradient_clip_val");
  if (p.gradient_clip_val == 0.0) p.gradient_clip_val.reset();  // off, as 0 was in 1.x
  p.gradient_clip_algorithm = optional_of<std::string>(t, "gradient_clip_algorithm");
  p.precision = optional_of<std::string>(t, "precision").value_or("32-true");
  p.accelerator = optional_of<std::string>(t, "accelerator").value_or("auto");
  p.profiler = optional_of<std::string>(t, "profiler").value_or("");
  p.devices = t.value("devices", json("auto"));
  const json deterministic = t.value("deterministic", json(false));
  p.deterministic_warn = deterministic.is_string();
  p.deterministic = p.deterministic_warn || (deterministic.is_boolean() && deterministic.get<bool>());
  p.benchmark = optional_of<bool>(t, "benchmark").value_or(false);
  p.detect_anomaly = optional_of<bool>(t, "detect_anomaly").value_or(false);
  p.inference_mode = optional_of<bool>(t, "inference_mode").value_or(true);
  p.truncated_bptt_steps = optional_of<int64_t>(t, "truncated_bptt_steps").value_or(0);
  p.multiple_trainloader_mode = optional_of<std::string>(t, "multiple_trainloader_mode").value_or("max_size_cycle");
  p.track_grad_norm = norm_of(t.value("track_grad_norm", json(nullptr)));
  p.move_metrics_to_cpu = optional_of<bool>(t, "move_metrics_to_cpu").value_or(false);
  p.terminate_on_nan = optional_of<bool>(t, "terminate_on_nan").value_or(false);
  p.barebones = optional_of<bool>(t, "barebones").value_or(false);
  p.reload_dataloaders_every_n_epochs = optional_of<int64_t>(t, "reload_dataloaders_every_n_epochs").value_or(0);
  p.seed = optional_of<uint64_t>(t, "seed_everything");
  p.default_root_dir = optional_of<std::string>(t, "default_root_dir").value_or(".");
  return p;
}

}  // namespace levin::core
