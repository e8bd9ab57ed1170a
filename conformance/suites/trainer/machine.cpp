// Devices, cluster environments, and data types inside a step.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/abi/torch_compat.hpp"
#include "core/base/error.hpp"
#include "core/cluster/cluster_environment.hpp"
#include "core/cluster/device_ids.hpp"
#include "core/config/trainer/plan_values.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

core::Accelerator accelerator_of(const json& name) {
  if (name.is_null()) return core::Accelerator::automatic;
  return core::value_named<core::Accelerator>(name.get<std::string>()).value();
}

Outcome run_devices(const Case& c) {
  const auto available = c.inputs.at("available").get<std::vector<int>>();
  const json accelerator = c.inputs.value("accelerator", json());
  const json& devices = c.inputs.at("devices");
  const std::vector<int> ids =
      c.inputs.at("question") == "gpu_ids"
          ? core::gpu_ids(core::device_choice(devices), available)
          : core::device_ids(accelerator_of(accelerator), core::device_choice(devices), available);
  Outcome out;
  out.seen["ids"] = ids.empty() ? json() : json(ids);
  const bool automatic = c.inputs.at("question") == "device_ids" && (devices.is_null() || devices == "auto");
  if (automatic && available.size() > 1 && ids == std::vector<int>{available[0]})
    out.decided = "one device trains, so auto is the first card and not all of them (docs/adr/0015)";
  return out;
}
const SuiteEntry devices("devices", &run_devices);

const core::ClusterEnvironment& environment(const std::string& name) {
  for (const auto& e : core::cluster_environments())
    if (name == e.name) return e;
  throw core::Error(core::ErrorCode::call_invalid, "there is no environment " + name);
}

// Returns the answer. An expected error counts as the answer if its message has the required names.
template <class Question>
json answer(const json& expected, const Question& question) {
  try {
    return question();
  } catch (const core::Error& e) {
    const bool wanted = expected.is_object() && expected.value("error", false);
    Case asked;
    asked.expected = expected;
    Outcome failed;
    failed.error = e.what();
    return wanted && judge(asked, failed).verdict == Verdict::pass ? expected : json(e.what());
  }
}

Outcome run_cluster(const Case& c) {
  Outcome out;
  if (c.inputs.at("question") == "order") {
    out.seen["order"] = {"explicit"};
    for (const auto& e : core::cluster_environments())
      if (!e.by_hand) out.seen["order"].push_back(e.name);
    return out;
  }
  const core::ClusterEnvironment& e = environment(c.inputs.at("environment"));
  const auto env = c.inputs.at("env").get<core::EnvironmentVariables>();
  const auto ask = [&](const char* key, const auto& question) {
    out.seen[key] = answer(c.expected.value(key, json()), [&] { return json(question(env)); });
  };
  ask("init", [&](const auto& v) { return e.check(v), json(); });
  ask("detect", e.detect);
  ask("main_address", e.main_address);
  ask("main_port", [&](const auto& v) {
    const int64_t port = e.main_port(v);
    return port == 0 ? json{{"any_free_port", true}} : json(port);
  });
  ask("world_size", [&](const auto& v) {
    const auto size = e.world_size(v);
    return size ? json(*size) : json();
  });
  ask("global_rank", e.global_rank);
  ask("local_rank", e.local_rank);
  ask("node_rank", e.node_rank);
  ask("creates_processes_externally", e.processes_are_made_elsewhere);
  return out;
}
const SuiteEntry cluster_env("cluster_env", &run_cluster);

Outcome run_precision(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.script["types"] = true;
  const Observed seen = run(request);
  json types = json::object();
  for (const json& line : seen.records)
    if (line.contains("types")) types.update(line.at("types"));
  const std::string product = types.value("product", ""), param = types.value("param", "");
  const bool autocast = product != "float32";
  const auto usual = core::autocast_dtype(at::kCPU) == at::kBFloat16 ? "bfloat16" : "another";
  types.erase("product");
  types["autocast"] = autocast;
  types["autocast_dtype"] = autocast ? product : usual;
  return outcome_of(seen, types);
}
const SuiteEntry precision("precision", &run_precision);

}  // namespace
}  // namespace conformance
