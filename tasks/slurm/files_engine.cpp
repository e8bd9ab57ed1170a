#include "tasks/slurm/files_engine.hpp"

#include <poll.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t most_ahead = 4000;
constexpr uint64_t most_bytes = uint64_t{256} << 20, most_result_bytes = uint64_t{64} << 20;
constexpr seconds look_every{1}, compare_every{30};
constexpr milliseconds poll_every{50};

std::string free_session(const fs::path& root) {
  for (int i = 0;; ++i) {
    const std::string name = "session_" + std::to_string(i);
    if (!is_present(root / name)) return name;
  }
}

}  // namespace

FilesEngine::FilesEngine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan,
                         const std::string& id)
    : root_(files.folder / "exchange"),
      session_(free_session(root_)),
      exchange_{root_ / session_},
      workers_wanted_(plan.workers),
      capacity_(plan.machine.capacity) {
  for (const std::string& name : names_in(root_)) old_sessions_.push_back(root_ / name);
  begin_session(plan);
  SlurmPlan workers = slurm_plan(settings, files, id);
  workers.command = {(exe_path().parent_path() / "host-tasks").string(), "files-worker", exchange_.folder.string()};
  slurm_ = std::make_unique<SlurmWorkers>(std::move(workers));
}

FilesEngine::~FilesEngine() = default;

void FilesEngine::begin_session(const WorkerPlan& plan) {
  for (const fs::path& folder : {exchange_.todo(), exchange_.done(), exchange_.workers()})
    fs::create_directories(folder);
  fs::permissions(root_, fs::perms::owner_all);  // tasks and results belong to this user
  put_number(exchange_.driver(), ++beats_);
  put_file(exchange_.setup(), nlohmann::json{{"setup", plan.setup},
                                             {"cpus", plan.machine.capacity.all.cpus},
                                             {"time_limit", plan.time_limit},
                                             {"max_size", plan.max_size}}
                                  .dump());
}

// Tasks for about two seconds: a worker looks for new files a few times a second.
size_t FilesEngine::room() const {
  const size_t most = std::min(most_ahead, 2 * workers_wanted_ + static_cast<size_t>(2 * rate_));
  if (held_ || submitted_.size() >= most) return 0;
  return bytes_ < most_bytes || submitted_.size() <= workers_wanted_ ? most - submitted_.size() : 0;
}

std::string FilesEngine::unmet(const Needs& needs) const {
  const std::string out = lacking(capacity_, needs);
  return out.empty() ? "" : "a worker of SLURM lacks " + out;
}

void FilesEngine::submit(QueuedTask task) {
  const ExchangedTask file{order_++, task.index, task.attempt};
  submitted_[task.index] = {file.name(), task.bytes.size()};
  bytes_ += task.bytes.size();
  put_file(exchange_.todo() / file.name(), task.bytes);
}

void FilesEngine::forget(uint64_t index) {
  const auto found = submitted_.find(index);
  if (found == submitted_.end()) return;
  bytes_ -= found->second.bytes;
  submitted_.erase(found);
}

std::vector<TaskEvent> FilesEngine::wait(milliseconds time, int wake) {
  std::vector<TaskEvent> out;
  const auto end = Clock::now() + time;
  for (;;) {
    take_results(out);
    if (held_) give_back_held(out);
    look_at_workers(out);
    look_for_lost_files(out);
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (!out.empty() || left.count() <= 0) return out;
    pollfd fd{wake, POLLIN, 0};
    if (::poll(&fd, 1, static_cast<int>(std::min(left, poll_every).count())) > 0) return out;
  }
}

void FilesEngine::take_results(std::vector<TaskEvent>& events) {
  while (!old_sessions_.empty()) {
    if (!take_results(Exchange{old_sessions_.back()}, events)) return;
    reported_.push_back(old_sessions_.back());
    old_sessions_.pop_back();
  }
  take_results(exchange_, events);
}

bool FilesEngine::take_results(const Exchange& from, std::vector<TaskEvent>& events) {
  uint64_t bytes = 0;
  for (const TaskEvent& event : events) bytes += event.bytes.size();
  for (const std::string& name : names_in(from.done())) {
    if (bytes > most_result_bytes) return false;
    if (!seen_.insert(from.done() / name).second) continue;
    const size_t before = events.size();
    take_result(from, name, events);
    if (events.size() > before) bytes += events.back().bytes.size();
  }
  return true;
}

