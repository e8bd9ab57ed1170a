// The built-in optimizers and learning-rate schedules as tables of names, summaries and options. The help, the check of
// names and the registries of core/optim read the same tables.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

// What a schedule needs from the model besides options: a function of the step, a metric to monitor, or other
// schedules.
enum class Needs { nothing, function, metric, schedules };

struct OptimSpec {
  std::string id;                     // "one_cycle"
  std::string class_name;             // "OneCycleLR", the name of PyTorch's class; accepted as well
  std::string summary;                // one sentence
  std::vector<OptionSchema> options;  // in the users' form: "betas" is an array of two numbers
  Needs needs = Needs::nothing;
};

const std::vector<OptimSpec>& optimizer_table();
const std::vector<OptimSpec>& schedule_table();

// Returns the entry with this id or class name, or nullptr.
const OptimSpec* find_spec(const std::vector<OptimSpec>& table, const std::string& name);
std::vector<std::string> spec_ids(const std::vector<OptimSpec>& table);

}  // namespace levin::core
