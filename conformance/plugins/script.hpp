// What a scripted plugin is told to do and to write down, as the JSON text of its option `script`:
//   who      the name in the records ("lm", "cb", "dm"); of a callback the instance's name by default
//   record   true: every hook; a list: these; absent: none but those of `watch`
//   watch    {hook: [names]}: what to write down there: numbers of the run (levin_trainer.number), "loss", "text",
//            "items", "files" of `folder`; a model's "w" and "grad"
//   script   the list of deeds; {"do": "save", "path", "weights_only"?, "step"?}
//   logs     the list of log calls; a value {"list": [...]} gives one after the other, {"by_epoch": [...]} by epoch
// A record of a hook: {"who", "hook", "depth", "args", "kwargs"?, "epoch", "step", "stage", "batch_idx", "watch"?}.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "conformance/plugins/recorder.hpp"

namespace scripted {

inline constexpr levin_option script_option = levin::json("script", "{}", "what to do and to write down");

// Where a hook or step was entered.
struct Place {
  std::string hook;
  levin::Run run;
  int64_t batch_idx = -1, dataloader_idx = -1;
  const levin_batch* batch = nullptr;
  levin_tensor* loss = nullptr;
  std::string text{};
  std::function<double(const std::string&)> more{};  // other numbers to watch
};

class Script {
 public:
  explicit Script(const levin::Args& o, const std::string& who = "lm");
  explicit Script(const json& script, const std::string& who = "lm");

  const std::string& who() const { return who_; }
  const json& all() const { return json_; }
  bool records(const std::string& hook) const;
  // Writes the record, does the deeds (which may throw) and makes the log calls. Returns the status of a deed, and sets
  // nothing() where the step is to return nothing.
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
  std::vector<int64_t> calls_;  // made by each entry of logs
};

// The arguments that a hook has in Lightning, from its event.
json hook_arguments(const levin_host* host, const levin::Event& event);
json hook_keywords(const levin::Event& event);
const char* stage_text(uint32_t stage);

}  // namespace scripted
