// The Trainer's flags: defaults, resolved values, rejections, and the environment.
#include "conformance/harness/built_trainer.hpp"
#include "conformance/registry.hpp"
#include "core/cluster/cluster_environment.hpp"
#include "core/cluster/device_ids.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/claims.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

json defaults(const json& expected) {
  json out = json::object();
  const core::Claims claims = core::find_claims({}, plugins());
  for (const auto& [flag, value] : expected.items()) {
    const core::TrainerOption* option = core::find_trainer_option(flag);
    if (option != nullptr) out[flag] = option->schema.deflt;
    if (option == nullptr && claims.count(flag)) out[flag] = core::claimed_option(claims.at(flag)).deflt;
    if (flag == "callbacks") out[flag] = nullptr;  // set with --callback
  }
  return out;
}

json resolved(const json& flags) {
  BuiltTrainer trainer(flags);
  core::Assembly& a = trainer.parts();
  json out = a.settings.config.trainer;
  const auto ids = core::device_ids(a.settings.plan.machine.accelerator, a.settings.plan.machine.devices, {});
  const core::EnvironmentVariables variables;
  const core::ClusterEnvironment& cluster = core::detected_environment(variables);
  out["precision"] = core::name_of(a.settings.plan.numerics.precision);
  if (a.settings.plan.validation.num_sanity_val_steps < 0) out["num_sanity_val_steps"] = "Infinity";
  out["num_devices"] = ids.size();
  out["device_ids"] = ids;
  out["world_size"] = a.processes.world().size;
  out["global_rank"] = a.processes.world().rank;
  out["local_rank"] = cluster.local_rank(variables);
  out["node_rank"] = cluster.node_rank(variables);
  out["strategy"] = a.device.strategy->name();
  out["accelerator"] = a.device.strategy->device().is_cpu() ? "cpu" : "cuda";
  out["current_epoch"] = a.progress.current_epoch();
  out["global_step"] = a.progress.global_step();
  out["should_stop"] = a.progress.stop.asked();
  out["callbacks"] = trainer.callbacks();
  out["loggers"] = trainer.loggers();
  return out;
}

json only(const json& seen, const json& keys) {
  json out = json::object();
  for (const auto& [key, value] : keys.items())
    if (seen.contains(key)) out[key] = seen.at(key);
  return out;
}

// Returns a reason if the flags are rejected only because the case requests several devices in one process; the host
// uses one process per device.
std::string put_off(const core::Error& refusal, const json& expected) {
  const std::string text = refusal.what();
  if (expected.value("error", false) || text.find("the program runs as one process") == std::string::npos) return "";
  return "several devices: " + text;
}

Outcome run_args(const Case& c) {
  Outcome out;
  const json profiler = c.inputs.at("Trainer").value("profiler", json());
  if (profiler == "pytorch" || profiler == "xla") {
    out.not_applicable = "profilers of Python's torch.profiler and of XLA";
    return out;
  }
  if (c.inputs.at("question") == "defaults") {
    out.seen["defaults"] = defaults(c.expected.at("defaults"));
    return out;
  }
  try {
    out.seen["resolved"] = only(resolved(c.inputs.at("Trainer")), c.expected.at("resolved"));
  } catch (const core::Error& e) {
    out.error = e.what();
    out.not_applicable = put_off(e, c.expected);
  }
  return out;
}
const SuiteEntry trainer_args("trainer_args", &run_args);

Outcome run_bad_args(const Case& c) {
  Outcome out;
  const json& flags = c.inputs.at("Trainer");
  if (c.expected.contains("must_name")) out.expected = with_component_ids(c.expected);
  try {
    BuiltTrainer trainer(flags);
  } catch (const core::Error& e) {
    out.error = e.what();
    out.not_applicable = put_off(e, c.expected);
  }
  if (c.id == "trainer/bad/strategy_dp")
    out.decided = "replicas in one process, which Lightning 2 has given up, are there (docs/adr/0048)";
  return out;
}
const SuiteEntry trainer_bad_args("trainer_bad_args", &run_bad_args);

Outcome run_callback_args(const Case& c) {
  Outcome out;
  out.expected = with_component_ids(c.expected);
  json callback = c.inputs.at("options");
  callback["name"] = c.inputs.at("callback");
  try {
    const json flags = {{"callbacks", json::array({callback})}};
    BuiltTrainer trainer(flags);
  } catch (const core::Error& e) {
    out.error = e.what();
  }
  return out;
}
const SuiteEntry callback_args("callback_args", &run_callback_args);

json from_environment(const Case& c) {
  const auto environment = c.inputs.at("env").get<std::map<std::string, std::string>>();
  BuiltTrainer trainer(json::object(), environment), with_three(json{{"max_epochs", 3}}, environment);
  const core::Assembly& a = trainer.parts();
  json out = only(a.settings.config.trainer, c.expected);
  out["precision"] = core::name_of(a.settings.plan.numerics.precision);
  out["loggers"] = trainer.loggers();
  out["device_ids"] = core::device_ids(a.settings.plan.machine.accelerator, a.settings.plan.machine.devices, {});
  out["max_epochs_when_3_is_given"] = with_three.parts().settings.config.trainer.at("max_epochs");
  return out;
}

Outcome run_env(const Case& c) {
  Outcome out;
  try {
    out.seen = from_environment(c);
  } catch (const core::Error& e) {
    out.error = e.what();
    out.not_applicable = put_off(e, c.expected);
  }
  return out;
}
const SuiteEntry trainer_env("trainer_env", &run_env);

Outcome run_precision_rule(const Case& c) {
  Outcome out;
  out.seen["precision"] = core::check_trainer_option(*core::find_trainer_option("precision"), c.inputs.at("precision"),
                                                     "trainer.precision");
  return out;
}
const SuiteEntry precision_rule("precision_rule", &run_precision_rule);

}  // namespace
}  // namespace conformance
