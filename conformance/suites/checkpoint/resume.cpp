// The contents of a checkpoint, and a fit that resumes from one.
#include <algorithm>
#include <cstring>
#include <set>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

// Contents

// The parts of a checkpoint by Lightning's names: which are present, and their values.
class Contents {
 public:
  explicit Contents(const std::string& path) : file_(path), manifest_(file_.manifest()) {
    add("callbacks", manifest_.contains("components") && !file_.weights_only(), nullptr);
    add("epoch", manifest_.contains("epoch"), manifest_.value("epoch", json()));
    add("global_step", manifest_.contains("global_step"), manifest_.value("global_step", json()));
    const json model = part("model").value("hparams", json::object()), data = part("data");
    add("hyper_parameters", !model.empty(), model);
    add("datamodule_hyper_parameters", data.contains("hparams"), data.value("hparams", json()));
    add("loops", manifest_.contains("loops"), nullptr);
    add("lr_schedulers", manifest_.contains("lr_schedulers"), nullptr);
    add("optimizer_states", manifest_.contains("optimizer_states"), nullptr);
    add("state_dict", !file_.keys("state_dict").empty(), nullptr);
    const core::StateBag extra = file_.bag("extra"), data_state = file_.bag("data");
    for (const auto& [key, bytes] : extra.bytes()) add(key, true, json::parse(bytes));
    json state = json::object();
    for (const auto& [key, bytes] : data_state.bytes()) state[key] = integer(bytes);
    add("datamodule_state", !state.empty(), state);
  }
  json holds() const { return holds_; }
  json values(const json& wanted) const {
    json out = json::object();
    for (const auto& [name, value] : wanted.items())
      if (values_.contains(name)) out[name] = values_.at(name);
    return out;
  }
  // Returns the fields of each callback's state, by Lightning's names.
  json callback_states(const json& wanted) const {
    const std::map<std::string, std::set<std::string>> names = {{"message", {"stopping_reason_message"}},
                                                                {"checks", {}},
                                                                {"train_seconds", {"time_elapsed"}},
                                                                {"best_k_paths", {"best_k_models"}},
                                                                {"best_k_scores", {"best_k_models"}}};
    // Fields that only Levin has, for an exact resume after a killed run.
    const std::set<std::string> own = {"asked",     "options",    "newest_path",  "unscored_path",
                                       "to_remove", "last_due",   "announce_due", "validated",
                                       "deferred",  "saved_step", "epoch",        "seconds_since_last"};
    json out = json::object();
    for (const auto& [name, fields] : wanted.items()) {
      std::set<std::string> found;
      const core::StateBag bag = file_.bag("callbacks." + component_id(name));
      for (const auto& [key, bytes] : bag.bytes()) {
        if (own.count(key) != 0) continue;
        for (const std::string& field : names.count(key) ? names.at(key) : std::set<std::string>{key})
          found.insert(field);
      }
      out[name] = found;
    }
    return out;
  }

 private:
  void add(const std::string& name, bool there, json value) {
    if (!there) return;
    holds_.push_back(name);
    values_[name] = std::move(value);
  }
  json part(const std::string& name) const {
    const json component = manifest_.at("config").value(name, json());
    if (!component.is_object()) return json::object();
    return component.at("options").value("script", json::object());
  }
  static json integer(const std::string& bytes) {
    int64_t value = 0;
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  core::CheckpointReader file_;
  const json& manifest_;
  json holds_ = json::array(), values_ = json::object();
};

json sorted(json list) {
  std::sort(list.begin(), list.end());
  return list;
}

Outcome run_contents(const Case& c) {
  const TempDir folder;
  const std::string path = (folder.path() / "saved.ckpt").string();
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.script = {{"hparams", c.inputs.at("hparams")}, {"adds", c.inputs.at("on_save_checkpoint_adds")}};
  request.data["train"] = {c.inputs.at("train_batches")};
  request.datamodule = c.inputs.at("datamodule");
  if (request.datamodule) {
    request.data["hparams"] = {{"x", 1}};
    request.data["state"] = {{"pos", 3}};
  }
  for (json options : c.inputs.at("callbacks")) {
    const std::string id = component_id(options.value("name", "EarlyStopping"));
    options.erase("name");
    request.callbacks.push_back({id, id, options});
  }
  request.callbacks[0].options["script"]["script"] = {
      {{"hook", "on_fit_end"}, {"do", "save"}, {"path", path}, {"weights_only", c.inputs.at("weights_only")}}};
  const Observed seen = run(request);
  if (seen.error) return outcome_of(seen, {});
  const Contents contents(path);
  Outcome out;
  out.expected = c.expected;
  (*out.expected)["holds"] = sorted(c.expected.at("holds"));
  out.seen = {{"holds", sorted(contents.holds())},
              {"values", contents.values(c.expected.at("values"))},
              {"callback_states", contents.callback_states(c.expected.value("callback_states", json::object()))}};
  return out;
}
const SuiteEntry contents("checkpoint_contents", &run_contents);

// Resuming

// Rewrites the file without some of its parts.
void take_out(const std::string& path, const json& parts) {
  const core::SafetensorsReader file(path);
  file.verify();
  core::SafetensorsContent content;
  content.manifest = file.manifest();
  content.manifest.erase("tensors");
  content.metadata["format"] = "pt";
  const auto goes = [&](const std::string& name) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const json& p) { return name.rfind(p.get<std::string>() + ".", 0) == 0; });
  };
  for (const json& part : parts) content.manifest.erase(part.get<std::string>());
  for (const std::string& name : file.names()) {
    const core::TensorView view = file.tensor(name);
    if (!goes(name)) content.tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
  }
  core::write_safetensors(path + ".new", content);
  std::filesystem::rename(path + ".new", path);
}

