#include "tasks/driver/report_page.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "report/timeline.hpp"
#include "sdk/include/levin/util/figure.hpp"
#include "tasks/driver/job_report.hpp"

namespace levin::core::tasks {
namespace {

using report::Heading;
using report::Paragraph;
using report::Table;

constexpr size_t most_errors_on_page = 200, most_tasks_on_page = 2000;

std::string time_text(double since_1970) {
  if (since_1970 <= 0) return "";
  const auto seconds = static_cast<std::time_t>(since_1970);
  std::tm parts{};
  char text[40];
  ::localtime_r(&seconds, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

// What a page needs of all tasks, in one pass.
struct Totals {
  struct Worker {
    uint64_t tasks = 0;
    double seconds = 0;
    std::vector<report::TimelineBar> bars;
  };
  std::map<std::string, Worker> workers;
  std::vector<double> seconds, ends;  // of the tasks that are done
  uint64_t bytes = 0, retried = 0, failures = 0;
  double first = 0, last = 0;  // since 1970
  Table failed{{"task", "name", "state", "attempts", "worker", "error"}, {}, {}};
  Table tasks{{"task", "name", "state", "attempts", "worker", "seconds", "ended", "bytes"}, {}, {}};

  void add(const TaskRow& task) {
    const auto words = [](uint64_t value) { return std::to_string(value); };
    retried += task.attempts > 1;
    if (task.ended > 0) {
      const double begin = task.ended - task.seconds;
      if (first == 0 || begin < first) first = begin;
      last = std::max(last, task.ended);
      Worker& worker = workers[task.worker];
      worker.bars.push_back({begin, task.ended, task.state != TaskState::done});
      worker.tasks += task.state == TaskState::done;
      worker.seconds += task.seconds;
    }
    if (task.state == TaskState::done) {
      seconds.push_back(task.seconds);
      ends.push_back(task.ended);
      bytes += task.result_size;
    }
    if (!task.error.empty() && ++failures <= most_errors_on_page)
      failed.rows.push_back(
          {words(task.index), task.name, name_of(task.state), words(task.attempts), task.worker, task.error});
    if (tasks.rows.size() < most_tasks_on_page)
      tasks.rows.push_back({words(task.index), task.name, name_of(task.state), words(task.attempts), task.worker,
                            task.ended > 0 ? number(task.seconds) : "", time_text(task.ended),
                            task.state == TaskState::done ? words(task.result_size) : ""});
  }
};

void add_job(report::Document& out, const JobFiles& files, const JobReport& job, const Totals& all) {
  Table table{{"job", job.state}, {}, {}};
  const auto row = [&](const char* name, std::string value) {
    if (!value.empty()) table.rows.push_back({name, std::move(value)});
  };
  row("component", job.settings.component);
  row("library", job.settings.library);
  row("SHA-256", job.settings.sha256);
  row("file", job.settings.file);
  if (!job.settings.options.empty()) row("options", job.settings.options.dump());
  row("engine", job.settings.engine + (job.settings.server.empty() ? "" : ", " + job.settings.server));
  row("run folder", files.folder.string());
  if (job.state == job_done) row("output", files.output().string());
  out.add(std::move(table));
  const uint64_t waiting = job.counts.all - job.counts.done - job.counts.failed;
  Table counts{
      {"tasks", "done", "failed", job.runs ? "waiting or running" : "waiting", "more than one attempt"}, {}, {}};
  counts.rows.push_back({std::to_string(job.counts.all), std::to_string(job.counts.done),
                         std::to_string(job.counts.failed), std::to_string(waiting), std::to_string(all.retried)});
  out.add(Heading{"Tasks"});
  out.add(std::move(counts));
}

void add_times(report::Document& out, const Totals& all) {
  if (all.seconds.empty()) return;
  std::vector<double> sorted = all.seconds;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double one : sorted) sum += one;
  const auto count = static_cast<double>(sorted.size());
  const auto at = [&](double share) { return number(sorted[static_cast<size_t>(share * (count - 1))]); };
  const double span = all.last - all.first;
  Table table{{"first task began", time_text(all.first)}, {}, {}};
  table.rows = {{"last task ended", time_text(all.last)},
                {"seconds between them", number(span)},
                {"tasks a second", span > 0 ? number(count / span) : ""},
                {"seconds of a task: mean", number(sum / count)},
                {"median", at(0.5)},
                {"95 % of the tasks", at(0.95)},
                {"longest", at(1)},
                {"bytes of the results", std::to_string(all.bytes)}};
  out.add(Heading{"Times"});
  out.add(std::move(table));
}

void add_figures(report::Document& out, Totals& all) {
  if (all.seconds.empty()) return;
  std::sort(all.ends.begin(), all.ends.end());
  std::vector<double> xs = {0}, done = {0};
  for (const double end : all.ends) xs.push_back(end - all.first), done.push_back(static_cast<double>(done.size()));
  Figure progress("tasks done"), times("tasks by seconds");
  progress.x_label("seconds").line("", xs, done);
  times.x_label("seconds").histogram(all.seconds);
  out.add(report::Picture{"tasks done", progress.svg()});
  out.add(report::Picture{"tasks by seconds", times.svg()});
}

void add_workers(report::Document& out, const Totals& all) {
  if (all.workers.empty()) return;
  uint64_t done = 0;
  for (const auto& [name, worker] : all.workers) done += worker.tasks;
  Table table{{"worker", "tasks", "share", "seconds in tasks", "busy"}, {}, {}};
  std::vector<report::TimelineRow> rows;
  for (const auto& [name, worker] : all.workers) {
    const double share = done ? static_cast<double>(worker.tasks) / static_cast<double>(done) : 0;
    const double span = all.last - all.first;
    table.rows.push_back({name, std::to_string(worker.tasks), number(100 * share) + " %", number(worker.seconds),
                          span > 0 ? number(std::min(100.0, 100 * worker.seconds / span)) + " %" : ""});
    report::TimelineRow& row = rows.emplace_back(report::TimelineRow{name, worker.bars});
    for (report::TimelineBar& bar : row.bars) bar.from -= all.first, bar.to -= all.first;
  }
  out.add(Heading{"Workers"});
  out.add(std::move(table));
  out.add(Heading{"Timeline"});
  out.add(Paragraph{"The last attempt of each task: blue = done, red = failed."});
  out.add(report::timeline_of("tasks of each worker", std::move(rows)));
}

void add_lists(report::Document& out, const JobReport& job, Totals all) {
  if (all.failures > 0) {
    out.add(Heading{"Errors"});
    out.add(std::move(all.failed));
    if (all.failures > most_errors_on_page)
      out.add(Paragraph{"and " + std::to_string(all.failures - most_errors_on_page) + " more"});
  }
  out.add(Heading{"List of tasks"});
  const bool whole = job.counts.all <= most_tasks_on_page;
  all.tasks.summary = whole ? "All tasks"
                            : "The first " + std::to_string(most_tasks_on_page) + " of " +
                                  std::to_string(job.counts.all) + " tasks; host tasks report --json has all";
  out.add(std::move(all.tasks));
}

}  // namespace

report::Document report_page(const JobFiles& files) {
  JobReport job(files);
  Totals all;
  job.ledger.each_task([&](const TaskRow& task) { all.add(task); });
  report::Document out;
  out.title = "Tasks of " + files.folder.filename().string();
  out.add(Paragraph{std::string("Made by host ") + host_version + " on " +
                    time_text(static_cast<double>(std::time(nullptr))) + "."});
  add_job(out, files, job, all);
  add_times(out, all);
  add_figures(out, all);
  add_workers(out, all);
  add_lists(out, job, std::move(all));
  return out;
}

}  // namespace levin::core::tasks
