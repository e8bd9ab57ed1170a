// What somebody said about one dotted key, before it is known whether there is such a key.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace levin::core {

// A higher rank overrides a lower one. The n-th configuration file (from 0) has the rank rank_file + n.
enum Rank : int { rank_default = 0, rank_component = 1, rank_file = 2, rank_environment = 1 << 20, rank_command_line };

// Keys: "model" and "data" (a component as it was written), "callback.NAME" and "logger.NAME" (the same, or false),
// "callback" (a component, the instance named by its id), "model.OPTION", "callback.NAME.OPTION", "trainer.OPTION", ...
struct Setting {
  std::string key;
  nlohmann::json value;
  std::string origin;  // for people: "run.json:12", "--max_epochs", "LEVIN_TRAINER_MAX_EPOCHS"
  int rank = rank_default;
  bool by_user() const { return rank >= rank_file; }
};

// The members of a configuration file in their order:
// {"model": "libnet.so" or {"component": "net", "depth": 18}, "data": ..., "callback": {"best": {"component":
// "keeper", ...}}, "logger": {...} or false, "trainer": {...}, "ckpt_path": ...}; dotted keys are allowed
// too. `name` stands for the file in origins. Throws Error{usage} with file and line on a shape that is none of these.
std::vector<Setting> settings_from_config(const JsonDocument& document, const std::string& name, int rank);

// A component's recommended values, {"trainer.max_epochs": 12}; those that name a model or data module are left out.
std::vector<Setting> settings_from_defaults(const nlohmann::json& defaults, const std::string& component);

inline constexpr const char* environment_prefix = "LEVIN_TRAINER_";

// LEVIN_TRAINER_NAME=value and PL_TRAINER_NAME=value, where NAME in small letters is one of `options`; empty ones are
// ignored. What is left of LEVIN_TRAINER_* is added to `unknown`.
std::vector<Setting> settings_from_environment(const std::map<std::string, std::string>& environment,
                                               const std::vector<std::string>& options,
                                               std::vector<std::string>& unknown);

// The group of a key ("callback" of "callback.best.monitor") and what follows it.
std::string group_of(const std::string& key);
std::string after_group(const std::string& key);

}  // namespace levin::core
