// Runs the real Trainer with scripted plugins. The input is what a case asks for, and the output is what the plugins
// recorded. README.md explains it by examples.
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

// A callback or logger of the run. component: "" switches the instance off.
struct Part {
  std::string name, component;
  json options = json::object();
};

struct ScriptedRun {
  std::vector<std::string> calls = {"fit"};  // the functions to call, one after the other on the same Trainer
  json trainer = json::object();             // flags by Lightning's names; others have the defaults of the Trainer
  std::string model = "scalar";              // scalar, recorded, manual, ...: conformance/plugins/model.cpp
  json script = json::object();              // the model's script: see conformance/plugins/script.hpp and model.cpp
  json data = json::object();                // see conformance/plugins/data.hpp; its batch_size is also the loader's
  bool datamodule = false;                   // true: the data comes from a data module; false: from the model itself
  std::vector<Part> callbacks = {{"cb", "scripted_callback", {}}};
  std::vector<Part> loggers;
  bool defaults = false;  // apply the host's default configuration, as for users
  bool return_predictions = true;
  json trace = json::object();  // {instance of a built-in callback: [hooks]}: record these events of the instance
  std::string ckpt_path;
  std::string root;                                    // default_root_dir; "": a new temporary folder
  std::vector<std::pair<std::string, json>> settings;  // other settings, by dotted key
  std::function<void(levin::core::Trainer&)> inspect;  // called after the calls, also if they failed
  bool captures_output = false;                        // write standard output to Observed::output

  Part& observer();  // the callback "cb", which is added if it is missing
  // Give each action or log call of a case to the model or the callback "cb", as its "who" says.
  void add_script(const json& script);
  void add_logs(const json& logs);
  // Adds callbacks by class name, with the other keys as options. A second callback of a class gets a numbered name.
  void add_callbacks(const json& list, const std::string& default_class);
};

struct Observed {
  std::optional<std::string> error;   // the error of the failed call; nullopt: none failed
  int code = 0;                       // exit code; 130: interrupted
  std::vector<json> records;          // all records of the plugins, in order
  json final_state = json::object();  // current_epoch, global_step, should_stop and metrics at the last teardown
  std::vector<json> results;          // of the last validate or test: {name: value} for each loader
  std::vector<std::string> lines;     // warnings and lines of the console
  std::map<std::string, levin::core::StateBag> states;  // the state that each callback saves, by instance name
  std::string output;                                   // standard output, if it was captured
  std::filesystem::path root;                           // default_root_dir
  std::shared_ptr<TempDir> folder;                      // owns `root` if it is temporary, else nullptr

  // The records of this hook of this receiver; "": any.
  std::vector<json> hooks(const std::string& who, const std::string& hook = "") const;
  json losses() const;  // the losses that on_train_batch_end recorded, if the script watches "loss"
  // logger_calls() has [metrics, step] for each call of a logger's metrics(), and logger_other() has
  // "finalize:STATUS" for each call of finalize().
  json logger_calls() const;
  json logger_other() const;
};

// Builds the Trainer and makes the calls. Does not throw levin::core::Error, but returns its text.
Observed run(const ScriptedRun& request);

// The outcome of a suite's case: `seen`, and the run's error if there is one.
struct Outcome;
Outcome outcome_of(const Observed& observed, json seen);

}  // namespace conformance
