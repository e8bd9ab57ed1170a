// The services of the fake host. They read and change a World.
#pragma once
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "levin/testing/world.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

// Returns true if the text matches the glob, where '*' and '?' mean the same as in a shell.
inline bool matches(const char* glob, const char* text) {
  if (*glob == '\0') return *text == '\0';
  if (*glob == '*') return matches(glob + 1, text) || (*text && matches(glob, text + 1));
  return *text && (*glob == '?' || *glob == *text) && matches(glob + 1, text + 1);
}

inline levin_status number(levin_run* run, const char* name, double* out) {
  const auto& all = World::of(run).numbers;
  const auto found = all.find(name);
  if (found == all.end()) return LEVIN_E_NOT_FOUND;
  *out = found->second;
  return LEVIN_OK;
}
inline levin_status metric(levin_run* run, uint32_t set, const char* name, double* out) {
  for (const auto& metric : World::of(run).metrics[set])
    if (metric.first == name) return *out = metric.second, LEVIN_OK;
  return LEVIN_E_NOT_FOUND;
}
inline levin_status log(levin_run* run, const levin_log* log) {
  double value = log->number;
  if (log->tensor) value = World::of(run).elements(log->tensor).at(0);
  if (log->metric) log->metric->compute(log->metric_self, &value);
  World::of(run).logged.emplace_back(log->name, value);
  World::of(run).set_metric(log->name, value);
  if (log->prog_bar) World::of(run).set_metric(log->name, value, LEVIN_METRIC_PROGRESS);
  return LEVIN_OK;
}
inline levin_status log_now(levin_run* run, int64_t step, const char* const* names, const double* values, uint32_t n) {
  LoggedNow now{step, {}};
  for (uint32_t i = 0; i < n; ++i) now.values[names[i]] = values[i];
  World::of(run).logged_now.push_back(now);
  return LEVIN_OK;
}

