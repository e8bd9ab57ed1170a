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
  std::vector<OptionSchema> options;  // in the users' form
  Needs needs = Needs::nothing;
};

// An option that is an array of numbers, each of which optimizers know by a name of its own.
struct ArrayOption {
  std::string name;                  // "betas"
  std::vector<std::string> numbers;  // "beta1", "beta2"
  std::string valid;                 // "two numbers from 0 to below 1, as [0.9, 0.999]"
  bool (*is_valid)(const std::vector<double>& numbers);

  bool takes(const nlohmann::json& value) const;
};
const ArrayOption* array_option(const std::string& name);  // nullptr for other options

const std::vector<OptimSpec>& optimizer_table();
const std::vector<OptimSpec>& schedule_table();

// Returns the entry with this id or class name, or nullptr.
const OptimSpec* find_spec(const std::vector<OptimSpec>& table, const std::string& name);
std::vector<std::string> spec_ids(const std::vector<OptimSpec>& table);

}  // namespace levin::core
