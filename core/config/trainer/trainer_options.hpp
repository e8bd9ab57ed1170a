// The Trainer's own options, with Lightning's names, defaults and meanings. Options of the trainer group that a
// component implements are not listed here: they come from the claims in the component's schema.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

// One option. To add an option, add a row to trainer_options() and a member to RunPlan.
struct TrainerOption {
  OptionSchema schema;
  std::string group{};    // heading in the help
  std::string expects{};  // describes the allowed values if the schema's type does not; else ""
  // Converts a JSON value to the form that the Trainer uses; returns a discarded value if it is invalid. nullptr = the
  // schema's own check is enough.
  nlohmann::json (*rule)(const nlohmann::json&) = nullptr;
  bool list = false;            // repeated uses on the command line are collected into one list
  nlohmann::json null_means{};  // the value that null stands for; null = null has a meaning of its own
  // Values that Lightning has and Levin lacks, with the reason. check_trainer_option accepts them so that
  // resolve_trainer can refuse them by name; the help does not list them.
  std::map<std::string, std::string> refused{};
  std::function<void(RunPlan&, const nlohmann::json&)> set{};  // empty = the option has no member in RunPlan
};

const std::vector<TrainerOption>& trainer_options();  // trainer_table.cpp
const TrainerOption* find_trainer_option(const std::string& name);

// Returns the value in the form that the Trainer uses. Throws Error{usage} "WHERE: ..." if it is invalid.
nlohmann::json check_trainer_option(const TrainerOption& option, const nlohmann::json& value, const std::string& where);
std::string describe_type(const TrainerOption& option);

// Returns every option of the Trainer. `given` has checked values by name; the others get their defaults. `by_user`
// names the options that the user set. fast_dev_run, overfit_batches and barebones also set the options they imply.
//
// Form of the result: max_epochs int (-1: no limit) or null (not given: 1000, or no limit with max_steps), min_epochs,
// min_steps int or null, limit_*_batches and overfit_batches int (batches) or float (fraction), val_check_interval int,
// float or "DD:HH:MM:SS", check_val_every_n_epoch int or null, gradient_clip_val float or null,
// gradient_clip_algorithm "norm", "value" or null (norm), deterministic bool or "warn", benchmark bool or null,
// fast_dev_run bool or int, devices "auto", int or [int], seed_everything int or null (draw one), num_threads int or
// null, default_root_dir absolute.
nlohmann::json resolve_trainer(const nlohmann::json& given, const std::set<std::string>& by_user);

// Throws Error{usage}: barebones is set together with this option, which barebones switches off.
[[noreturn]] void refuse_in_barebones(const std::string& name, const nlohmann::json& value);
// Throws Error{usage}: the strategy uses one process. found: what asks for several, such as "there are 2 processes".
[[noreturn]] void refuse_several_processes(const std::string& strategy, const std::string& found);

}  // namespace levin::core