inline const levin_trainer& trainer() {
  static const levin_trainer table = [] {
    levin_trainer t{};
    t.size = sizeof t;
    t.log = &log;
    t.metric = &metric;
    t.metrics = [](levin_run* run, uint32_t set, void (*each)(void*, const char*, double), void* ctx) -> levin_status {
      for (const auto& [name, value] : World::of(run).metrics[set]) each(ctx, name.c_str(), value);
      return LEVIN_OK;
    };
    t.number = &number;
    t.text = [](levin_run* run, const char* name, const char** out) -> levin_status {
      const auto& all = World::of(run).texts;
      const auto found = all.find(name);
      if (found == all.end()) return LEVIN_E_NOT_FOUND;
      *out = found->second.c_str();
      return LEVIN_OK;
    };
    t.stop = [](levin_run* run, const char* reason) -> levin_status {
      World::of(run).stopped.push_back(reason ? reason : "");
      World::of(run).numbers["should_stop"] = 1;
      return LEVIN_OK;
    };
    t.skip_epoch = [](levin_run* run) -> levin_status { return ++World::of(run).skipped_epochs, LEVIN_OK; };
    t.log_now = &log_now;
    t.media = [](levin_run* run, const levin_media* media) -> levin_status {
      World::of(run).media.push_back(std::string(media->kind) + "/" + media->tag);
      return LEVIN_OK;
    };
    t.artifact = [](levin_run* run, const levin_artifact* artifact) -> levin_status {
      World::of(run).artifacts.push_back(artifact->name && *artifact->name ? artifact->name : artifact->path);
      return LEVIN_OK;
    };
    t.hparams = [](levin_run* run, const char* json) -> levin_status {
      World::of(run).hparams.push_back(json);
      return LEVIN_OK;
    };
    t.print = [](levin_run* run, const char* text) -> levin_status {
      World::of(run).printed.push_back(text);
      return LEVIN_OK;
    };
    t.set_number = [](levin_run* run, const char* name, double value) -> levin_status {
      World::of(run).numbers[name] = value;
      return LEVIN_OK;
    };
    t.set_option = [](levin_run* run, const char* name, const char* json) -> levin_status {
      World::of(run).options_set[name] = json;
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
}

inline void drop_checkpoint(World& world, const std::string& path) {
  auto& all = world.checkpoints;
  all.erase(std::remove(all.begin(), all.end(), path), all.end());
}
inline levin_status save_checkpoint(levin_run* run, const levin_saved* what, uint32_t flags) {
  World& world = World::of(run);
  const std::string path = what->path;
  const auto count = [&world](const char* name) { return static_cast<int64_t>(world.numbers[name]); };
  world.saved_as.push_back(levin::detail::saved_of(*what));
  world.saved_as.back().epoch = count("current_epoch");
  world.saved_as.back().global_step = count("global_step");
  world.saved.push_back({path, (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0, count("global_step"), flags});
  drop_checkpoint(world, path);
  world.checkpoints.push_back(path);
  if (!world.writes_files) return LEVIN_OK;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  std::filesystem::remove(path, error);
  return std::ofstream(path) ? LEVIN_OK : LEVIN_E_IO;
}

// The checkpoints that this host saved, by the paths that it was given.
inline levin_status list_checkpoints(levin_run* run, void (*each)(void*, const levin_saved*), void* ctx) {
  const World& world = World::of(run);
  for (const std::string& path : world.checkpoints) {
    levin::Saved found{path};
    for (const char* which : {"last", "best"}) {  // the score is the one of the best
      const auto announced = world.announced.find(which);
      if (announced == world.announced.end() || announced->second.path != path) continue;
      const bool last = found.last;
      found = announced->second;
      found.last = last || which == std::string("last");
      found.best = which == std::string("best");
    }
    const levin_saved raw = levin::detail::as_c(found);
    each(ctx, &raw);
  }
  return LEVIN_OK;
}

inline const levin_checkpoint& checkpoint() {
  static const levin_checkpoint table = [] {
    levin_checkpoint t{};
    t.size = sizeof t;
    t.save = &save_checkpoint;
    t.remove = [](levin_run* run, const char* path) -> levin_status {
      World::of(run).removed.push_back(path);
      drop_checkpoint(World::of(run), path);
      std::error_code error;
      if (World::of(run).writes_files) std::filesystem::remove(path, error);
      return LEVIN_OK;
    };
    t.wait = [](levin_run* run) -> levin_status {
      World::of(run).calls.emplace_back("wait");
      return LEVIN_OK;
    };
    t.load_weights = [](levin_run* run, const char* path) -> levin_status {
      World::of(run).calls.push_back(std::string("load_weights ") + path);
      return LEVIN_OK;
    };
    t.announce = [](levin_run* run, const levin_saved* what) -> levin_status {
      if (what->flags & LEVIN_SAVED_BEST) World::of(run).announced["best"] = levin::detail::saved_of(*what);
      if (what->flags & LEVIN_SAVED_LAST) World::of(run).announced["last"] = levin::detail::saved_of(*what);
      return LEVIN_OK;
    };
    t.list = &list_checkpoints;
    t.saves_in = [](levin_run* run, const char* folder) -> levin_status {
      World::of(run).save_folders.push_back(folder);
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
}

inline levin_status call(levin_run* run, const char* what, uint32_t index) {
  World::of(run).calls.push_back(std::string(what) + " " + std::to_string(index));
  return LEVIN_OK;
}

inline const levin_trial& trial() {
  static const levin_trial table = [] {
    levin_trial t{};
    t.size = sizeof t;
    t.begin = [](levin_run* run) { return call(run, "trial", 0); };
    t.step = [](levin_run* run, int64_t n, double* loss) -> levin_status {
      World& world = World::of(run);
      return world.trial_step ? world.trial_step(n, loss) : (*loss = 0, LEVIN_OK);
    };
    t.set_batch_size = [](levin_run* run, int64_t rows) -> levin_status {
      World::of(run).numbers["batch_size"] = static_cast<double>(rows);
      return LEVIN_OK;
    };
    t.end = [](levin_run* run) { return call(run, "end of trial", 0); };
    return t;
  }();
  return table;
}

// "levin.devices/1" with one device, the CPU.
inline const levin_devices& devices() {
  static const levin_devices table = [] {
    levin_devices t{};
    t.size = sizeof t;
    t.current = [](levin_run*, levin_device* out) -> levin_status { return *out = {LEVIN_CPU, 0}, LEVIN_OK; };
    t.synchronize = [](levin_run* run) -> levin_status {
      World::of(run).calls.push_back("synchronize");
      return LEVIN_OK;
    };
    t.memory = [](levin_run* run, uint64_t* used, uint64_t* total) -> levin_status {
      const DeviceMemory& memory = World::of(run).memory;
      *used = memory.used, *total = memory.total;
      return memory.total ? LEVIN_OK : LEVIN_E_UNSUPPORTED;
    };
    t.all = [](levin_run*, levin_device* out, uint32_t cap, uint32_t* n) -> levin_status {
      if (cap > 0) out[0] = {LEVIN_CPU, 0};
      return *n = 1, LEVIN_OK;
    };
    t.to = [](const levin_host* host, levin_tensor* tensor, levin_device, levin_tensor** out) -> levin_status {
      host->tensor_retain(host, tensor);
      return *out = tensor, LEVIN_OK;
    };
    return t;
  }();
  return table;
}

inline const levin_module_tree& module_tree() {
  static const levin_module_tree table = {
      sizeof(levin_module_tree), 0,
      [](levin_run* run, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) -> levin_status {
        for (const Module& m : World::of(run).modules) each(ctx, m.name.c_str(), m.type.c_str(), m.depth, m.training);
        return LEVIN_OK;
      },
      [](levin_run* run, void (*each)(void*, const char*, const char*, const char*), void* ctx) -> levin_status {
        for (const Module& m : World::of(run).modules)
          if (!m.in.empty()) each(ctx, m.name.c_str(), m.in.c_str(), m.out.c_str());
        return LEVIN_OK;
      },
      [](levin_run* run, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap,
         uint32_t* n_out) -> levin_status {
        const auto& forward = World::of(run).forward;
        if (!forward) return LEVIN_E_UNSUPPORTED;
        const std::vector<levin_tensor*> outputs = forward({in, in + n});
        if (outputs.size() > cap) return LEVIN_E_INVALID;
        std::copy(outputs.begin(), outputs.end(), out);
        *n_out = static_cast<uint32_t>(outputs.size());
        return LEVIN_OK;
      }};
  return table;
}

// A levin_network is an entry of World::networks. The data that a network was trained on is unknown.
inline const levin_networks& networks() {
  using Entry = decltype(World::networks)::value_type;
  static const levin_networks table = {
      sizeof(levin_networks),
      0,
      [](levin_run* run, const char* file, levin_network** out) -> levin_status {
        World& world = World::of(run);
        const auto found = world.networks.find(file);
        if (found == world.networks.end())
          return world.reason = std::string(file) + ": no such file", LEVIN_E_NOT_FOUND;
        world.calls.push_back("open " + found->first);
        return *out = reinterpret_cast<levin_network*>(&*found), LEVIN_OK;
      },
      [](const levin_network*) -> const levin_data_info* { return nullptr; },
      [](levin_run*, levin_network* network, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap,
         uint32_t* n_out) -> levin_status {
        const std::vector<levin_tensor*> outputs = reinterpret_cast<Entry*>(network)->second({in, in + n});
        if (outputs.size() > cap) return LEVIN_E_INVALID;
        std::copy(outputs.begin(), outputs.end(), out);
        *n_out = static_cast<uint32_t>(outputs.size());
        return LEVIN_OK;
      },
      [](levin_network*) {}};
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
