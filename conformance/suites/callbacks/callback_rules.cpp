// Rules inside callbacks and loggers: updates of averages, throughput, spikes, flushing, GPU memory.
#include "callbacks/gpu_memory_monitor/memory_rule.hpp"
#include "callbacks/spike_detection/spike_rule.hpp"
#include "callbacks/throughput_monitor/throughput.hpp"
#include "callbacks/weight_averaging/update_rule.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/harness/plugin_calls.hpp"
#include "conformance/registry.hpp"
#include "loggers/csv/flush_rule.hpp"

namespace conformance {
namespace {

template <class T>
std::optional<T> optional_of(const json& object, const char* key) {
  if (!object.contains(key) || object[key].is_null()) return std::nullopt;
  return object[key].get<T>();
}

Outcome run_ema_rule(const Case& c) {
  const json& o = c.inputs.at("options");
  levin::weight_averaging::UpdateRule rule;
  rule.every_n_steps = o.value("update_every_n_steps", rule.every_n_steps);
  rule.starting_at_step = optional_of<int64_t>(o, "update_starting_at_step");
  rule.starting_at_epoch = optional_of<int64_t>(o, "update_starting_at_epoch");
  Outcome out;
  out.seen["should_update"] = json::array();
  for (const int64_t at : c.inputs.at("asked_at"))
    out.seen["should_update"].push_back(c.inputs.at("counted") == "step" ? rule.after_step(at) : rule.after_epoch(at));
  return out;
}

json rates_after(levin::throughput_monitor::Throughput& throughput, const json& update) {
  levin::throughput_monitor::Totals totals;
  totals.time = update.at("time");
  totals.batches = update.at("batches");
  totals.samples = update.at("samples");
  totals.lengths = optional_of<int64_t>(update, "lengths");
  totals.flops_per_batch = optional_of<double>(update, "flops");
  try {
    throughput.update(totals);
  } catch (const levin::Error&) {
    return {{"error", true}, {"must_name", json::array()}};
  }
  json rates = json::object();
  for (const auto& [name, value] : throughput.compute()) rates[name] = number_to(value);
  return rates;
}

Outcome run_throughput(const Case& c) {
  const json& o = c.inputs.at("options");
  levin::throughput_monitor::ThroughputOptions options;
  options.window_size = o.value("window_size", options.window_size);
  options.world_size = o.value("world_size", options.world_size);
  options.available_flops = optional_of<double>(o, "available_flops");
  return ask([&]() -> json {
    levin::throughput_monitor::Throughput throughput(options);
    json seen = json::array();
    for (const json& update : c.inputs.at("updates")) seen.push_back(rates_after(throughput, update));
    return {{"compute_after_each_update", seen}};
  });
}

Outcome run_spikes(const Case& c) {
  const json& o = c.inputs.at("options");
  levin::spike_detection::SpikeOptions options;
  options.maximize = o.value("mode", "min") == "max";
  options.warmup = o.value("warmup", options.warmup);
  options.finite_only = o.value("finite_only", options.finite_only);
  options.atol = optional_of<double>(o, "atol");
  if (o.contains("rtol")) options.rtol = optional_of<double>(o, "rtol");
  levin::spike_detection::SpikeRule rule(options);
  Outcome out;
  out.seen = {{"raised_at_batch", nullptr}, {"bad_batches", json::array()}};
  const json& losses = c.inputs.at("loss_sequence");
  for (size_t i = 0; i < losses.size() && out.seen["raised_at_batch"].is_null(); ++i) {
    if (!rule.add(static_cast<int64_t>(i), number_from(losses[i]))) continue;
    out.seen = {{"raised_at_batch", i}, {"bad_batches", rule.bad_batches(static_cast<int64_t>(i))}};
  }
  return out;
}

Outcome run_flush(const Case& c) {
  Outcome out;
  out.seen["flush_after_global_step"] = json::array();
  for (int64_t step = 0; step < c.inputs.at("steps"); ++step)
    if (levin::csv::flush_due(step, c.inputs.at("flush_logs_every_n_steps")))
      out.seen["flush_after_global_step"].push_back(step);
  return out;
}

Outcome run_gpu_memory(const Case& c) {
  const auto metrics = levin::gpu_memory_monitor::memory_metrics(c.inputs.at("nvidia_smi_used_mb"),
                                                                 c.inputs.at("log_gpu_memory") == "min_max");
  Outcome out;
  out.seen["logged"] = json::object();
  for (const auto& [name, value] : metrics) out.seen["logged"][name] = value;
  return out;
}

const SuiteEntry ema("ema_update_rule", &run_ema_rule);
const SuiteEntry throughput("throughput", &run_throughput);
const SuiteEntry spikes("spike_detection", &run_spikes);
const SuiteEntry flush("flush_logs", &run_flush);
const SuiteEntry gpu_memory("log_gpu_memory", &run_gpu_memory);

}  // namespace
}  // namespace conformance
