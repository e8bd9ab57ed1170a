#include "tasks/driver/report.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "tasks/driver/job_report.hpp"

namespace levin::core::tasks {
namespace {

constexpr size_t most_failures = 20;

struct WorkerShare {
  uint64_t tasks = 0;
  double seconds = 0;
};

}  // namespace

std::string report_table(const JobFiles& files) {
  JobReport job(files);
  std::map<std::string, WorkerShare> workers;
  std::vector<std::string> failures;
  uint64_t retried = 0, bytes = 0, failed = 0;
  double longest = 0, seconds = 0;
  job.ledger.each_task([&](const TaskRow& task) {
    retried += task.attempts > 1;
    if (task.state == TaskState::done) {
      WorkerShare& share = workers[task.worker];
      ++share.tasks;
      share.seconds += task.seconds;
      seconds += task.seconds;
      longest = std::max(longest, task.seconds);
      bytes += task.result_size;
    }
    if (task.error.empty() || (task.state != TaskState::failed && job.state == job_done)) return;
    if (++failed > most_failures) return;
    const std::string name = task.name.empty() ? "" : " (" + task.name + ")";
    failures.push_back("task " + std::to_string(task.index) + name + ", " + name_of(task.state) + " after " +
                       std::to_string(task.attempts) + " attempts: " + task.error);
  });
  std::string out = "job      " + job.state + ", " + job.settings.component + " of " + job.settings.library + "\n" +
                    "file     " + job.settings.file + "\n" + "tasks    " + std::to_string(job.counts.all) + ": " +
                    std::to_string(job.counts.done) + " done, " + std::to_string(job.counts.failed) + " failed, " +
                    std::to_string(job.counts.all - job.counts.done - job.counts.failed) +
                    (job.runs ? " waiting or running; " : " waiting; ") + std::to_string(retried) +
                    " took more than one attempt\n";
  if (job.counts.done > 0)
    out += "time     " + number(seconds / static_cast<double>(job.counts.done)) + " s a task, the longest " +
           number(longest) + " s; results of " + std::to_string(bytes) + " bytes\n";
  for (const auto& [name, share] : workers)
    out += "worker   " + name + ": " + std::to_string(share.tasks) + " tasks, " + number(share.seconds) + " s\n";
  if (files.ledger() == files.ledger_url()) out += "ledger   " + job.place + "\n";
  for (const std::string& line : failures) out += line + "\n";
  if (failed > most_failures) out += "and " + std::to_string(failed - most_failures) + " more\n";
  if (job.state == job_done) out += "output   " + files.output().string() + "\n";
  return printable(out);
}

std::string report_json(const JobFiles& files) {
  JobReport job(files);
  nlohmann::json tasks = nlohmann::json::array();
  job.ledger.each_task([&](const TaskRow& task) {
    tasks.push_back({{"index", task.index},
                     {"name", task.name},
                     {"state", name_of(task.state)},
                     {"attempts", task.attempts},
                     {"worker", task.worker},
                     {"seconds", task.seconds},
                     {"ended", task.ended},
                     {"result_size", task.result_size},
                     {"needs", task.needs},
                     {"error", task.error}});
  });
  const nlohmann::json out = {{"state", job.ledger.get("state")},
                              {"runs", job.runs},
                              {"settings", job.settings},
                              {"ledger", job.place},
                              {"all", job.counts.all},
                              {"done", job.counts.done},
                              {"failed", job.counts.failed},
                              {"output", job.state == job_done ? files.output().string() : ""},
                              {"tasks", tasks}};
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace levin::core::tasks
