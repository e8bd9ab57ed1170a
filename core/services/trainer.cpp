// "levin.trainer/1": logging, metrics, numbers and texts of the run, and requests to it.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/abi/failure.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/logging/media_rules.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/services/dist_parts.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "core/services/speed_settings.hpp"
#include "core/services/trial_steps.hpp"

namespace levin::core {
namespace {

TrainerParts& trainer_parts(levin_run* run) { return parts_of(run, &levin_run::trainer); }

MetricSet set_of(uint32_t set) {
  switch (set) {
    case LEVIN_METRIC_LOGGED:
      return MetricSet::logged;
    case LEVIN_METRIC_PROGRESS:
      return MetricSet::progress;
    case LEVIN_METRIC_RESULTS:
      return MetricSet::results;
    default:
      return MetricSet::callback;
  }
}

// "origin.callback.stop.monitor": where the user set this option; "" = not set by the user.
constexpr std::string_view origin_prefix = "origin.";

const char* text_of(const TrainerParts& parts, const std::string& name) {
  constexpr const char* stages[] = {"fit", "validate", "test", "predict", "sanity_check"};
  if (name == "run_dir") return parts.texts.run_dir.c_str();
  if (name == "run_id") return parts.texts.run_id.c_str();
  if (name == "run_uid") return parts.texts.run_uid.c_str();
  if (name == "resumed_from") return parts.texts.resumed_from.c_str();
  if (name == "default_root_dir") return parts.texts.default_root_dir.c_str();
  if (name == "model") return parts.texts.model.c_str();
  if (name == "data") return parts.texts.data.c_str();
  if (name == "config") return parts.texts.config.c_str();
  if (name == "torch_version") return LEVIN_TORCH_VERSION;
  if (name == "stage") return stages[parts.progress.place.stage];
  if (starts_with(name, origin_prefix)) {
    const auto found = parts.texts.origins.find(name.substr(origin_prefix.size()));
    return found == parts.texts.origins.end() ? "" : found->second.c_str();
  }
  return nullptr;
}

// Returns the value as an integer. Throws Error{usage} unless it is a whole number of at least `least`.
int64_t whole_number(const std::string& name, double value, int64_t least) {
  constexpr double most = 9e15;  // doubles represent all whole numbers up to here
  if (value >= static_cast<double>(least) && value <= most && std::trunc(value) == value)
    return static_cast<int64_t>(value);
  std::ostringstream given;
  given << value;
  throw Error(ErrorCode::call_invalid,
              name + " has to be a whole number of at least " + std::to_string(least) + ", not " + given.str());
}

// In a trial the setting is the trial's, which changes all of them back when it ends.
void set_speed(levin_run* run, const SpeedSetting& setting, double given) {
  const TrainerParts& parts = trainer_parts(run);
  if (parts.progress.epoch_runs())
    throw Error(ErrorCode::call_invalid,
                std::string(setting.name) + " can be set before an epoch, not while an epoch runs");
  const int64_t value = whole_number(setting.name, given, setting.least);
  if (value > setting.most)
    throw Error(ErrorCode::call_invalid, std::string(setting.name) + " is at most " + std::to_string(setting.most) +
                                             ", not " + std::to_string(value));
  TrialSteps* const trial = run->trial ? run->trial->current.get() : nullptr;
  if (trial) return trial->set_speed(setting, value);
  setting.set({parts.plan, parts.loaders}, value);
}

bool set_number(levin_run* run, const std::string& name, double value) {
  if (const SpeedSetting* const setting = speed_setting(name)) {
    set_speed(run, *setting, value);
    return true;
  }
  const TrainerParts& parts = trainer_parts(run);
  if (name == "accumulate_grad_batches") {
    parts.accumulation.set_batches(whole_number(name, value, 1));
    return true;
  }
  if (name == "lr_factor") {
    if (!std::isfinite(value) || value < 0)
      throw Error(ErrorCode::call_invalid, "lr_factor has to be a number from 0 up, not " + std::to_string(value));
    parts_of(run, &levin_run::optim).optimization.set_lr_factor(value);
    return true;
  }
  if (name != "max_epochs") return false;
  parts.plan.duration.max_epochs = whole_number(name, value, -1);  // -1 = no limit
  return true;
}

void set_option(const TrainerParts& parts, const std::string& name, const std::string& text) {
  const auto dot = name.find('.');
  const std::string group = name.substr(0, dot), option = dot == std::string::npos ? "" : name.substr(dot + 1);
  const nlohmann::json value = parse_json(text, "option '" + name + "'");
  if (option.empty() || (group != "model" && group != "data" && group != "trainer"))
    throw Error(ErrorCode::call_invalid,
                "option '" + name + "' cannot be set; valid: model.NAME, data.NAME, trainer.NAME");
  if (!parts.folder) return;
  nlohmann::json config = parts.folder->config();
  nlohmann::json& options = group == "trainer"                                        ? config["trainer"]
                            : group == "data" && config.at("loader").contains(option) ? config["loader"]
                                                                                      : config[group]["options"];
  if (!options.contains(option)) throw Error(ErrorCode::call_invalid, "there is no option '" + name + "' to set");
  options[option] = value;
  parts.folder->save_config(config);
}

LoggerList& begun_loggers(const TrainerParts& parts) {
  if (!parts.loggers.began())
    throw Error(ErrorCode::call_invalid,
                "the loggers have not begun yet; on_fit_start, or the start of validation, test or "
                "prediction, is the first hook that reaches them");
  return parts.loggers;
}

int64_t step_now(const TrainerParts& parts) { return parts.log.step_now(parts.progress.batches_that_stepped()); }

void log_now(const TrainerParts& parts, int64_t step, const char* const* names, const double* values, uint32_t n) {
  if (step < -1) throw Error(ErrorCode::call_invalid, "the step is " + std::to_string(step) + "; -1 is the one of now");
  for (uint32_t i = 0; i < n; ++i) check_metric_name(names[i]);
  LoggerList& loggers = begun_loggers(parts);
  if (!parts.log.reaches_loggers()) return;
  loggers.metrics(step < 0 ? step_now(parts) : step, names, values, n);
  for (uint32_t i = 0; i < n; ++i) parts.log.publish(names[i], values[i]);
}

void show_media(const TrainerParts& parts, const levin_media& media) {
  const CheckedMedia checked(media, step_now(parts));
  LoggerList& loggers = begun_loggers(parts);
  if (parts.log.reaches_loggers()) loggers.media(checked.get());
}

void keep_artifact(const TrainerParts& parts, const levin_artifact& given) {
  if (!given.path || !*given.path) throw Error(ErrorCode::call_invalid, "an artifact needs a path");
  namespace fs = std::filesystem;
  std::error_code unknown;
  const std::string path = fs::absolute(given.path).lexically_normal().string();
  if (!fs::exists(path, unknown))
    throw Error(ErrorCode::call_invalid, "artifact " + path + ": there is no such file or folder");
  const bool named = given.name && *given.name;
  const std::string name = named ? given.name : fs::path(path).filename().string();
  const fs::path kept = fs::path(name).lexically_normal();
  if (kept.is_absolute() || *kept.begin() == "..")
    throw Error(ErrorCode::call_invalid, "artifact " + path + ": the name '" + name + "' leads out of the run");
  begun_loggers(parts).artifact({sizeof given, 0, path.c_str(), name.c_str(), given.type});
}

void late_hparams(const TrainerParts& parts, const char* text) {
  const nlohmann::json hparams = parse_json(text ? text : "", "the hyper-parameters");
  if (!hparams.is_object())
    throw Error(ErrorCode::call_invalid,
                "hyper-parameters are a JSON object of names and values, not " + show(hparams));
  parts.loggers.hparams(hparams.dump());
}

// Returns the arguments with all members of this host, also for a plugin built with an older ABI that has fewer.
levin_log with_all_members(const levin_log& given) {
  levin_log log{};
  const bool knows_groups = LEVIN_KNOWS(levin_log, &given, sync_dist_group);
  std::memcpy(&log, &given, knows_groups ? sizeof log : offsetof(levin_log, sync_dist_group));
  return log;
}

void log_metric(levin_run* run, const levin_log& given) {
  const TrainerParts& parts = trainer_parts(run);
  const levin_log log = with_all_members(given);
  std::vector<int> ranks;
  if (log.sync_dist_group)
    for (const uint32_t rank : log.sync_dist_group->group->ranks) ranks.push_back(static_cast<int>(rank));
  const LogOrigin origin = instance_of(parts.model).origin().now();
  if (model_instance && model_instance->log) return model_instance->log(origin, log);
  parts.log.log(origin, log, ranks);
}

// Serves a call that must act only once: it does nothing in the other instances of the model.
template <class F>
levin_status serve_once(levin_run* run, F&& body) {
  return serve_in_turn([&] {
    const TrainerParts& parts = trainer_parts(run);
    if (speaks_for_run()) body(parts);
  });
}

levin_trainer make_trainer_table() {
  levin_trainer t{};
  t.size = sizeof t;
  t.log = [](levin_run* run, const levin_log* log) { return serve_in_turn([&] { log_metric(run, *log); }); };
  t.metric = [](levin_run* run, uint32_t set, const char* name, double* out) {
    return serve_in_turn(
        [&] { return trainer_parts(run).log.metric(set_of(set), name, *out) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  t.metrics = [](levin_run* run, uint32_t set, void (*each)(void*, const char*, double), void* ctx) {
    return serve_in_turn([&] {
      const auto items = trainer_parts(run).log.metrics(set_of(set)).items();  // a copy, because `each` may log
      for (const auto& [name, value] : items) each(ctx, name.c_str(), value);
    });
  };
  t.number = [](levin_run* run, const char* name, double* out) {
    return serve_in_turn(
        [&] { return trainer_number(trainer_parts(run), name, *out) ? LEVIN_OK : no_such("number", name); });
  };
  t.text = [](levin_run* run, const char* name, const char** out) {
    return serve_in_turn([&] { return (*out = text_of(trainer_parts(run), name)) ? LEVIN_OK : no_such("text", name); });
  };
  t.stop = [](levin_run* run, const char* reason) {
    return serve_in_turn([&] {
      const bool other_thread = run && run->stop && !is_on_training_thread(*run);
      (other_thread ? *run->stop : trainer_parts(run).progress.stop).ask(reason ? reason : "");
    });
  };
  t.skip_epoch = [](levin_run* run) {
    return serve_in_turn([&] { trainer_parts(run).agreement.ask_to_skip_epoch(); });
  };
  t.log_now = [](levin_run* run, int64_t step, const char* const* names, const double* values, uint32_t n) {
    return serve_once(run, [&](const TrainerParts& parts) { log_now(parts, step, names, values, n); });
  };
  t.media = [](levin_run* run, const levin_media* media) {
    return serve_once(run, [&](const TrainerParts& parts) { show_media(parts, *media); });
  };
  t.artifact = [](levin_run* run, const levin_artifact* artifact) {
    return serve_once(run, [&](const TrainerParts& parts) { keep_artifact(parts, *artifact); });
  };
  t.hparams = [](levin_run* run, const char* json) {
    return serve_once(run, [&](const TrainerParts& parts) { late_hparams(parts, json); });
  };
  t.print = [](levin_run* run, const char* text) {
    return serve_once(run, [&](const TrainerParts& parts) { parts.console.print(text ? text : ""); });
  };
  t.set_number = [](levin_run* run, const char* name, double value) {
    return serve_in_turn([&]() -> levin_status {
      if (set_number(run, name, value)) return LEVIN_OK;
      return failed_service(std::string("the trainer's number '") + name + "' cannot be set", LEVIN_E_NOT_FOUND);
    });
  };
  t.set_option = [](levin_run* run, const char* name, const char* json) {
    return serve_once(run, [&](const TrainerParts& parts) { set_option(parts, name, json); });
  };
  return t;
}

}  // namespace

levin_status no_such(const char* kind, const char* name) {
  return failed_service(std::string("the trainer has no ") + kind + " '" + name + "'", LEVIN_E_NOT_FOUND);
}

const levin_trainer* trainer_service() {
  static const levin_trainer table = make_trainer_table();
  return &table;
}

}  // namespace levin::core
