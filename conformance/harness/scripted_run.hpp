// Runs the real Trainer with scripted plugins: the input is taken from a case, the output is what the plugins recorded.
// README.md has examples.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/harness/case_file.hpp"
#include "conformance/harness/setting.hpp"
#include "core/abi/state_bag.hpp"
#include "core/trainer/trainer.hpp"

namespace conformance {

// A callback or logger of the run. Empty component = the instance is switched off.
struct Part {
  std::string name, component;
  json options = json::object();
};

struct ScriptedRun {
  std::vector<std::string> calls = {"fit"};  // functions to call, in order, on the same Trainer
  json trainer = json::object();             // flags by Lightning's names; the others keep the Trainer's defaults
  std::string model = "scalar";              // scalar, recorded, manual, ...: conformance/plugins/model.cpp
  json script = json::object();              // the model's script, see conformance/plugins/script.hpp and scalar.hpp
  json data = json::object();                // see conformance/plugins/data.hpp; its batch_size is also the loader's
  bool datamodule = false;                   // true = the data comes from a data module, false = from the model
  std::vector<Part> callbacks = {{"cb", "scripted_callback", {}}};
  std::vector<Part> loggers;
  bool defaults = false;  // apply the host's default configuration
  bool return_predictions = true;
  json trace = json::object();  // {instance of a built-in callback: [hooks]}: events to record for the instance
  std::string ckpt_path;
  std::string root;                                    // default_root_dir; empty = a new temporary folder
  std::vector<std::pair<std::string, json>> settings;  // other settings, by dotted key
  std::function<void(levin::core::Trainer&)> inspect;  // called after the calls, even if they failed
  bool captures_output = false;                        // store standard output in Observed::output

  Part& observer();  // returns the callback "cb", and adds it first if it is missing
  // Assign each action or log call of a case to the model or to the callback "cb", as its "who" says.
  void add_script(const json& script);
  void add_logs(const json& logs);
  // Adds callbacks by class name; the other keys are options. A second callback of the same class gets a numbered name.
  void add_callbacks(const json& list, const std::string& default_class);
};

struct Observed {
  std::optional<std::string> error;   // error of the failed call; nullopt = no call failed
  int code = 0;                       // exit code; 130 = interrupted
  std::vector<json> records;          // all records of the plugins, in order
  json final_state = json::object();  // current_epoch, global_step, should_stop and metrics at the last teardown
  std::vector<json> results;          // of the last validate or test: {name: value} per loader
  std::vector<std::string> lines;     // warnings and console lines
  std::map<std::string, levin::core::StateBag> states;  // the state that each callback saves, by instance name
  std::string output;                                   // standard output, if captured
  std::filesystem::path root;                           // default_root_dir
  std::shared_ptr<TempDir> folder;                      // owns `root` if it is temporary, else nullptr

  // Returns the records of this hook of this receiver; empty = any.
  std::vector<json> hooks(const std::string& who, const std::string& hook = "") const;
  json losses() const;  // losses recorded by on_train_batch_end, if the script watches "loss"
  // logger_calls() returns [metrics, step] for each call of a logger's metrics(); logger_other() returns
  // "finalize:STATUS" for each call of finalize().
  json logger_calls() const;
  json logger_other() const;
};

// Builds the Trainer and makes the calls. A levin::core::Error is not thrown but returned in Observed::error.
Observed run(const ScriptedRun& request);

// Returns the outcome of a case: `seen`, and the run's error if any.
struct Outcome;
Outcome outcome_of(const Observed& observed, json seen);

}  // namespace conformance
