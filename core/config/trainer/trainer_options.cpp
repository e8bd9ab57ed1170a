#include "core/config/trainer/trainer_options.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns the lower-case name if the value, in any letter case, is supported by Lightning but not by Levin; else null.
json refused_value(const TrainerOption& option, const json& value) {
  const std::string text = value.is_string() ? lower(value.get<std::string>()) : "";
  return option.refused.count(text) ? json(text) : json(nullptr);
}

[[noreturn]] void refuse_options(const std::string& what) { throw Error(ErrorCode::option_value_invalid, what); }

void apply_barebones(json& t, const std::set<std::string>& by_user) {
  for (const char* name :
       {"logger", "log_every_n_steps", "num_sanity_val_steps", "fast_dev_run", "detect_anomaly", "profiler"}) {
    if (by_user.count(name) && truthy(t.at(name))) refuse_in_barebones(name, t.at(name));
  }
  t["logger"] = false;
  t["log_every_n_steps"] = 0;
  t["num_sanity_val_steps"] = 0;
  t["fast_dev_run"] = false;
}

void refuse_least_above_most(const json& t, const std::string& least, const std::string& most) {
  if (!t.at(least).is_number() || !t.at(most).is_number() || t.at(most) < 0 || t.at(least) <= t.at(most)) return;
  refuse_options("trainer." + least + "=" + t.at(least).dump() + " is more than trainer." + most + "=" +
                 t.at(most).dump() + ", which ends the fit; change one of them");
}

void apply_fast_dev_run(json& t) {
  const json n = t.at("fast_dev_run").is_boolean() ? json(1) : t.at("fast_dev_run");
  for (const char* limit :
       {"limit_train_batches", "limit_val_batches", "limit_test_batches", "limit_predict_batches"}) {
    t[limit] = n;
  }
  t["max_epochs"] = 1;
  t["max_steps"] = n;
  t["num_sanity_val_steps"] = 0;
  t["val_check_interval"] = 1.0;
  t["check_val_every_n_epoch"] = 1;
}

void resolve_nulls(json& t) {
  for (const auto& option : trainer_options()) {
    json& value = t[option.schema.name];
    if (value.is_null()) value = option.null_means;
  }
  json& root = t["default_root_dir"];
  if (root == ".") root = absolute_path(".").string();
}

json resolved_seed(const json& seed) {
  if (seed.is_boolean()) return seed.get<bool>() ? json(chosen_seed(nullptr)) : json(nullptr);
  return seed;
}

void check_devices(const json& t) {
  const json& devices = t.at("devices");
  const std::string accelerator = t.at("accelerator");
  if (accelerator == "cpu" && devices.is_array()) {
    refuse_options("trainer.devices=" + devices.dump() +
                   " names GPUs, but trainer.accelerator is cpu; give the number of processes, or auto");
  }
}

// Throws Error{usage} for an option that the chosen strategy does not have.
void check_strategy(const json& t) {
  const std::string chosen = t.at("strategy");
  for (const std::string& strategy : names_of<StrategyType>()) {
    const char* option = facts_of(strategy).option;
    if (option && strategy != chosen && !t.at(option).is_null())
      refuse_options("trainer." + std::string(option) + "=" + t.at(option).dump() +
                     " is for trainer.strategy=" + strategy + ", and it is " + chosen + "; leave one of them out");
  }
}

void refuse_what_is_not_there(const json& t) {
  for (const auto& option : trainer_options()) {
    const json& value = t.at(option.schema.name);
    const auto found = value.is_string() ? option.refused.find(value.get<std::string>()) : option.refused.end();
    if (found == option.refused.end()) continue;
    refuse_options("trainer." + option.schema.name + "=" + found->first + " is refused: " + found->second);
  }
}

}  // namespace

const TrainerOption* find_trainer_option(const std::string& name) {
  for (const auto& option : trainer_options()) {
    if (option.schema.name == name) return &option;
  }
  return nullptr;
}

std::string describe_type(const TrainerOption& option) {
  if (option.expects.empty()) return describe_type(option.schema);
  return option.expects + (option.schema.flags & LEVIN_OPT_NULLABLE ? " or null" : "");
}

json check_trainer_option(const TrainerOption& option, const json& value, const std::string& where) {
  if (const json refused = refused_value(option, value); !refused.is_null()) return refused;
  if (option.rule == nullptr) return check_option(option.schema, value, where);
  const bool null = value.is_null() || (value.is_string() && scalar_from_text(value.get<std::string>()).is_null());
  if (null && option.schema.flags & LEVIN_OPT_NULLABLE) return nullptr;
  json checked = null ? json(json::value_t::discarded) : option.rule(value);
  if (!checked.is_discarded()) return checked;
  throw Error(ErrorCode::option_value_invalid,
              where + ": " + show(value) + " is not valid; expected " + describe_type(option));
}

void refuse_in_barebones(const std::string& name, const json& value) {
  refuse_options("trainer.barebones=true with trainer." + name + "=" + value.dump() +
                 ": barebones switches this off to measure raw speed; leave one of them out");
}

void refuse_several_processes(const std::string& strategy, const std::string& found) {
  refuse_options("trainer.strategy=" + strategy + " uses one process, but " + found + "; use ddp");
}

json resolve_trainer(const json& given, const std::set<std::string>& by_user) {
  json t = json::object();
  for (const auto& option : trainer_options()) {
    const auto value = given.find(option.schema.name);
    t[option.schema.name] = value == given.end() ? option.schema.deflt : *value;
  }
  if (truthy(t.at("barebones"))) apply_barebones(t, by_user);
  refuse_what_is_not_there(t);
  // The default, null, is allowed: it means the whole epoch.
  if (t.at("check_val_every_n_epoch").is_null() && t.at("val_check_interval").is_number_float()) {
    refuse_options(
        "trainer.check_val_every_n_epoch=null counts batches across epochs: trainer.val_check_interval must then be an "
        "int or a time");
  }
  refuse_least_above_most(t, "min_epochs", "max_epochs");
  refuse_least_above_most(t, "min_steps", "max_steps");
  resolve_nulls(t);
  if (t.at("fast_dev_run") == 1) t["fast_dev_run"] = true;
  if (truthy(t.at("fast_dev_run"))) apply_fast_dev_run(t);
  if (truthy(t.at("overfit_batches"))) {
    t["limit_train_batches"] = t.at("overfit_batches");
    t["limit_val_batches"] = t.at("overfit_batches");
  }
  t["seed_everything"] = resolved_seed(t.at("seed_everything"));
  check_devices(t);
  check_strategy(t);
  return t;
}

}  // namespace levin::core
