#include "sweep/driver/trial_table.hpp"

#include <algorithm>
#include <cstdio>

#include "core/base/text.hpp"

namespace levin::core::sweep {

std::string short_number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string values_text(const Trial& trial) {
  std::vector<std::string> out;
  for (const auto& [name, value] : trial.shown) {
    const std::string text = value.is_number_float() ? short_number(value.get<double>())
                             : value.is_string()     ? value.get<std::string>()
                                                     : value.dump();
    out.push_back(name + " " + text);
  }
  return join(out, ", ");
}

TrialTable::TrialTable(const SweepSettings& settings, bool terminal)
    : metric_(settings.metric), trials_(settings.schedule.trials), terminal_(terminal) {}

void TrialTable::clear() {
  if (width_ > 0) std::printf("\r%*s\r", static_cast<int>(width_), "");
  width_ = 0;
}

void TrialTable::say(const std::string& line) {
  clear();
  std::printf("%s\n", printable(line).c_str());
  std::fflush(stdout);
}

void TrialTable::row(const Trial& trial, const std::string& state) {
  if (!headed_) {
    char head[256];
    std::snprintf(head, sizeof head, "%-6s %-10s %-12.40s values", "trial", "state", metric_.c_str());
    say(head);
  }
  headed_ = true;
  std::optional<double> value = trial.value;
  if (!value && !trial.at_epoch.empty()) value = trial.at_epoch.rbegin()->second;
  char start[128];
  std::snprintf(start, sizeof start, "%-6lld %-10s %-12s ", static_cast<long long>(trial.number), state.c_str(),
                value ? short_number(*value).c_str() : "-");
  say(start + values_text(trial) + (trial.error().empty() ? "" : ": " + trial.error()));
}

std::string TrialTable::line(const Study& study, size_t running) const {
  const size_t trials = std::max(static_cast<size_t>(trials_), study.trials.size());
  std::string out = std::to_string(study.count(TrialState::complete) + study.count(TrialState::pruned)) + "/" +
                    std::to_string(trials) + " trials, " + std::to_string(running) + " running, " +
                    std::to_string(study.count(TrialState::failed)) + " failed";
  if (const Trial* best = study.best())
    out += ", best " + metric_ + " " + short_number(*best->value) + " (trial " + std::to_string(best->number) + ")";
  return printable(out).substr(0, 79);
}

void TrialTable::update(const Study& study, size_t running) {
  const auto every = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(20000);
  const auto now = Clock::now();
  if (shown_ == Clock::time_point{} && !terminal_) shown_ = now;
  if (now - shown_ < every) return;
  shown_ = now;
  const std::string text = line(study, running);
  clear();
  std::printf(terminal_ ? "%s" : "%s\n", text.c_str());
  width_ = terminal_ ? text.size() : 0;
  std::fflush(stdout);
}

void TrialTable::end(const Study& study) { say(line(study, 0)); }

}  // namespace levin::core::sweep
