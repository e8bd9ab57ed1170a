#include "trainer/settings.hpp"

#include <type_traits>
#include <utility>

#include "core/base/text.hpp"
#include "core/config/schema.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

struct OptionMember {
  const char* key;
  Value TrainerOptions::*value;
};
#define LEVIN_TRAINER_OPTION(name) \
  { "trainer." #name, &TrainerOptions::name }
constexpr OptionMember option_members[] = {
    LEVIN_TRAINER_OPTION(max_epochs),
    LEVIN_TRAINER_OPTION(max_steps),
    LEVIN_TRAINER_OPTION(min_epochs),
    LEVIN_TRAINER_OPTION(min_steps),
    LEVIN_TRAINER_OPTION(accelerator),
    LEVIN_TRAINER_OPTION(devices),
    LEVIN_TRAINER_OPTION(precision),
    LEVIN_TRAINER_OPTION(num_threads),
    LEVIN_TRAINER_OPTION(accumulate_grad_batches),
    LEVIN_TRAINER_OPTION(gradient_clip_val),
    LEVIN_TRAINER_OPTION(gradient_clip_algorithm),
    LEVIN_TRAINER_OPTION(limit_train_batches),
    LEVIN_TRAINER_OPTION(limit_val_batches),
    LEVIN_TRAINER_OPTION(limit_test_batches),
    LEVIN_TRAINER_OPTION(limit_predict_batches),
    LEVIN_TRAINER_OPTION(val_check_interval),
    LEVIN_TRAINER_OPTION(check_val_every_n_epoch),
    LEVIN_TRAINER_OPTION(num_sanity_val_steps),
    LEVIN_TRAINER_OPTION(log_every_n_steps),
    LEVIN_TRAINER_OPTION(fast_dev_run),
    LEVIN_TRAINER_OPTION(deterministic),
    LEVIN_TRAINER_OPTION(seed_everything),
    LEVIN_TRAINER_OPTION(non_finite),
    LEVIN_TRAINER_OPTION(default_root_dir),
    LEVIN_TRAINER_OPTION(run_name),
    {"data.batch_size", &TrainerOptions::batch_size},
};
#undef LEVIN_TRAINER_OPTION

json json_of(const Value& value) {
  return std::visit(
      [](const auto& held) -> json {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, Value::List>) {
          json out = json::array();
          for (const Value& item : held) out.push_back(json_of(item));
          return out;
        } else {
          return held;
        }
      },
      value.any());
}

void add(std::vector<Setting>& to, const std::string& key, json value, const char* origin = "TrainerOptions") {
  to.push_back({key, std::move(value), origin, rank_command_line});
}

// Returns the key of a setting of `more`: trainer options may lack their prefix, as on the command line.
std::string whole_key(const std::string& key) {
  if (key.find('.') != std::string::npos || key == "ckpt_path") return key;
  if (find_trainer_option(key) != nullptr) return "trainer." + key;
  std::vector<std::string> known;
  for (const TrainerOption& option : trainer_options()) known.push_back(option.schema.name);
  throw Error(ErrorCode::option_unknown,
              "TrainerOptions: there is no trainer option '" + key + "'" + did_you_mean(key, known));
}

std::string instance_of(const levin::Component& component) {
  return component.name.empty() ? component.id.substr(component.id.rfind(':') + 1) : component.name;
}

void add_component(std::vector<Setting>& to, const std::string& key, const levin::Component& component) {
  add(to, key, component.id);
  for (const auto& [name, value] : component.options) add(to, key + "." + name, json_of(value));
}

}  // namespace

std::vector<Setting> settings_of(const TrainerOptions& options, const std::string& program,
                                 const detail::ProgramPlugin& own, const levin::Component* data) {
  std::vector<Setting> out;
  for (const levin_component& component : own.components) {
    const bool callback = component.kind == LEVIN_KIND_CALLBACK;
    add(out, kind_name(component.kind) + (callback ? "." + std::string(component.id) : ""),
        program + ":" + component.id);
  }
  for (const auto& [name, value] : own.model_options)
    add(out, "model." + name, json_of(value), "options of the program's model");
  if (data) add_component(out, "data", *data);
  for (const levin::Component& callback : options.callbacks)
    add_component(out, "callback." + instance_of(callback), callback);
  for (const levin::Component& logger : options.loggers) add_component(out, "logger." + instance_of(logger), logger);
  for (const auto& [key, member] : option_members)
    if (const Value& value = options.*member; value.any().index() != 0) add(out, key, json_of(value));
  for (const auto& [key, value] : options.more) add(out, whole_key(key), json_of(value));
  return out;
}

}  // namespace levin::core