ScriptedRun resume_request(const Case& c, const json& trainer) {
  ScriptedRun request;
  request.trainer = trainer;
  request.trainer["num_sanity_val_steps"] = 0;
  request.data = {{"train", {c.inputs.at("train_batches")}}, {"val", {c.inputs.at("val_batches")}}};
  if (c.inputs.at("val_batches") == 0) request.trainer["limit_val_batches"] = 0;
  request.script["watch"] = {{"training_step", {"items"}}, {"validation_step", json::array()}, {"on_fit_end", {"w"}}};
  return request;
}

json steps_of(const Observed& seen) {
  json out = json::array();
  for (const json& h : seen.hooks("lm", "training_step"))
    out.push_back({h.at("epoch"), h.at("batch_idx"), h.at("watch").at("items").at(0)});
  return out;
}

json last_weight(const Observed& seen) {
  const auto ends = seen.hooks("lm", "on_fit_end");
  return ends.empty() ? json() : ends.back().at("watch").at("w");
}

// Returns the number of validation batches that the run had done when the hook wrote the checkpoint. The hook runs
// within a step, or after the validation that follows the step.
int64_t validated_before(const Observed& seen, const Case& c) {
  const int64_t steps = c.inputs.at("save_at_global_step");
  const bool at_batch_end = c.inputs.at("save_in") == "on_train_batch_end";
  int64_t trained = 0, validated = 0;
  for (const json& h : seen.hooks("lm")) {
    const std::string hook = h.at("hook");
    if (hook == "training_step" && (++trained > steps || (at_batch_end && trained == steps))) break;
    if (hook == "validation_step") ++validated;
  }
  return validated;
}

// Returns true if the resumed fit did exactly what the uninterrupted one does from there on.
bool went_on_exactly(const Case& c, const Observed& before, const Observed& after, const Observed& whole) {
  if (after.error || whole.error) return false;
  const json steps = steps_of(after), all = steps_of(whole);
  if (steps.size() > all.size() || !std::equal(steps.begin(), steps.end(), all.end() - static_cast<long>(steps.size())))
    return false;
  const auto validated = [](const Observed& seen) {
    return static_cast<int64_t>(seen.hooks("lm", "validation_step").size());
  };
  return validated(after) == validated(whole) - validated_before(before, c) && last_weight(after) == last_weight(whole);
}

// Compares the results that do not depend on how exactly a fit resumes.
bool ends_alike(const json& expected, const json& seen) {
  for (const char* key : {"first_run", "final_epoch", "final_global_step"})
    if (expected.contains(key) && !difference(expected.at(key), seen.at(key)).empty()) return false;
  return true;
}

bool lacks(const Observed& after, const json& parts) {
  return after.error && std::any_of(parts.begin(), parts.end(), [&](const json& part) {
           return after.error->find("the checkpoint has no " + part.get<std::string>()) != std::string::npos;
         });
}

Outcome run_resume(const Case& c) {
  const TempDir folder;
  const std::string path = (folder.path() / "saved.ckpt").string();
  ScriptedRun first = resume_request(c, c.inputs.at("first_run"));
  first.callbacks[0].options["script"]["script"] = {
      {{"hook", c.inputs.at("save_in")}, {"do", "save"}, {"step", c.inputs.at("save_at_global_step")}, {"path", path}}};
  const Observed before = run(first);
  if (before.error) return outcome_of(before, {});
  if (!c.inputs.at("remove_from_checkpoint").empty()) take_out(path, c.inputs.at("remove_from_checkpoint"));
  const Observed whole = run(resume_request(c, c.inputs.at("resumed_run")));
  ScriptedRun second = resume_request(c, c.inputs.at("resumed_run"));
  second.ckpt_path = path;
  const Observed after = run(second);
  Outcome out = outcome_of(after, {{"first_run", steps_of(before)},
                                   {"steps_after_resume", steps_of(after)},
                                   {"validation_batches_after_resume", after.hooks("lm", "validation_step").size()},
                                   {"w_equal_uninterrupted", last_weight(after) == last_weight(whole)},
                                   {"final_epoch", after.final_state.value("current_epoch", json())},
                                   {"final_global_step", after.final_state.value("global_step", json())}});
  if (c.expected.value("error", false)) return out;
  if (lacks(after, c.inputs.at("remove_from_checkpoint")))
    out.decided = "a fit does not go on from a checkpoint that lacks a part of its state (docs/adr/0014)";
  else if (ends_alike(c.expected, out.seen) && went_on_exactly(c, before, after, whole))
    out.decided = "a fit goes on exactly, at the next item and with a validation that is due (docs/adr/0014)";
  return out;
}
const SuiteEntry resume("resume", &run_resume);

}  // namespace
}  // namespace conformance
