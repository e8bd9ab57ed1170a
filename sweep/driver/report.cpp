#include "sweep/driver/report.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "launch/common/shell_quote.hpp"
#include "sweep/driver/driver.hpp"

namespace levin::core::sweep {
namespace {

using nlohmann::json;

std::string state_of(const Trial& trial, bool runs) {
  if (trial.is_paused()) return "waiting";
  if (trial.is_busy() && !runs) return "interrupted";
  return name_of(trial.state);
}

std::optional<double> value_of(const Trial& trial) {
  if (trial.value || trial.at_epoch.empty()) return trial.value;
  return trial.at_epoch.rbegin()->second;
}

class Report {
 public:
  explicit Report(const SweepFolder& folder)
      : folder_(folder),
        settings_(load_settings(folder)),
        study_(read_study(folder.journal())),
        runs_(Driver::runs(folder)) {}

  json status() const {
    json out = {{"folder", folder_.path.string()},
                {"state", state()},
                {"metric", settings_.metric},
                {"mode", settings_.mode},
                {"trials", settings_.schedule.trials}};
    for (const char* name : {"complete", "pruned", "failed", "running", "waiting", "interrupted"})
      out[name] = count(name);
    out["best"] = study_.best() ? json(study_.best()->number) : json(nullptr);
    return out;
  }

  json trial(const Trial& trial) const {
    const std::optional<double> value = value_of(trial);
    json out = {{"number", trial.number},
                {"state", state_of(trial, runs_)},
                {"value", value ? json(*value) : json(nullptr)},
                {"params", trial.shown},
                {"run", trial.run().empty() ? json(nullptr) : json(folder_.run(trial.run()).string())},
                {"started", trial.started},
                {"ended", trial.ended}};
    if (trial.epochs() > 0) out["epochs"] = trial.epochs();
    if (trial.parent() >= 0) out["parent"] = trial.parent();
    if (!trial.error().empty()) out["error"] = trial.error();
    return out;
  }

  const Trial& best() const {
    if (const Trial* out = study_.best()) return *out;
    throw Error(ErrorCode::job_state_wrong,
                "host sweep best: no trial of " + folder_.path.string() + " is complete yet");
  }

  // Best first; trials without a value last.
  std::vector<const Trial*> sorted() const {
    std::vector<const Trial*> out;
    for (const Trial& one : study_.trials) out.push_back(&one);
    std::stable_sort(out.begin(), out.end(), [this](const Trial* a, const Trial* b) {
      const auto x = value_of(*a), y = value_of(*b);
      const bool left = a->state == TrialState::complete, right = b->state == TrialState::complete;
      if (left != right) return left;
      return x && y ? study_.loss(*x) < study_.loss(*y) : x.has_value() && !y;
    });
    return out;
  }

  std::string status_text() const {
    std::string out = "sweep   " + state() + ", " + folder_.path.string() + "\ntrials  ";
    std::vector<std::string> counts;
    for (const char* name : {"complete", "pruned", "failed", "running", "waiting", "interrupted"})
      if (const size_t n = count(name)) counts.push_back(std::to_string(n) + " " + name);
    out += (counts.empty() ? "none" : join(counts, ", ")) + ", of " + std::to_string(settings_.schedule.trials) + "\n";
    return study_.best() ? out + best_text() : out;
  }

  std::string best_text() const {
    const Trial& one = best();
    return "best    " + settings_.metric + " " + short_number(*one.value) + ", trial " + std::to_string(one.number) +
           "\nvalues  " + values_text(one) + "\nrun     " + folder_.run(one.run()).string() +
           "\ntest    host test --run " + shell_word(folder_.run(one.run()).string()) + "\n";
  }

  std::string table() const {
    std::string out = status_text() + "\n";
    char line[128];
    std::snprintf(line, sizeof line, "%-6s %-11s %-12.40s values\n", "trial", "state", settings_.metric.c_str());
    out += line;
    for (const Trial* one : sorted()) {
      const auto value = value_of(*one);
      std::snprintf(line, sizeof line, "%-6lld %-11s %-12s ", static_cast<long long>(one->number),
                    state_of(*one, runs_).c_str(), value ? short_number(*value).c_str() : "-");
      out += line + values_text(*one) + (one->error().empty() ? "" : ": " + one->error()) + "\n";
    }
    return out;
  }

  json all() const {
    json out = status();
    out["list"] = json::array();
    for (const Trial* one : sorted()) out["list"].push_back(trial(*one));
    return out;
  }

 private:
  size_t count(const std::string& state) const {
    return static_cast<size_t>(std::count_if(study_.trials.begin(), study_.trials.end(),
                                             [&](const Trial& one) { return state_of(one, runs_) == state; }));
  }
  std::string state() const {
    if (runs_) return "running";
    const bool open = std::any_of(study_.trials.begin(), study_.trials.end(),
                                  [](const Trial& t) { return t.is_of_sweep() && !t.is_over(); });
    const bool all = started_trials(study_) >= settings_.schedule.trials;
    return open || !all ? "stopped" : "done";
  }

  const SweepFolder folder_;
  const SweepSettings settings_;
  const Study study_;
  const bool runs_;
};

}  // namespace

std::string sweep_report(const SweepFolder& folder, const std::string& verb, bool json) {
  const Report report(folder);
  if (!json)
    return printable(verb == "status" ? report.status_text() : verb == "best" ? report.best_text() : report.table());
  const nlohmann::json out = verb == "status" ? report.status()
                             : verb == "best" ? report.trial(report.best())
                                              : report.all();
  return out.dump(2) + "\n";
}

}  // namespace levin::core::sweep
