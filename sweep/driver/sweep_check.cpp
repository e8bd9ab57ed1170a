#include "sweep/driver/sweep_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "sweep/driver/secrets.hpp"
#include "sweep/run/trial_command.hpp"

namespace levin::core::sweep {
namespace {

constexpr size_t most_checked_choices = 100;

CheckedFit check_values(const SweepSettings& settings, const Assignment& values) {
  std::vector<std::string> words = settings.command;
  for (std::string& word : value_words(settings.parameters, values)) words.push_back(std::move(word));
  return checked_fit(words);
}

void refuse_own_options(const SweepSettings& settings) {
  for (const Parameter& parameter : settings.parameters)
    if (names_run_folder(parameter.option))
      refuse_sweep(ErrorCode::option_unsupported,
                   "--param " + parameter.option + ": the sweep chooses that for each trial");
  if (settings.schedule.kind == ScheduleKind::none) return;
  for (const Parameter& parameter : settings.parameters)
    if (parameter.option == "max_epochs" || parameter.option == "trainer.max_epochs")
      refuse_sweep(ErrorCode::options_conflict,
                   "--param " + parameter.option + ": --scheduler " + name_of(settings.schedule.kind) + " sets it");
}

void set_epochs(SweepSettings& settings, const nlohmann::json& trainer) {
  ScheduleOptions& schedule = settings.schedule;
  if (schedule.kind == ScheduleKind::none) return;
  const auto& epochs = trainer.at("max_epochs");
  if (!epochs.is_number_integer() || epochs < 1)
    refuse_sweep(ErrorCode::option_missing,
                 std::string("--scheduler ") + name_of(schedule.kind) +
                     " needs the number of epochs of a whole trial: add --max_epochs N behind fit");
  schedule.max_epochs = epochs;
  check_epochs(schedule);
}

}  // namespace

std::vector<std::string> value_words(const std::vector<Parameter>& parameters, const Assignment& values) {
  std::vector<std::string> out;
  for (size_t i = 0; i < parameters.size(); ++i)
    out.push_back("--" + parameters[i].option + "=" + parameters[i].written(values.at(i)));
  return out;
}

void check_sweep(SweepSettings& settings) {
  refuse_own_options(settings);
  Assignment lowest, highest;
  for (const Parameter& parameter : settings.parameters) {
    lowest.push_back(parameter.nearest_value(-INFINITY));
    highest.push_back(parameter.nearest_value(INFINITY));
  }
  const CheckedFit fit = check_values(settings, lowest);
  check_values(settings, highest);
  for (size_t i = 0; i < settings.parameters.size(); ++i)
    for (size_t n = 1; n + 1 < std::min(settings.parameters[i].choices.size(), most_checked_choices); ++n) {
      Assignment values = lowest;
      values[i] = static_cast<double>(n);
      check_values(settings, values);
    }
  const nlohmann::json& trainer = fit.config.at("trainer");
  set_epochs(settings, trainer);
  const TrialsFolder folder = take_trials_folder(settings.command, fit);
  settings.root = folder.root;
  settings.log_name = folder.log_name;
  if (settings.schedule.kind != ScheduleKind::none) take_trainer_option(settings.command, "max_epochs");
  take_secrets(settings, fit.secrets);
  if (settings.server.empty()) return;
  if (!settings.secrets.empty())
    refuse_sweep(ErrorCode::option_unsupported,
                 settings.secret_options[0] +
                     " is a secret, and a trial on a worker is described in a file; leave out --server");
  for (const char* name : {"host-tasks", "libsweep_trial.so"})
    if (!is_file(exe_path().parent_path() / name))
      refuse_sweep(ErrorCode::program_missing, std::string("--server: this installation has no ") + name +
                                                   ", which needs host tasks over NATS (docs/tasks.md)");
}

}  // namespace levin::core::sweep
