#include "sweep/driver/sweep_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "sweep/driver/secrets.hpp"
#include "sweep/run/host_program.hpp"

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
    for (const char* name : {"log_name", "log_version", "default_root_dir"})
      if (parameter.option == name || parameter.option == std::string("trainer.") + name)
        refuse_sweep("--param " + parameter.option + ": the sweep chooses that for each trial");
  if (settings.schedule.kind == ScheduleKind::none) return;
  for (const Parameter& parameter : settings.parameters)
    if (parameter.option == "max_epochs" || parameter.option == "trainer.max_epochs")
      refuse_sweep("--param " + parameter.option + ": --scheduler " + name_of(settings.schedule.kind) + " sets it");
}

void set_epochs(SweepSettings& settings, const nlohmann::json& trainer) {
  ScheduleOptions& schedule = settings.schedule;
  if (schedule.kind == ScheduleKind::none) return;
  const auto& epochs = trainer.at("max_epochs");
  if (!epochs.is_number_integer() || epochs < 1)
    refuse_sweep(std::string("--scheduler ") + name_of(schedule.kind) +
                 " needs the number of epochs of a whole trial: add --max_epochs N behind fit");
  schedule.max_epochs = epochs;
  check_epochs(schedule);
}

// Removes an option of the Trainer from the command: the sweep gives another one.
void take_out(std::vector<std::string>& command, const std::string& option) {
  take_option(command, "--" + option);
  take_option(command, "--trainer." + option);
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
  if (!trainer.at("log_version").is_null())
    refuse_sweep("--trainer.log_version names one folder, and each trial has its own; leave it out");
  set_epochs(settings, trainer);
  const auto root = trainer.at("default_root_dir");
  settings.root = absolute_path(root.is_string() ? root.get<std::string>() : settings.where).string();
  settings.log_name = trainer.value("log_name", "");
  take_out(settings.command, "default_root_dir");
  take_out(settings.command, "log_name");
  if (settings.schedule.kind != ScheduleKind::none) take_out(settings.command, "max_epochs");
  take_secrets(settings, fit.secrets);
}

}  // namespace levin::core::sweep
