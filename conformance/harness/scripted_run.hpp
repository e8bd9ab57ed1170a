// A run of the real Trainer on scripted parts: what a case asks for goes in, what the parts wrote down comes out.
// README.md explains it by examples.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case_file.hpp"
#include "conformance/harness/setting.hpp"
#include "core/abi/state_bag.hpp"
#include "core/trainer/trainer.hpp"

namespace conformance {

// A callback or logger of the run. component: "" switches the instance off (false).
struct Part {
  std::string name, component;
  json options = json::object();
};

struct ScriptedRun {
  std::vector<std::string> calls = {"fit"};  // entry points, one after the other on one Trainer
  json trainer = json::object();             // flags by Lightning's names; those left out have the quiet defaults
  std::string model = "scalar";              // scalar, recorded, manual, ...: conformance/plugins/model.cpp
  json script = json::object();              // of the model: conformance/plugins/script.hpp and model.cpp
  json data = json::object();                // conformance/plugins/data.hpp; batch_size also sets the loader's
  bool datamodule = false;                   // the data comes from a data module; else from the model itself
  std::vector<Part> callbacks = {{"cb", "scripted_callback", {}}};
  std::vector<Part> loggers;
  bool defaults = false;  // the host's default configuration counts, as for users
  bool return_predictions = true;
  json trace = json::object();  // {instance of a built-in callback: [hooks]}: what the dispatcher sends it, as records
  std::string ckpt_path;
  std::string root;                                    // default_root_dir; "": a folder of its own
  std::vector<std::pair<std::string, json>> settings;  // any others, by dotted key
  std::function<void(levin::core::Trainer&)> inspect;  // after the calls, also when they failed
  bool captures_output = false;                        // Observed::output, which else goes to the terminal

  Part& observer();  // the callback "cb"
  // The deeds and log calls of a case go to those that they name.
  void add_script(const json& script);
  void add_logs(const json& logs);
  // Callbacks by class name, with their other keys as options; a second one of a class gets a number to its name.
  void add_callbacks(const json& list, const std::string& default_class);
};

struct Observed {
  std::optional<std::string> error;   // the call failed
  int code = 0;                       // exit code; 130: interrupted
  std::vector<json> records;          // all, in order
  json final_state = json::object();  // current_epoch, global_step, should_stop, metrics: of the last teardown
  std::vector<json> results;          // of the last validate or test: name -> value, one of each loader
  std::vector<std::string> lines;     // for people
  std::map<std::string, levin::core::StateBag> states;  // what each callback saves, by its instance
  std::string output;                                   // standard output, where it was captured
  std::filesystem::path root;                           // default_root_dir
  std::shared_ptr<TempDir> folder;                      // keeps it

  // Records of hooks; who "" and hook "": any.
  std::vector<json> hooks(const std::string& who, const std::string& hook = "") const;
  json losses() const;  // of on_train_batch_end, where "loss" is watched
  // [[metrics, step]] of each call of the logger; its other calls as "finalize:success", "after_save".
  json logger_calls() const;
  json logger_other() const;
};

// A case's flags, spread over options: quiet where nothing is said.
Observed run(const ScriptedRun& request);

// As a suite's outcome: the error where there is one.
struct Outcome;
Outcome outcome_of(const Observed& observed, json seen);

}  // namespace conformance
