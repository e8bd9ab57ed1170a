#include "core/trainer/rendezvous.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "core/progress/stop_request.hpp"
#include "core/trainer/cluster/cluster_job.hpp"

namespace levin::core {
namespace {

constexpr double longest_timeout = 3e8;  // in seconds (ten years): does not overflow clocks in nanoseconds

RendezvousOptions rendezvous_options(const RunPlan& plan, Signals& signals) {
  RendezvousOptions options;
  options.init_method = plan.processes.init_method;
  options.interface = plan.processes.interface;
  options.timeout = std::chrono::milliseconds(
      static_cast<int64_t>(std::min(plan.processes.process_group_timeout, longest_timeout) * 1000));
  options.rendezvous_timeout = std::min(options.timeout, options.rendezvous_timeout);
  options.asked_to_stop = [&signals] {
    signals.meets();
    return interruption.load();
  };
  return options;
}

void agree_on_settings(RunSettings& settings, Processes& processes, Console& console) {
  go_on_after_restart(settings, processes, console);
  settings.seed = std::stoull(processes.of_first(std::to_string(settings.seed)));
  check_settings(settings, processes);
}

std::unique_ptr<Processes> meet(const World& world, RunSettings& settings, Signals& signals, Console& console) {
  const RunPlan& plan = settings.plan;
  RendezvousOptions options = rendezvous_options(plan, signals);
  options.duplicate_warnings = std::make_shared<DuplicateWarnings>(
      world.is_first(), [&console](const std::string& line) { console.show_held(line); });
  auto processes =
      std::make_unique<Processes>(world, options, [&console](const std::string& line) { console.warn_at_once(line); });
  // The monitor does not call the function passed here, so no other thread warns yet.
  console.note_warnings(!world.is_first(), [duplicate_warnings = options.duplicate_warnings](const std::string& line) {
    duplicate_warnings->note(line);
  });
  try {
    agree_on_settings(settings, *processes, console);
  } catch (const Error& e) {
    processes->failed(e);
    throw;
  }
  // The two kinds of reduction sum in different orders. A choice by measured times would not be the same in every run.
  const bool measured = plan.processes.shared_memory == SharedMemoryUse::automatic && !plan.numerics.deterministic;
  if (world.nodes == 1 && plan.processes.shared_memory != SharedMemoryUse::off)
    processes->reductions = processes->group().use_shared_memory(*processes->store(), "all", !measured);
  return processes;
}

// Returns the first leaf that differs: "trainer.max_epochs is 3, and 2 in rank 0".
std::string first_difference(const std::string& first, const std::string& other) {
  const nlohmann::json a = nlohmann::json::parse(first).flatten(), b = nlohmann::json::parse(other).flatten();
  const auto text = [](const nlohmann::json& all, const std::string& key) {
    return all.contains(key) ? all.at(key).dump() : std::string("missing");
  };
  const auto name = [](std::string pointer) {
    for (char& c : pointer)
      if (c == '/') c = '.';
    return pointer.substr(1);
  };
  for (const nlohmann::json* side : {&a, &b})
    for (const auto& [key, value] : side->items())
      if (text(a, key) != text(b, key))
        return name(key) + " is " + text(b, key) + ", and " + text(a, key) + " in rank 0";
  return "";
}

}  // namespace

std::unique_ptr<Processes> meet_processes(RunSettings& settings, Signals& signals, Console& console) {
  const EnvironmentVariables variables = environment_variables();
  const World world = world_of(variables);
  if (!world.several()) {
    auto alone = std::make_unique<Processes>();
    go_on_after_restart(settings, *alone, console);
    return alone;
  }
  ::setenv(parent_rank_variable, rank_said_by(variables).c_str(), 1);
  if (!world.is_first())
    console.be_one_of_several(::getenv("LEVIN_LAUNCHER_FD") ? "" : "rank " + std::to_string(world.rank));
  try {
    return meet(world, settings, signals, console);
  } catch (const RendezvousStopped& stopped) {
    throw Interrupt{stopped.signal};
  }
}

void check_settings(const RunSettings& settings, Processes& processes) {
  if (!processes.world().several()) return;
  nlohmann::json all = settings.saved_config();
  all["version of host"] = host_version;
  all["version of LibTorch"] = LEVIN_TORCH_VERSION;
  processes.check_same("options", all.dump(), &first_difference);
}

void check_same_plugins(const RunConfig& config, const nlohmann::json& provenance, Processes& processes) {
  std::set<std::string> used = {config.model.file};
  if (config.data) used.insert(config.data->file);
  for (const ComponentConfig& c : config.callbacks) used.insert(c.file);
  nlohmann::json files = nlohmann::json::object();
  for (const nlohmann::json& plugin : provenance)
    if (used.count(plugin.at("file")) > 0)
      files[plugin.at("id")] = {{"version", plugin.at("version")}, {"sha256", plugin.at("sha256")}};
  processes.check_same("plugins", files.dump(), &first_difference);
}

}  // namespace levin::core
