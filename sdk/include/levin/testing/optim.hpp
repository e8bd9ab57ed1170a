// "levin.optim/1" of the fake host: reads and sets the options of World::optimizers, and records steps.
#pragma once
#include <cstdlib>
#include <string>

#include "levin/testing/services.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

inline ParamGroup* group(levin_run* run, uint32_t optimizer, uint32_t group) {
  auto& all = World::of(run).optimizers;
  return optimizer < all.size() && group < all[optimizer].groups.size() ? &all[optimizer].groups[group] : nullptr;
}
inline double* option_of(levin_run* run, uint32_t optimizer, uint32_t index, const char* option) {
  ParamGroup* found = group(run, optimizer, index);
  return found && found->options.count(option) ? &found->options.at(option) : nullptr;
}

// Reads only "lr" of the options; the others are copied from the first group.
inline levin_status add_group(levin_run* run, uint32_t optimizer, const levin_group_desc* desc) {
  const ParamGroup* first = group(run, optimizer, 0);
  if (!first) return LEVIN_E_INVALID;
  ParamGroup made{desc->name ? desc->name : "", first->options};
  const std::string options = desc->options_json ? desc->options_json : "";
  const size_t lr = options.find("\"lr\":");
  if (lr != std::string::npos) made.options["lr"] = std::strtod(options.c_str() + lr + 5, nullptr);
  World::of(run).optimizers[optimizer].groups.push_back(made);
  for (uint32_t g = 0; g < desc->n_globs; ++g)
    World::of(run).calls.push_back(std::string("add_group ") + desc->globs[g]);
  return LEVIN_OK;
}

inline void offer_groups(levin_optim& t) {
  t.count = [](levin_run* run, uint32_t* optimizers, uint32_t* schedulers) -> levin_status {
    if (optimizers) *optimizers = static_cast<uint32_t>(World::of(run).optimizers.size());
    if (schedulers) *schedulers = static_cast<uint32_t>(World::of(run).schedulers.size());
    return LEVIN_OK;
  };
  t.describe = [](levin_run* run, uint32_t optimizer, const char** name, uint32_t* groups) -> levin_status {
    const auto& all = World::of(run).optimizers;
    if (optimizer >= all.size()) return LEVIN_E_INVALID;
    if (name) *name = all[optimizer].name.c_str();
    if (groups) *groups = static_cast<uint32_t>(all[optimizer].groups.size());
    return LEVIN_OK;
  };
  t.group_name = [](levin_run* run, uint32_t optimizer, uint32_t index, const char** name) -> levin_status {
    const ParamGroup* found = group(run, optimizer, index);
    return found ? (*name = found->name.c_str(), LEVIN_OK) : LEVIN_E_INVALID;
  };
  t.get = [](levin_run* run, uint32_t optimizer, uint32_t index, const char* option, double* out) -> levin_status {
    const double* found = option_of(run, optimizer, index, option);
    return found ? (*out = *found, LEVIN_OK) : LEVIN_E_INVALID;
  };
  t.set = [](levin_run* run, uint32_t optimizer, uint32_t index, const char* option, double value) -> levin_status {
    double* found = option_of(run, optimizer, index, option);
    return found ? (*found = value, LEVIN_OK) : LEVIN_E_INVALID;
  };
  t.add_group = &add_group;
}

inline void offer_steps(levin_optim& t) {
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
}

inline void offer_schedules(levin_optim& t) {
  t.scheduler = [](levin_run* run, uint32_t i, uint32_t* optimizer, const char** label,
                   const char** interval) -> levin_status {
    const auto& all = World::of(run).schedulers;
    if (i >= all.size()) return LEVIN_E_INVALID;
    if (optimizer) *optimizer = all[i].optimizer;
    if (label) *label = all[i].label.empty() ? nullptr : all[i].label.c_str();
    if (interval) *interval = all[i].interval.c_str();
    return LEVIN_OK;
  };
  t.scheduler_step = [](levin_run* run, uint32_t i, double) -> levin_status { return call(run, "scheduler_step", i); };
  t.pause_scheduler = [](levin_run* run, uint32_t i, int32_t paused) -> levin_status {
    return call(run, paused ? "pause_scheduler" : "resume_scheduler", i);
  };
}

inline const levin_optim& optim() {
  static const levin_optim table = [] {
    levin_optim t{};
    t.size = sizeof t;
    offer_groups(t);
    offer_steps(t);
    offer_schedules(t);
    return t;
  }();
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
