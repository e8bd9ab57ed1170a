#include "runs/run_row.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"
#include "runs/submission.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Natural order: "version_2" comes before "version_10".
bool in_natural_order(const fs::path& a, const fs::path& b) {
  const auto key = [](const fs::path& path) {
    const std::string name = path.filename().string();
    const size_t digits = name.find_last_not_of("0123456789") + 1;
    const std::string number = name.substr(digits);
    return std::make_tuple(name.substr(0, digits), number.size(), number);
  };
  return key(a) < key(b);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown))
    if (is_folder(at->path())) out.push_back(at->path());
  std::sort(out.begin(), out.end(), in_natural_order);
  return out;
}

// Returns the last job that was submitted from the run's own folder to resume it; "" if there is none.
std::string resuming_job(const fs::path& run) {
  std::string job;
  for (const fs::path& folder : folders_in(run)) try {
      const auto record = load_submission(folder);
      if (record && !record->is_grid() && !record->job.empty()) job = record->job;
    } catch (const std::exception&) {
    }
  return job;
}

// Returns true if a fit had begun: then the error ends with epoch and step.
bool names_step(const std::string& error) {
  return error.find("(epoch ") != std::string::npos && !ends_with(error, "step 0)");
}

// Returns true if the run failed before its first step.
bool trained_nothing(const RunRow& row) {
  std::error_code unknown;
  const fs::path checkpoints = row.folder / "checkpoints";
  return row.state == RunState::failed && row.job.empty() && !row.step && row.metrics.empty() &&
         !names_step(row.problem) && (!is_folder(checkpoints) || fs::is_empty(checkpoints, unknown));
}

class Lister {
 public:
  RunList list(const fs::path& folder) {
    const auto record = record_of(folder);
    if (is_present(folder / "config.json") || (record && !record->is_grid())) {
      add(folder);
    } else {
      if (record) add_all(folder, *record);
      for (const fs::path& below : folders_in(folder)) add_below(below);
      if (failed_starts_ > 0)
        out_.notes.push_back(std::to_string(failed_starts_) +
                             (failed_starts_ == 1 ? " failed start that trained nothing is"
                                                  : " failed starts that trained nothing are") +
                             " not listed");
    }
    ask();
    return std::move(out_);
  }

 private:
  std::optional<Submission> record_of(const fs::path& folder) {
    try {
      return load_submission(folder);
    } catch (const std::exception& e) {
      out_.notes.push_back(std::string("broken: ") + e.what());
      return std::nullopt;
    }
  }

  void add_below(const fs::path& folder) {
    const auto listed = [&folder](const RunRow& row) { return row.folder == folder; };
    if (std::any_of(out_.rows.begin(), out_.rows.end(), listed)) return;
    const auto record = record_of(folder);
    if (record && record->is_grid())
      out_.notes.push_back(folder.filename().string() + ": a grid of " + std::to_string(record->runs.size()) +
                           " runs; host runs " + folder.string());
    else if (record || is_present(folder / "config.json") || is_present(folder / "checkpoints"))
      add_unless_failed_start(folder);
  }

  void add_unless_failed_start(const fs::path& folder) {
    add(folder);
    if (!trained_nothing(out_.rows.back())) return;
    out_.rows.pop_back();
    ++failed_starts_;
  }

  void add_all(const fs::path& folder, const Submission& record) {
    for (size_t i = 0; i < record.runs.size(); ++i) {
      RunRow& row = add_submitted((folder / record.runs[i].folder).lexically_normal(), record, i);
      for (size_t k = 0; k < record.options.size() && k < record.runs[i].values.size(); ++k)
        row.values.emplace_back(record.options[k], record.runs[i].values[k]);
    }
  }

  void add(const fs::path& folder) {
    if (const auto record = record_of(folder); record && record->runs.size() == 1 && record->runs[0].folder == ".") {
      add_submitted(folder, *record, 0);
      return;
    }
    RunRow& row = add_read(folder);
    if (row.state != RunState::not_submitted) return;
    row.state = RunState::broken;
    row.problem = "it has no config.json";
  }

  RunRow& add_read(const fs::path& folder) {
    RunRow& row = out_.rows.emplace_back(read_run(folder, folder.filename().string()));
    if (const std::string job = resuming_job(folder); !job.empty()) {
      row.job_is_newer = job != row.job;
      row.job = job;
    }
    return row;
  }

  RunRow& add_submitted(const fs::path& folder, const Submission& record, size_t place) {
    RunRow& row = add_read(folder);
    if (row.job.empty()) row.job = record.job_of(place);
    if (row.state != RunState::not_submitted) return row;
    row.problem = record.problem;
    if (!record.problem.empty()) row.state = RunState::refused;
    if (!record.job.empty()) row.state = RunState::submitted;
    return row;
  }

  void ask() {
    std::set<std::string> jobs;
    for (const RunRow& row : out_.rows)
      if (is_undecided(row)) jobs.insert(row.job);
    if (jobs.empty()) return;
    const JobQueue queue = ask_queue(jobs);
    for (RunRow& row : out_.rows) ask_about(row, queue);
  }

  RunList out_;
  size_t failed_starts_ = 0;
};

}  // namespace

RunList runs_in_folder(const fs::path& folder) {
  if (!is_folder(folder))
    throw Error(ErrorCode::folder_not_found, "host runs: there is no folder '" + folder.string() +
                                                 "'; name the folder of a grid or of runs: host runs levin_logs");
  RunList out = Lister().list(folder.lexically_normal());
  if (out.rows.empty()) require_readable_folder(folder);
  return out;
}

}  // namespace levin::core