void FilesEngine::take_result(const Exchange& from, const std::string& name, std::vector<TaskEvent>& events) {
  const fs::path path = from.done() / name;
  const auto bytes = get_file(path);
  if (!bytes) return;
  const bool own = from.folder == exchange_.folder;
  if (own) reported_.push_back(path);  // an old session is removed as a whole
  std::optional<TaskEvent> event = unpacked_event(*bytes);
  if (!event) return;  // a machine went down while it was written; the task is lost with its worker
  if (own && event->how == Ended::note) throw Error(ErrorCode::plugin_does_not_load, event->bytes);
  if (!own && event->how != Ended::result) return;  // only results count of an earlier driver's workers
  const auto found = submitted_.find(event->index);
  const bool current = found != submitted_.end() && found->second.name == name;
  if (current || (own && event->how == Ended::result)) forget(event->index);
  if (own && !current && event->how != Ended::result) return;  // of an attempt that was given up before
  ++results_;
  if (event->how == Ended::result) slurm_->has_result();
  if (own && event->how == Ended::lost) slurm_->has_loss();
  events.push_back(std::move(*event));
}

void FilesEngine::look_at_workers(std::vector<TaskEvent>& events) {
  const auto now = Clock::now();
  if (now - looked_ < look_every) return;
  const double passed = std::chrono::duration<double>(now - looked_).count();
  rate_ = passed > 10 ? 0 : static_cast<double>(results_) / passed;
  results_ = 0;
  looked_ = now;
  put_number(exchange_.driver(), ++beats_);
  slurm_->keep_alive();
  taken_ = 0;
  for (const std::string& name : names_in(exchange_.workers())) {
    Worker& worker = workers_[name];
    const std::string alive = get_file(exchange_.workers() / name / "alive").value_or("");
    if (worker.alive != alive || worker.seen == Clock::time_point{}) worker = {alive, now};
    const std::vector<std::string> files = names_in(exchange_.workers() / name);
    taken_ += static_cast<size_t>(std::count_if(
        files.begin(), files.end(), [](const std::string& file) { return ExchangedTask::parsed(file).has_value(); }));
    if (now - worker.seen > lost_after_) lose(name, events);
  }
}

void FilesEngine::lose(const std::string& worker, std::vector<TaskEvent>& events) {
  const fs::path folder = exchange_.workers() / worker;
  for (const std::string& name : names_in(folder)) {
    const std::optional<ExchangedTask> task = ExchangedTask::parsed(name);
    if (!task) continue;
    std::error_code ignored;
    if (!fs::remove(folder / name, ignored)) continue;  // it is there after all, and has finished the task
    const auto found = submitted_.find(task->index);
    if (found == submitted_.end() || found->second.name != name) continue;
    forget(task->index);
    TaskEvent event;
    event.how = Ended::lost;
    slurm_->has_loss();
    event.index = task->index;
    event.attempt = task->attempt;
    event.worker = worker;
    event.bytes = "worker " + worker + " has been silent for " + std::to_string(lost_after_.count()) + " ms";
    events.push_back(std::move(event));
  }
}

// What wait() has returned is in the ledger.
void FilesEngine::recorded() {
  std::error_code ignored;
  for (const fs::path& path : reported_) fs::remove_all(path, ignored);
  for (const fs::path& path : reported_) seen_.erase(path);
  reported_.clear();
}

void FilesEngine::hold() { held_ = true; }

void FilesEngine::give_back_held(std::vector<TaskEvent>& events) {
  for (const std::string& name : names_in(exchange_.todo())) {
    const std::optional<ExchangedTask> task = ExchangedTask::parsed(name);
    std::error_code ignored;
    if (!task || !fs::remove(exchange_.todo() / name, ignored)) continue;
    give_back(task->index, events);
  }
}

void FilesEngine::give_back(uint64_t index, std::vector<TaskEvent>& events) {
  forget(index);
  TaskEvent event;
  event.how = Ended::returned;
  event.index = index;
  events.push_back(std::move(event));
}

// A file that moves while the folders are read can be missed, but not twice.
void FilesEngine::look_for_lost_files(std::vector<TaskEvent>& events) {
  if (Clock::now() - compared_ < compare_every) return;
  compared_ = Clock::now();
  std::set<std::string> there;
  const auto add = [&](const fs::path& folder) {
    for (std::string& name : names_in(folder)) there.insert(std::move(name));
  };
  add(exchange_.todo());
  for (const std::string& worker : names_in(exchange_.workers())) add(exchange_.workers() / worker);
  add(exchange_.done());
  std::set<uint64_t> missing;
  for (const auto& [index, task] : submitted_)
    if (there.count(task.name) == 0) missing.insert(index);
  for (const uint64_t index : missing)
    if (missing_.count(index) > 0) give_back(index, events);
  missing_ = std::move(missing);
}

void FilesEngine::stop() {
  slurm_->stop();
  std::error_code ignored;
  if (reported_.empty() && names_in(exchange_.done()).empty()) fs::remove_all(root_, ignored);
}

std::unique_ptr<Engine> make_files_engine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan,
                                          const std::string& id) {
  return std::make_unique<FilesEngine>(settings, files, plan, id);
}

}  // namespace levin::core::tasks
