// The Trainer's own options, with Lightning's names, defaults and meanings. Options of the trainer group
// that a component serves are not here: they come from the claims of its schema.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/config/run_plan.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// All that there is to know about an option; a new one is a row of trainer_options() and a member of RunPlan.
struct TrainerOption {
  OptionSchema schema;
  std::string group{};    // heading in the help
  std::string expects{};  // what may be given, where the schema's type does not say it; else ""
  // Converts a json value to the form that the Trainer uses; returns a discarded value if it is not valid. nullptr if
  // the schema's own check is enough.
  nlohmann::json (*rule)(const nlohmann::json&) = nullptr;
  nlohmann::json null_means{};  // the value that null stands for; null: null has a meaning of its own
  std::string missing{};        // not "": only the default is accepted, because of this
  // Values that Lightning has and Levin lacks, with the reason. check_trainer_option accepts them so that
  // resolve_trainer can refuse them by name; the help does not list them.
  std::map<std::string, std::string> refused{};
  std::function<void(RunPlan&, const nlohmann::json&)> set{};  // not there: the host reads it, or nobody has to
};

const std::vector<TrainerOption>& trainer_options();  // trainer_table.cpp
const TrainerOption* find_trainer_option(const std::string& name);

// The value in the form the Trainer takes; throws Error{usage} "WHERE: ..." else.
nlohmann::json check_trainer_option(const TrainerOption& option, const nlohmann::json& value, const std::string& where);
std::string describe_type(const TrainerOption& option);

// Every option of the Trainer, from checked values by name (missing: the default); `by_user` are those that the user
// gave himself. fast_dev_run, overfit_batches and barebones are spread over the options that they stand for.
//
// Form of the result: max_epochs int (-1 for ever) or null (nobody said: 1000, or for ever with max_steps), min_epochs,
// min_steps int or null, limit_*_batches and overfit_batches int (batches) or float (fraction), val_check_interval int,
// float or "DD:HH:MM:SS", check_val_every_n_epoch int or null, gradient_clip_val float or null,
// gradient_clip_algorithm "norm", "value" or null (norm), deterministic bool or "warn", benchmark bool or null,
// fast_dev_run bool or int, devices "auto", int or [int], seed_everything int or null (draw one), num_threads int or
// null, default_root_dir absolute.
nlohmann::json resolve_trainer(const nlohmann::json& given, const std::set<std::string>& by_user);

// Throws Error{usage}: the user asked for barebones and for what is off in it.
[[noreturn]] void refuse_in_barebones(const std::string& name, const nlohmann::json& value);

}  // namespace levin::core
