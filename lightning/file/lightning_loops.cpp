#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/base/json.hpp"
#include "lightning/file/state_conversions.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* fields[] = {"ready", "started", "processed", "completed"};
constexpr const char* spans[] = {"total", "current"};

// The names of a progress. This program's names are flat; Lightning's optimizer progress is nested.
struct ProgressName {
  const char* ours;
  const char* key;      // of fit_loop
  const char* within;   // path below the key, or ""
  const char* letters;  // first letters of the fields that Lightning has
};
constexpr const char* optim_progress = "epoch_loop.automatic_optimization.optim_progress";
constexpr const char* batches = "epoch_loop.batch_progress";
constexpr const char* val_batches = "epoch_loop.val_loop.batch_progress";
constexpr const char* optimizer_steps = "epoch_loop.automatic_optimization.optim_progress.optimizer.step";
constexpr const char* zero_grads = "epoch_loop.automatic_optimization.optim_progress.optimizer.zero_grad";
constexpr const char* manual_steps = "epoch_loop.manual_optimization.optim_step_progress";
constexpr ProgressName all_progress[] = {{"epoch_progress", "epoch_progress", "", "rspc"},
                                         {batches, batches, "", "rspc"},
                                         {"epoch_loop.scheduler_progress", "epoch_loop.scheduler_progress", "", "rc"},
                                         {optimizer_steps, optim_progress, "/optimizer/step", "rc"},
                                         {zero_grads, optim_progress, "/optimizer/zero_grad", "rsc"},
                                         {manual_steps, manual_steps, "", "rc"},
                                         {val_batches, val_batches, "", "rspc"}};

bool has_field(const ProgressName& name, const std::string& field) {
  return std::string(name.letters).find(field[0]) != std::string::npos;
}

[[noreturn]] void refuse_loops(const std::string& what) { throw std::runtime_error("loops/fit_loop: " + what); }

int64_t count(const json& value, const std::string& where) {
  if (!json_rule::count(value)) refuse_loops(where + " is " + show(value) + ", which is not a count");
  return value;
}

json progress_of(const json& fit_loop, const ProgressName& name) {
  const json* at = fit_loop.contains(name.key) ? &fit_loop[name.key] : nullptr;
  const json::json_pointer within(name.within);
  if (at == nullptr || !at->is_object() || !at->contains(within)) refuse_loops(std::string("it has no ") + name.ours);
  json out = json::object();
  for (const char* span : spans)
    for (const char* field : fields) {
      const json::json_pointer place(std::string("/") + span + "/" + field);
      const json& progress = (*at)[within];
      const bool has = has_field(name, field);
      if (has && !(progress.is_object() && progress.contains(place)))
        refuse_loops(std::string(name.ours) + " has no " + span + "." + field);
      out[span][field] = has ? count(progress[place], std::string(name.ours) + "." + span + "." + field) : 0;
    }
  return out;
}

// Returns which part of the batch, in which the file was saved, is left to do after its step. See ResumePoint.
int rest_of_batch(const json& progress, int64_t batches_that_stepped) {
  const json& batch = progress[batches]["current"];
  if (batch["completed"] < batch["processed"]) return 1;
  if (batch["ready"] != batch["processed"]) return 0;
  const json& steps = progress[optimizer_steps]["total"]["completed"];
  return steps > 0 && batches_that_stepped >= steps ? 0 : 2;  // 2 = validated, but not yet counted
}

bool flag(const json& fit_loop, const char* key) {
  return fit_loop[key].is_object() && fit_loop[key].value("is_last_batch", json()) == true;
}

}  // namespace

json loops_of_lightning(const json& fit_loop) {
  if (!fit_loop.is_object()) refuse_loops("it is no dict");
  json progress = json::object();
  for (const ProgressName& name : all_progress) progress[name.ours] = progress_of(fit_loop, name);
  const json state = fit_loop.value("epoch_loop.state_dict", json());
  const json stepped = state.is_object() ? state.value("_batches_that_stepped", json()) : json();
  const int64_t batches_that_stepped = count(stepped, "_batches_that_stepped");
  const json& automatic = progress[optimizer_steps]["total"];
  const json& zeroed = progress[zero_grads]["total"]["completed"];
  json out = {{"epochs_completed", progress["epoch_progress"]["total"]["completed"]},
              {"global_step",
               automatic["completed"].get<int64_t>() + progress[manual_steps]["total"]["completed"].get<int64_t>()},
              {"batches_that_stepped", batches_that_stepped},
              {"train_seconds", 0.0},
              {"epoch_schedules_pending", false},
              {"is_last_batch", flag(fit_loop, batches)},
              {"is_last_val_batch", flag(fit_loop, val_batches)},
              {"tail", rest_of_batch(progress, batches_that_stepped)},
              {"window_open", zeroed > automatic["completed"]},
              {"validating", false},
              {"val_batches_seen", json::array()},
              {"epoch_cut", false}};
  out["progress"] = std::move(progress);
  return out;
}

json loops_for_lightning(const json& loops) {
  json out = json::object();
  const json& progress = loops.at("progress");
  for (const ProgressName& name : all_progress) {
    if (!progress.contains(name.ours)) continue;
    json of = json::object();
    for (const char* span : spans)
      for (const char* field : fields)
        if (has_field(name, field)) of[span][field] = progress[name.ours].at(span).at(field);
    out[name.key][json::json_pointer(name.within)] = std::move(of);
  }
  out[batches]["is_last_batch"] = loops.value("is_last_batch", false);
  out[val_batches]["is_last_batch"] = loops.value("is_last_val_batch", false);
  out["epoch_loop.state_dict"] = {{"_batches_that_stepped", loops.at("batches_that_stepped")}};
  for (const char* part : {"state_dict", "epoch_loop.automatic_optimization.state_dict",
                           "epoch_loop.manual_optimization.state_dict", "epoch_loop.val_loop.state_dict"})
    out[part] = json::object();
  return out;
}

}  // namespace levin::core
