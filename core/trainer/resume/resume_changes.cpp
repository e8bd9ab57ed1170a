#include "core/trainer/resume/resume_source.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/trainer_enums.hpp"
#include "core/optim/lr_scaling.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Trainer options that change the results, not only the speed or the output.
constexpr const char* trainer_options[] = {"accelerator",
                                           "accumulate_exact",
                                           "accumulate_grad_batches",
                                           "check_val_every_n_epoch",
                                           "deterministic",
                                           "gradient_clip_algorithm",
                                           "gradient_clip_val",
                                           "limit_train_batches",
                                           "limit_val_batches",
                                           "multiple_trainloader_mode",
                                           "overfit_batches",
                                           "precision",
                                           "reload_dataloaders_every_n_epochs",
                                           "truncated_bptt_steps",
                                           "val_check_interval"};
// Data loader options that only change the speed.
constexpr const char* speed_options[] = {"num_workers", "prefetch_factor", "pin_memory"};

class Differences {
 public:
  void compare(const std::string& what, const json& was, const json& is, const std::string& remark = "") {
    if (!was.is_null() && was != is) lines.push_back(what + " is " + show(is) + " and was " + show(was) + remark);
  }
  // Options that only one side has belong to another version of the plugin, which is reported elsewhere.
  template <class Wanted>
  void compare_options(const std::string& group, const json& was, const json& is, Wanted&& wanted,
                       const std::string& remark = "") {
    if (!was.is_object() || !is.is_object()) return;
    for (const auto& [name, value] : is.items()) {
      const auto before = was.find(name);
      if (before != was.end() && *before != value && wanted(name))
        lines.push_back(group + "." + name + " is " + show(value) + " and was " + show(*before) + remark);
    }
  }
  void compare_component(const std::string& group, const json& was, const json& is, const std::string& remark = "") {
    if (!was.is_object() || !is.is_object() || member(was, "component") != member(is, "component")) return;
    compare_options(
        group, member(was, "options"), member(is, "options"), [](const auto&) { return true; }, remark);
  }
  static json member(const json& of, const char* name) { return of.is_object() ? of.value(name, json()) : json(); }

  std::vector<std::string> lines;
};

const json* instance_named(const json& list, const json& name) {
  if (!list.is_array()) return nullptr;
  for (const json& one : list)
    if (Differences::member(one, "name") == name) return &one;
  return nullptr;
}

// Returns what computes in parallel in a process of the run, and its number in the form of trainer.devices.
std::pair<const char*, json> parallel_parts(const json& config) {
  const json trainer = Differences::member(config, "trainer");
  if (!trainer.is_object()) return {};
  const char* parts = facts_of(trainer.value("strategy", "auto")).parallel;
  return {parts, parts ? Differences::member(trainer, "devices") : json(1)};
}

bool accumulates(const json& config) {
  const json window = Differences::member(Differences::member(config, "trainer"), "accumulate_grad_batches");
  return !window.is_null() && window != 1;
}

bool has_open_window(const json& manifest) {
  const json loops = Differences::member(manifest, "loops");
  return Differences::member(loops, "window_open") == true;
}

}  // namespace

std::vector<std::string> resume_changes(const json& manifest, const RunConditions& now) {
  const auto member = &Differences::member;
  const json was = member(manifest, "config");
  Differences d;
  d.compare("the number of threads", member(manifest, "num_threads"), now.num_threads,
            ", so sums may be rounded differently");
  d.compare("the number of processes", manifest.is_object() ? json(manifest.value("world_size", 1)) : json(),
            now.processes,
            std::string(", so a running epoch continues at about the same fraction of its rows") +
                (accumulates(now.config) ? ", with a new accumulation window" : ""));
  d.compare("the factor of learning rates (trainer.scale_lr)", saved_lr_scaling(manifest),
            saved_lr_scaling({{"config", now.config}, {"world_size", now.processes}}),
            ", also for those of the checkpoint");
  if (manifest.is_object() && manifest.value("world_size", 1) > 1 && !manifest.contains("ranks"))
    d.lines.push_back(
        std::string("rank 0 saved it after another rank was lost, so random numbers and metrics of the other ranks ") +
        (has_open_window(manifest) ? "and the accumulation window are reset" : "are reset"));
  const auto [parts_before, number_before] = parallel_parts(was);
  const auto [parts_now, number_now] = parallel_parts(now.config);
  if (const char* parts = parts_now ? parts_now : parts_before)
    d.compare(std::string("the number of the model's ") + parts, number_before, number_now,
              ", so they draw other random numbers");
  d.compare("trainer.seed_everything", member(manifest, "seed"), now.seed);
  d.compare("LibTorch", member(manifest, "torch_version"), now.torch_version);
  d.compare_component("model", member(was, "model"), member(now.config, "model"),
                      "; optimizers and schedules go on as the checkpoint has them");
  d.compare_component("data", member(was, "data"), member(now.config, "data"));
  d.compare_options("data", member(was, "loader"), member(now.config, "loader"),
                    [](const std::string& name) { return !is_one_of(name, speed_options); });
  d.compare_options("trainer", member(was, "trainer"), member(now.config, "trainer"),
                    [](const std::string& name) { return is_one_of(name, trainer_options); });
  const json callbacks = member(was, "callbacks");
  for (const json& callback : member(now.config, "callbacks"))
    if (const json* before = instance_named(callbacks, member(callback, "name")))
      d.compare_component("callback." + callback.value("name", ""), *before, callback);
  return d.lines;
}

}  // namespace levin::core
