// The script of a scripted plugin: what it does and records, as the JSON text of its option `script`:
//   who      its name in the records ("lm", "cb", "dm"); default for a callback: the instance's name
//   record   true: every hook; a list: these hooks; absent: only the hooks of `watch`
//   watch    {hook: [names]}: values to record there: numbers of the run (levin_trainer.number), "loss", "lr", "text",
//            "items", "files" of `folder`; for a model also "w" and "grad"
//   script   list of actions, e.g. {"do": "save", "path", "weights_only"?, "step"?}
//   logs     list of log calls; a value {"list": [...]} is read item by item, {"by_epoch": [...]} by epoch
// The record of a hook: {"who", "hook", "depth", "args", "kwargs"?, "epoch", "step", "stage", "batch_idx", "watch"?}.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "conformance/plugins/recorder.hpp"

namespace scripted {

inline constexpr levin_option script_option = levin::json("script", "{}", "what to do and to write down");

// The hook or step that was entered, and its arguments.
struct Place {
  std::string hook;
  levin::Run run;
  int64_t batch_idx = -1, dataloader_idx = -1;
  const levin_batch* batch = nullptr;
  levin_tensor* loss = nullptr;
  std::string text{};
  std::function<double(const std::string&)> more{};  // returns further watched numbers
};

class Script {
 public:
  explicit Script(const levin::Args& o, const std::string& who = "lm");
  explicit Script(const json& script, const std::string& who = "lm");

  const std::string& who() const { return who_; }
  const json& all() const { return json_; }
  bool records(const std::string& hook) const;
  // Writes the record, performs the actions (which may throw) and makes the log calls. Returns the status of an action.
  // nothing() is true afterwards if the step must return nothing.
  levin_status enter(const Place& at, json args, json kwargs = nullptr);
  bool nothing() const { return nothing_; }

 private:
  void write(const Place& at, json args, json kwargs);
  levin_status deeds(const Place& at);
  void logs(const Place& at);
  void log(const Place& at, const json& entry, size_t index);

  json json_;
  std::string who_;
  bool record_all_ = false, nothing_ = false;
  std::vector<std::string> recorded_;
  std::vector<int64_t> calls_;  // number of calls made by each entry of logs
};

// Return the arguments that the hook has in Lightning.
json hook_arguments(const levin_host* host, const levin::Event& event);
json hook_keywords(const levin::Event& event);
const char* stage_text(uint32_t stage);

}  // namespace scripted
