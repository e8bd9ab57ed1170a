// The services of the fake host, over a World.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "levin/testing/world.hpp"

namespace levin::testing::detail {

// '*' and '?' as in a shell.
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
  if (log->tensor) value = element(Tensor::of(log->tensor).view, 0);
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

inline levin_status save_checkpoint(levin_run* run, const char* path, uint32_t flags) {
  World& world = World::of(run);
  world.saved.push_back(
      {path, (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0, static_cast<int64_t>(world.numbers["global_step"])});
  if (!world.writes_files) return LEVIN_OK;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  std::filesystem::remove(path, error);
  return std::ofstream(path) ? LEVIN_OK : LEVIN_E_IO;
}

inline const levin_checkpoint& checkpoint() {
  static const levin_checkpoint table = [] {
    levin_checkpoint t{};
    t.size = sizeof t;
    t.save = &save_checkpoint;
    t.remove = [](levin_run* run, const char* path) -> levin_status {
      World::of(run).removed.push_back(path);
      std::error_code error;
      if (World::of(run).writes_files) std::filesystem::remove(path, error);
      return LEVIN_OK;
    };
    t.wait = [](levin_run*) -> levin_status { return LEVIN_OK; };
    t.load_weights = [](levin_run* run, const char* path) -> levin_status {
      World::of(run).calls.push_back(std::string("load_weights ") + path);
      return LEVIN_OK;
    };
    t.announce = [](levin_run* run, const char* which, const char* path, double score) -> levin_status {
      World::of(run).announced[which] = {path, score};
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
}

inline ParamGroup* group(levin_run* run, uint32_t optimizer, uint32_t group) {
  auto& all = World::of(run).optimizers;
  return optimizer < all.size() && group < all[optimizer].groups.size() ? &all[optimizer].groups[group] : nullptr;
}
inline levin_status call(levin_run* run, const char* what, uint32_t index) {
  World::of(run).calls.push_back(std::string(what) + " " + std::to_string(index));
  return LEVIN_OK;
}

inline const levin_optim& optim() {
  static const levin_optim table = [] {
    levin_optim t{};
    t.size = sizeof t;
    t.count = [](levin_run* run, uint32_t* optimizers, uint32_t* schedulers) -> levin_status {
      if (optimizers) *optimizers = static_cast<uint32_t>(World::of(run).optimizers.size());
      if (schedulers) *schedulers = static_cast<uint32_t>(World::of(run).schedulers.size());
      return LEVIN_OK;
    };
    t.describe = [](levin_run* run, uint32_t optimizer, const char** name, uint32_t* groups) -> levin_status {
      const auto& all = World::of(run).optimizers;
      if (optimizer >= all.size()) return LEVIN_E_NOT_FOUND;
      if (name) *name = all[optimizer].name.c_str();
      if (groups) *groups = static_cast<uint32_t>(all[optimizer].groups.size());
      return LEVIN_OK;
    };
    t.group_name = [](levin_run* run, uint32_t optimizer, uint32_t index, const char** name) -> levin_status {
      const ParamGroup* found = group(run, optimizer, index);
      return found ? (*name = found->name.c_str(), LEVIN_OK) : LEVIN_E_NOT_FOUND;
    };
    t.get = [](levin_run* run, uint32_t optimizer, uint32_t index, const char* option, double* out) -> levin_status {
      const ParamGroup* found = group(run, optimizer, index);
      if (!found || !found->options.count(option)) return LEVIN_E_NOT_FOUND;
      *out = found->options.at(option);
      return LEVIN_OK;
    };
    t.set = [](levin_run* run, uint32_t optimizer, uint32_t index, const char* option, double value) -> levin_status {
      ParamGroup* found = group(run, optimizer, index);
      return found ? (found->options[option] = value, LEVIN_OK) : LEVIN_E_NOT_FOUND;
    };
    t.step = [](levin_run* run, uint32_t i, levin_status (*closure)(void*), void* ctx) -> levin_status {
      call(run, "step", i);
      return closure ? closure(ctx) : LEVIN_OK;
    };
    t.zero_grad = [](levin_run* run, uint32_t i) -> levin_status { return call(run, "zero_grad", i); };
    t.toggle = [](levin_run* run, uint32_t i, int32_t on) -> levin_status {
      return call(run, on ? "toggle" : "untoggle", i);
    };
    t.backward = [](levin_run* run, levin_tensor*, int32_t) -> levin_status { return call(run, "backward", 0); };
    t.clip = [](levin_run* run, uint32_t i, double, const char*) -> levin_status { return call(run, "clip", i); };
    t.scheduler = [](levin_run* run, uint32_t i, uint32_t* optimizer, const char** label,
                     const char** interval) -> levin_status {
      const auto& all = World::of(run).schedulers;
      if (i >= all.size()) return LEVIN_E_NOT_FOUND;
      if (optimizer) *optimizer = all[i].optimizer;
      if (label) *label = all[i].label.empty() ? nullptr : all[i].label.c_str();
      if (interval) *interval = all[i].interval.c_str();
      return LEVIN_OK;
    };
    t.scheduler_step = [](levin_run* run, uint32_t i, double) -> levin_status {
      return call(run, "scheduler_step", i);
    };
    t.pause_scheduler = [](levin_run* run, uint32_t i, int32_t paused) -> levin_status {
      return call(run, paused ? "pause_scheduler" : "resume_scheduler", i);
    };
    t.add_group = [](levin_run* run, uint32_t i, const levin_group_desc* desc) -> levin_status {
      ParamGroup made{desc->name ? desc->name : "", World::of(run).optimizers.at(i).groups.at(0).options};
      const std::string options = desc->options_json ? desc->options_json : "";
      const size_t lr = options.find("\"lr\":");
      if (lr != std::string::npos) made.options["lr"] = std::strtod(options.c_str() + lr + 5, nullptr);
      World::of(run).optimizers[i].groups.push_back(made);
      for (uint32_t g = 0; g < desc->n_globs; ++g)
        World::of(run).calls.push_back(std::string("add_group ") + desc->globs[g]);
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
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

// One device, the CPU.
inline const levin_devices& devices() {
  static const levin_devices table = [] {
    levin_devices t{};
    t.size = sizeof t;
    t.current = [](levin_run*, levin_device* out) -> levin_status { return *out = {LEVIN_CPU, 0}, LEVIN_OK; };
    t.memory = [](levin_run*, uint64_t*, uint64_t*) -> levin_status { return LEVIN_E_UNSUPPORTED; };
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
      }};
  return table;
}

}  // namespace levin::testing::detail
