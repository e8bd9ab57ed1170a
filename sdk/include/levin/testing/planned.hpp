// The optimizers and schedulers that a model adds in configure_optimizers.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "levin/abi.h"

#pragma GCC visibility push(hidden)
namespace levin::testing {

// Options are JSON text.
struct PlannedOptimizer {
  std::string name, options;
  std::vector<std::vector<std::string>> groups;  // globs of each group
  int64_t frequency = 0;
  std::vector<std::string> group_options;
};
struct PlannedScheduler {
  std::string name, options, interval, monitor;
  uint32_t optimizer = 0;
};
struct Planned {
  std::vector<PlannedOptimizer> optimizers;
  std::vector<PlannedScheduler> schedulers;
};

namespace detail {

inline std::string text_of(const char* text) { return text ? text : ""; }

inline levin_status add_optimizer(const levin_optim_plan* plan, const levin_optimizer_desc* desc, uint32_t* index) {
  auto& all = static_cast<Planned*>(plan->ctx)->optimizers;
  PlannedOptimizer made{text_of(desc->name), text_of(desc->options_json), {}, desc->frequency, {}};
  for (uint32_t g = 0; desc->groups && g < desc->n_groups; ++g) {
    made.groups.emplace_back();
    const levin_group_desc& group = *desc->groups[g];
    made.group_options.push_back(text_of(group.options_json));
    if (group.globs) made.groups.back().assign(group.globs, group.globs + group.n_globs);
  }
  *index = static_cast<uint32_t>(all.size());
  all.push_back(std::move(made));
  return LEVIN_OK;
}
inline levin_status add_scheduler(const levin_optim_plan* plan, const levin_scheduler_desc* desc, uint32_t* index) {
  auto& all = static_cast<Planned*>(plan->ctx)->schedulers;
  *index = static_cast<uint32_t>(all.size());
  all.push_back({text_of(desc->name), text_of(desc->options_json), text_of(desc->interval), text_of(desc->monitor),
                 desc->optimizer});
  return LEVIN_OK;
}

// Returns a plan that records the optimizers and schedulers added to it.
inline levin_optim_plan planning(Planned& planned, levin_run* run) {
  levin_optim_plan plan{};
  plan.size = sizeof plan;
  plan.ctx = &planned;
  plan.run = run;
  plan.add_optimizer = &add_optimizer;
  plan.add_scheduler = &add_scheduler;
  return plan;
}

}  // namespace detail
}  // namespace levin::testing
#pragma GCC visibility pop
