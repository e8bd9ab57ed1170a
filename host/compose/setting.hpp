// A value that was given for a dotted key. Whether the key exists is checked later.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace levin::core {

// A higher rank overrides a lower one. The n-th configuration file (from 0) has the rank rank_file + n.
enum Rank : int { rank_default = 0, rank_component = 1, rank_file = 2, rank_environment = 1 << 20, rank_command_line };

// Whether a setting comes from a saved run, whose file also has the values that were defaults then.
enum class Saved { no, chosen, by_default };

// Keys: "model" and "data" (value: a component as the user wrote it), "callback.NAME" and "logger.NAME" (value: the
// same, or false), "callback" (value: a component, whose id names the instance), "model.OPTION",
// "callback.NAME.OPTION", "trainer.OPTION", ...
struct Setting {
  std::string key;
  nlohmann::json value;
  std::string origin;  // for messages: "run.json:12", "--max_epochs", "LEVIN_TRAINER_MAX_EPOCHS"
  int rank = rank_default;
  Saved saved = Saved::no;
  bool given = false;  // with saved: the user gave it to the saved run
  bool by_user() const { return rank >= rank_file; }
};

// Returns the members of a configuration file in their order in the file:
// {"model": "libnet.so" or {"component": "net", "depth": 18}, "data": ..., "callback": {"best": {"component":
// "keeper", ...}}, "logger": {...} or false, "trainer": {...}, "ckpt_path": ...}; dotted keys are allowed
// too. `name` is the file's name in origins. Throws Error{usage} with file and line if the file has another form.
std::vector<Setting> settings_from_config(const JsonDocument& document, const std::string& name, int rank);

// Returns the settings that a component recommends, such as {"trainer.max_epochs": 12}. Leaves out recommendations of a
// model or data module.
std::vector<Setting> settings_from_defaults(const nlohmann::json& defaults, const std::string& component);

inline constexpr const char* environment_prefix = "LEVIN_TRAINER_";

// Returns the settings of LEVIN_TRAINER_NAME=value and PL_TRAINER_NAME=value, where NAME in lower case is one of
// `options`. Empty values are ignored. Adds all other variables LEVIN_TRAINER_* to `unknown`.
std::vector<Setting> settings_from_environment(const std::map<std::string, std::string>& environment,
                                               const std::vector<std::string>& options,
                                               std::vector<std::string>& unknown);

// The group of a key ("callback" for "callback.best.monitor"), and the rest of the key ("best.monitor").
std::string group_of(const std::string& key);
std::string after_group(const std::string& key);

}  // namespace levin::core
