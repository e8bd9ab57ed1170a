// Settings that change the speed of a step, and at most the rounding of its results. They are numbers of
// levin.trainer/1 that can change before an epoch and in a trial.
#pragma once
#include <string>
#include <vector>

#include "core/config/trainer/run_plan.hpp"
#include "core/data/loader_set.hpp"

namespace levin::core {

struct SpeedParts {
  RunPlan& plan;
  LoaderSet& loaders;
};

struct SpeedSetting {
  const char* name;
  int64_t least, most;
  int64_t (*get)(const SpeedParts&);
  void (*set)(const SpeedParts&, int64_t);
};

const std::vector<SpeedSetting>& speed_settings();
const SpeedSetting* speed_setting(const std::string& name);  // nullptr = there is none of this name

// Values of all settings in the order of speed_settings().
std::vector<int64_t> speed_values(const SpeedParts& parts);
void set_speed_values(const SpeedParts& parts, const std::vector<int64_t>& values);

}  // namespace levin::core
