// The configuration of one run with every option resolved. The host hands it to the engine, which saves it as
// config.json in the run folder; `host resume` reads it from there.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum_names.hpp"

namespace levin::core {

enum class Command {
  run,  // fit, then test the best checkpoint
  fit,
  validate,
  test,
  tune,  // a fit that ends after on_fit_start, in which tuners run
  predict,
};
template <>
inline constexpr auto enum_names<Command> = std::array{"run", "fit", "validate", "test", "tune", "predict"};

// Returns true if the command begins with a fit.
constexpr bool fits(Command command) {
  return command == Command::run || command == Command::fit || command == Command::tune;
}

struct ComponentConfig {
  std::string name;                                   // the instance's name; for a model or data module its id
  std::string file;                                   // absolute path of the plugin
  std::string component;                              // id
  nlohmann::json options = nlohmann::json::object();  // every option of the schema, checked
  std::string version = "";                           // the component's version; "" = unknown
  std::string sha256 = "";                            // SHA-256 of the plugin file; "" = unknown
  std::vector<std::string> given = {};                // names of the options that the user set
};

// Verbosity of the terminal. log.txt has all lines except debug lines, which it has only in verbose runs.
inline constexpr int verbosity_quiet = -1;   // warnings and errors only
inline constexpr int verbosity_verbose = 1;  // debug lines too

struct RunConfig {
  Command command = Command::run;
  ComponentConfig model;
  std::optional<ComponentConfig> data;                // nullopt = the model has its own data module
  nlohmann::json loader = nlohmann::json::object();   // every option of loader_options(); eval_batch_size is an int
  std::vector<std::string> loader_given;              // names of the loader options that the user set
  nlohmann::json weights = nlohmann::json::object();  // every option of weight_options()
  std::vector<ComponentConfig> callbacks;             // in the user's order; LEVIN_F_FIRST and _LAST are applied later
  std::vector<ComponentConfig> loggers;
  // Every optimizer component found, by its full name. The model sets their options.
  std::vector<ComponentConfig> optimizers;
  nlohmann::json trainer = nlohmann::json::object();  // in the form that resolve_trainer() returns
  bool timed = false;                                 // trainer.max_time is set, so max_epochs is -1 by default
  std::optional<std::string> ckpt_path;               // "best", "last" or an absolute path
  std::optional<std::string> ckpt_run;                // the only run folder that ckpt_path searches for best and last
  std::optional<std::string> resume;                  // the absolute path of the run folder to resume
  bool takes_saved_options = false;                   // rank 0 reads the options saved in that folder
  std::string slurm_job;                              // the SLURM job whose restarts resume this run; "" = none
  std::string torchrun_job;                           // the torchrun job whose restarts resume this run; "" = none
  bool trust = false;
  bool allow_plugin_changes = false;           // resume without the state of components that do not accept it
  bool strict_resume = false;                  // refuse to resume under changed conditions; not kept on resume
  bool trace_hooks = false;                    // print every hook as it is called; not kept on resume
  int verbosity = 0;                           // verbosity_*; 0 = normal; not kept on resume
  bool debug_plugins = false;                  // check tensor handles and values; not kept on resume
  std::vector<std::string> plugin_dirs;        // absolute paths given with --plugins
  std::map<std::string, std::string> origins;  // "trainer.max_epochs" -> "--max_epochs"; defaults have no entry
  std::vector<std::string> secrets;            // keys, such as "model.token", whose values are never logged or saved
};

nlohmann::json to_json(const RunConfig&);
// Like to_json(), without the values of secrets, so that the result may be logged, saved and shown.
nlohmann::json to_json_without_secrets(const RunConfig&);
bool is_run_config(const nlohmann::json& value);  // true if to_json() wrote it: it has the member "levin"
// Throws Error{usage} that names `where` if the value is malformed.
RunConfig run_config_from_json(const nlohmann::json&, const std::string& where);

// Copies the options of the saved configuration, including a drawn seed and values that tuners found. Values of
// secrets, which are not saved, and command-line settings other than these options stay.
void take_saved_options(RunConfig& config, const RunConfig& saved);

}  // namespace levin::core
