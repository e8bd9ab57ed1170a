// A value given for a dotted key. The existence of the key is checked later.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace levin::core {

// A higher rank overrides a lower one. The n-th configuration file (from 0) has the rank rank_file + n.
enum Rank : int { rank_default = 0, rank_component = 1, rank_file = 2, rank_environment = 1 << 20, rank_command_line };

// States if a setting comes from a saved run, and if its value was chosen or a default in that run.
enum class Saved { no, chosen, by_default };

// Keys: "model" and "data" (value: a component as the user wrote it), "callback.NAME" and "logger.NAME" (value: the
// same, or false), "callback" (value: a component, whose id names the instance), "model.OPTION",
// "callback.NAME.OPTION", "trainer.OPTION", ...
struct Setting {
  std::string key;
  nlohmann::json value;
  std::string origin;  // for messages: "run.json:12:5", "--max_epochs", "LEVIN_TRAINER_MAX_EPOCHS"
  int rank = rank_default;
  Saved saved = Saved::no;
  bool given = false;  // only with `saved`: the user set the value in the saved run
  bool by_user() const { return rank >= rank_file; }
};

// Returns the members of a configuration file in file order:
// {"model": "libnet.so" or {"component": "net", "depth": 18}, "data": ..., "callback": {"best": {"component": "keeper",
// ...}}, "logger": {...} or false, "trainer": {...}, "ckpt_path": ...}; dotted keys are also allowed. `name` is the
// file's name in origins. Throws Error{usage} with file, line and column if the file has another form.
// With `errors`, it adds all errors to the list instead, and returns the other members.
std::vector<Setting> settings_from_config(const JsonDocument& document, const std::string& name, int rank,
                                          std::vector<Error>* errors = nullptr);

// Returns the settings that a component recommends, such as {"trainer.max_epochs": 12}. The keys "model" and "data" are
// dropped.
std::vector<Setting> settings_from_defaults(const nlohmann::json& defaults, const std::string& component);

inline constexpr const char* environment_prefix = "LEVIN_TRAINER_";

// Returns the settings of LEVIN_TRAINER_NAME=value and PL_TRAINER_NAME=value for each NAME that in lower case is one of
// `options`. Empty values are ignored. Adds all other LEVIN_TRAINER_* variables to `unknown`.
std::vector<Setting> settings_from_environment(const std::map<std::string, std::string>& environment,
                                               const std::vector<std::string>& options,
                                               std::vector<std::string>& unknown);

// The group of a key ("callback" for "callback.best.monitor"), and the rest of the key ("best.monitor").
std::string group_of(const std::string& key);
std::string after_group(const std::string& key);

}  // namespace levin::core
