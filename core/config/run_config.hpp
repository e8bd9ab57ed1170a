// The configuration of one run with every option resolved. The host hands it to the engine, which saves it as
// config.json in the run folder; `host resume` reads it from there.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

struct ComponentConfig {
  std::string name;                                   // of the instance; for a model or data module its id
  std::string file;                                   // absolute path of the plugin
  std::string component;                              // id
  nlohmann::json options = nlohmann::json::object();  // every option of the schema, checked
  std::string version = "";                           // of the component; "": not known
  std::string sha256 = "";                            // of the plugin file; "": not known
  std::vector<std::string> given = {};                // the names of the options that the user gave
};

// What a run shows on the terminal. Its log.txt has what it shows, and all but debug lines in any case.
inline constexpr int verbosity_quiet = -1;   // warnings and errors only
inline constexpr int verbosity_verbose = 1;  // debug lines too

struct RunConfig {
  Command command = Command::run;
  ComponentConfig model;
  std::optional<ComponentConfig> data;                // nullopt: the model brings its own data module
  nlohmann::json loader = nlohmann::json::object();   // every option of loader_options(); eval_batch_size is an int
  std::vector<std::string> loader_given;              // the names of those that the user set
  nlohmann::json weights = nlohmann::json::object();  // every option of weight_options()
  std::vector<ComponentConfig> callbacks;             // in call order; LEVIN_F_FIRST and LEVIN_F_LAST are applied later
  std::vector<ComponentConfig> loggers;
  // Every optimizer component found, by its full name. The model sets their options.
  std::vector<ComponentConfig> optimizers;
  nlohmann::json trainer = nlohmann::json::object();  // in the form that resolve_trainer() returns
  bool timed = false;                                 // trainer.max_time ends the fit, so max_epochs is -1 by default
  std::optional<std::string> ckpt_path;               // "best", "last" or an absolute path
  std::optional<std::string> ckpt_run;                // the only run folder where ckpt_path looks for best and last
  std::optional<std::string> resume;                  // the absolute path of the run folder to resume
  bool takes_saved_options = false;                   // the first process reads the options in that folder
  std::string slurm_job;                              // the job whose restarts resume this run; "": none
  std::string torchrun_job;                           // the same, where torchrun has started the processes
  bool trust = false;
  bool allow_plugin_changes = false;           // go on without state that a component does not take
  bool strict_resume = false;                  // refuse to go on under other conditions; a resumed run has to ask again
  bool trace_hooks = false;                    // print every hook as it is called; a resumed run has to ask again
  int verbosity = 0;                           // verbosity_*; 0: the usual; a resumed run has to ask again
  bool debug_plugins = false;                  // watch handles and values; a resumed run has to ask again
  std::vector<std::string> plugin_dirs;        // absolute paths given with --plugins
  std::map<std::string, std::string> origins;  // "trainer.max_epochs" -> "--max_epochs"; defaults have no entry
  std::vector<std::string> secrets;            // keys, such as "model.token", whose values are never logged or saved
};

nlohmann::json to_json(const RunConfig&);
// The same without the values of secrets, so that it may be logged, saved and shown.
nlohmann::json to_json_without_secrets(const RunConfig&);
bool is_run_config(const nlohmann::json& value);  // whether to_json() wrote it: it has the member "levin"
// Throws Error{usage} that names `where` if the value is malformed.
RunConfig run_config_from_json(const nlohmann::json&, const std::string& where);

}  // namespace levin::core
