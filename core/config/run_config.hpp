// What the host hands to the engine: one run, with every option resolved. Written as config.json into the run folder,
// from which `host resume` makes it again.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

struct ComponentConfig {
  std::string name;                                   // of the instance; of a model or data module: the component's id
  std::string file;                                   // absolute path of the plugin
  std::string component;                              // id
  nlohmann::json options = nlohmann::json::object();  // every option of the schema, checked
};

struct RunConfig {
  Command command = Command::run;
  ComponentConfig model;
  std::optional<ComponentConfig> data;               // none: the model brings its own
  nlohmann::json loader = nlohmann::json::object();  // loader_options(), all of them; eval_batch_size is an int
  std::vector<ComponentConfig> callbacks;  // in the order of their calls, before the hints of their components
  std::vector<ComponentConfig> loggers;
  std::vector<ComponentConfig> optimizers;  // every optimizer component found; their options are the model's business
  nlohmann::json trainer = nlohmann::json::object();  // as resolve_trainer() describes
  bool timed = false;                                 // trainer.max_time ends the fit: no limit of epochs by default
  std::optional<std::string> ckpt_path;               // "best", "last" or an absolute path
  std::optional<std::string> resume;                  // the run folder to go on with, absolute
  bool trust = false;
  bool trace_hooks = false;                    // print every hook as it is called; of this process alone
  std::vector<std::string> plugin_dirs;        // of --plugins, absolute
  std::map<std::string, std::string> origins;  // "trainer.max_epochs" -> "--max_epochs"; not there: the default
  std::vector<std::string> secrets;            // "model.token": never to be logged or saved
};

nlohmann::json to_json(const RunConfig&);
// The same without the values of secrets: what may be logged, saved and shown.
nlohmann::json to_json_without_secrets(const RunConfig&);
bool is_run_config(const nlohmann::json& value);  // one of to_json(), by its mark
// Throws Error{usage} naming `where` on anything malformed.
RunConfig run_config_from_json(const nlohmann::json&, const std::string& where);

}  // namespace levin::core
