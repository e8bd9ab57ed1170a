#include "tasks/driver/driver.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/owner_lock.hpp"
#include "launch/common/shell_quote.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/nats/cluster.hpp"
#include "tasks/slurm/files_engine.hpp"
#include "tasks/slurm/slurm_workers.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds commit_every{100};
constexpr uint64_t most_failures_shown = 5;
constexpr size_t most_groups = 64;                  // of tasks with the same needs
constexpr milliseconds patience_with_needs{10000};  // before a task that no worker can run is reported
constexpr double slow = 2;                          // times the usual time of a task of its weight
constexpr double least_slow_seconds = 1;

// The time before the next attempt: 0.1 s, 0.2 s, 0.4 s, ... up to 10 s.
milliseconds backoff(uint32_t attempts) { return milliseconds(std::min(10000, 100 << std::min(attempts - 1, 7u))); }

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Descriptor locked(const JobFiles& files) {
  std::filesystem::create_directories(files.folder);
  if (auto lock = take_owner_lock(files.lock())) return std::move(*lock);
  throw Error(ErrorCode::job_in_use, "another host tasks is running the job in " + files.folder.string());
}

std::string name_of_task(const RecordFile& tasks, const WaitingTask& task) {
  const std::string head = tasks.read({task.data.offset, std::min<uint64_t>(task.data.size, 4096)});
  const std::string_view name = unpacked_task(head).name;
  return name.empty() ? "" : " (" + std::string(name) + ")";
}

}  // namespace

Driver::Driver(JobFiles files, bool terminal)
    : files_(std::move(files)),
      lock_(locked(files_)),
      ledger_(std::make_unique<Ledger>(files_.ledger())),
      terminal_(terminal),
      signals_({SIGINT, SIGTERM, SIGHUP}) {}

bool Driver::runs(const JobFiles& files) { return holds_owner_lock(files.lock()); }

JobSettings Driver::settings_of(const JobFiles& files) {
  if (!is_file(files.ledger()))
    throw Error(ErrorCode::not_a_run_folder,
                files.folder.string() + " is no run of host tasks: it has no ledger.db or ledger.url");
  const std::string text = Ledger(files.ledger(), true).get("settings");
  if (text.empty())
    throw Error(ErrorCode::job_state_wrong,
                "the job in " + files.folder.string() + " ended before it began; start a new one");
  return parse_json(text, files.ledger().string(), ErrorCode::record_damaged).get<JobSettings>();
}

WorkerPlan Driver::plan() const {
  WorkerPlan out;
  out.program = (exe_path().parent_path() / "host-tasks-worker").string();
  out.folder = files_.workers();
  const auto cpus = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  out.workers = static_cast<size_t>(settings_.workers > 0 ? settings_.workers : cpus);
  const auto given = [](int64_t number) {
    return number < 0 ? std::nullopt : std::optional<uint64_t>(static_cast<uint64_t>(number));
  };
  if (is_slurm(settings_.engine))
    out.machine.capacity = slurm_capacity(settings_);
  else
    out.machine = read_machine(
        {out.workers, given(settings_.cpus), given(settings_.gpus), given(settings_.memory_total), settings_.labels});
  out.time_limit = settings_.time_limit;
  out.max_size = static_cast<uint64_t>(settings_.max_size) << 20;
  out.setup = nlohmann::json{{"file", settings_.library},
                             {"component", settings_.component},
                             {"options", settings_.options},
                             {"trust", settings_.trust},
                             {"folder", files_.folder.string()},
                             {"max_size", out.max_size},
                             {"memory", static_cast<uint64_t>(settings_.memory) << 20}}
                  .dump();
  return out;
}

int Driver::run(const JobSettings& settings) {
  settings_ = settings;
  ledger_->set("settings", nlohmann::json(settings).dump());
  if (ledger_->get("state").empty()) ledger_->set("state", job_reading);
  if (ledger_->get("state") == job_reading && !read()) return give_up_or_stop("reading its tasks");
  if (ledger_->get("state") == job_running && !handle_or_leave()) return give_up_or_stop("its tasks");
  if (ledger_->get("state") == job_summing && !sum()) return give_up_or_stop("its sum");
  std::printf("%s\n", files_.output().c_str());
  return 0;
}

std::optional<CallEnd> Driver::call_alone(Frame call) {
  return tasks::call_alone(plan(), std::move(call), signals_.fd(), [this] { return stop_asked(); });
}

// Reads ---------------------------------------------------------------------------------------------------------------

bool Driver::read() {
  const std::optional<CallEnd> end = call_alone({Message::read, 0, 0, settings_.file});
  if (!end) return false;
  if (end->how != CallEnd::How::result) throw Error(ErrorCode::task_failed, "read: " + end->reason);
  import();
  return true;
}

void Driver::import() {
  const RecordFile tasks(files_.tasks()), places(files_.places());
  ledger_->begin();
  ledger_->remove_tasks();
  const uint64_t count = places.size() / sizeof(Place);
  for (uint64_t i = 0; i < count; ++i) {
    Place place;
    const std::string bytes = places.read({i * sizeof place, sizeof place});
    std::memcpy(&place, bytes.data(), sizeof place);
    const std::string head = tasks.read({place.offset, std::min<uint64_t>(place.size, 4096)});
    ledger_->add(i, unpacked_task(head), place);
  }
  if (count == 0) throw Error(ErrorCode::data_empty, settings_.file + " has no tasks: read added none");
  if (const size_t groups = ledger_->needs().size(); groups > most_groups)
    throw Error(ErrorCode::data_empty, "the tasks have " + std::to_string(groups) + " different needs, and at most " +
                                           std::to_string(most_groups) + " are possible: round the numbers up");
  ledger_->set("state", job_running);
  ledger_->commit();
}

// Handles -------------------------------------------------------------------------------------------------------------

void Driver::queue_all() {
  ledger_->retry_failed();
  waiting_ = WaitingTasks(ledger_->needs(), ledger_->waiting());
  counts_ = ledger_->counts();
}

std::unique_ptr<Engine> Driver::make_engine() {
  if (settings_.engine == "local") return std::make_unique<LocalEngine>(plan());
  if (ledger_->get("id").empty()) ledger_->set("id", random_hex(8));
  if (settings_.engine == "slurm_files") return make_files_engine(settings_, files_, plan(), ledger_->get("id"));
  return make_nats_engine(settings_, files_, plan(), ledger_->get("id"), ledger_->needs());
}

bool Driver::handle() {
  queue_all();
  data_ = std::make_unique<RecordFile>(files_.tasks());
  results_ = std::make_unique<RecordFile>(files_.results(), ledger_->results_end());
  engine_ = make_engine();
  progress_.emplace(counts_, terminal_);
  while (counts_.done + counts_.failed < counts_.all) {
    if (!signal_) look_at_needs();
    if (!signal_) submit_due();
    if (!signal_ && settings_.speculative) repeat_slow_tasks();
    if (counts_.done + counts_.failed == counts_.all) break;
    if ((signal_ && running_.empty()) || at_once_) break;
    for (const TaskEvent& event : engine_->wait(open_ ? milliseconds(20) : milliseconds(200), signals_.fd()))
      record(event);
    commit_if_due(false);
    stop_asked();
    progress_->update(counts_, engine_->running());
  }
  commit_if_due(true);
  engine_->stop();
  progress_->end(counts_);
  if (counts_.done < counts_.all) return false;
  ledger_->set("state", job_summing);
  return true;
}

// A job that fails leaves nothing in the store of a server that has other jobs: it may be full.
bool Driver::handle_or_leave() {
  try {
    return handle();
  } catch (const Error&) {
    if (engine_ && !settings_.server.empty()) engine_->stop();
    throw;
  }
}

void Driver::submit_due() {
  waiting_.add_due();
  for (bool submitted = true; submitted && engine_->room() > 0;) {
    submitted = false;
    Amounts kept;  // for heavier tasks that need more than is free, because they would wait for ever else
    for (TaskGroup* group : waiting_.in_order()) {
      if (!engine_->takes(group->needs, kept)) {
        kept = sum_of(kept, amounts_of(group->needs));
        continue;
      }
      submit(WaitingTasks::take_next(*group), false);
      submitted = true;
      break;
    }
  }
}

void Driver::submit(const WaitingTask& task, bool copy) {
  Running& now = running_[task.index];
  if (copy)
    ++now.attempts;
  else
    now = {task, Clock::now(), 1};
  engine_->submit({task.index, task.attempts + 1, data_->read(task.data), waiting_.needs_of(task), copy});
}

// Tasks that no worker can run are set aside, or, if other workers may come, wait and are reported.
void Driver::look_at_needs() {
  const auto now = Clock::now();
  if (now - looked_at_needs_ < milliseconds(1000)) return;
  looked_at_needs_ = now;
  for (TaskGroup& group : waiting_.groups()) {
    const auto [first, count] = unfinished(group);
    const std::string unmet = count == 0 ? "" : engine_->unmet(group.needs);
    if (unmet.empty()) {
      group.unmet_since.reset();
      group.reported = false;
      continue;
    }
    if (!group.unmet_since) group.unmet_since = now;
    if (!engine_->grows()) {
      set_aside(group, unmet);
    } else if (now - *group.unmet_since >= patience_with_needs && !group.reported) {
      group.reported = true;
      progress_->say("task " + std::to_string(first.index) + name_of_task(*data_, first) +
                     (count > 1 ? " and " + std::to_string(count - 1) + " others" : "") + " cannot run: " + unmet +
                     "; waiting for a worker that has it");
      begin_changes();
      ledger_->note_waiting(text_of(group.needs), unmet);
    }
  }
}

// The first of the group's tasks that wait or are with the engine, and how many there are.
std::pair<WaitingTask, size_t> Driver::unfinished(const TaskGroup& group) {
  const auto number = static_cast<size_t>(&group - waiting_.groups().data());
  std::pair<WaitingTask, size_t> out{{}, group.tasks.size()};
  if (!group.tasks.empty()) out.first = group.tasks.back();
  for (const auto& [index, running] : running_)
    if (running.task.needs == number && out.second++ == 0) out.first = running.task;
  return out;
}

void Driver::set_aside(TaskGroup& group, const std::string& why) {
  begin_changes();
  for (const WaitingTask& task : WaitingTasks::take_all(group)) {
    ledger_->fail({task.index, task.attempts, "", 0}, why, true);
    if (++counts_.failed <= most_failures_shown)
      progress_->say("task " + std::to_string(task.index) + name_of_task(*data_, task) + " is set aside: " + why);
  }
}

// Near the end, idle workers run the slowest tasks a second time. The first result counts.
void Driver::repeat_slow_tasks() {
  if (!waiting_.empty() || weight_done_ <= 0) return;
  while (engine_->idle() > 0) {
    const Running* slowest = nullptr;
    for (const auto& [index, running] : running_) {
      const double usual = seconds_done_ / weight_done_ * running.task.weight;
      const double now = std::chrono::duration<double>(Clock::now() - running.begun).count();
      if (running.attempts > 1 || now < std::max(least_slow_seconds, slow * usual)) continue;
      if (!engine_->takes(waiting_.needs_of(running.task), {})) continue;
      if (!slowest || running.begun < slowest->begun) slowest = &running;
    }
    if (!slowest) return;
    submit(slowest->task, true);
  }
}

void Driver::begin_changes() {
  if (open_) return;
  ledger_->begin();
  open_ = true;
  commit_due_ = Clock::now() + commit_every;
}

void Driver::record(const TaskEvent& event) {
  if (event.how == Ended::note) return progress_->say(event.bytes);
  const auto found = running_.find(event.index);
  if (event.how != Ended::result && found != running_.end() && found->second.attempts > 1) {
    --found->second.attempts;  // the other one decides
    return;
  }
  if (event.how == Ended::returned && found != running_.end()) {
    const WaitingTask& task = found->second.task;
    waiting_.add(task);
    running_.erase(found);
  }
  if (event.how == Ended::returned || (found == running_.end() && event.how != Ended::result)) return;
  begin_changes();
  event.how == Ended::result ? record_result(event) : record_failure(event);
}

void Driver::record_result(const TaskEvent& event) {
  const auto found = running_.find(event.index);
  const bool twice = found != running_.end() && found->second.attempts > 1;
  const std::optional<WaitingTask> task = found != running_.end() ? found->second.task : waiting_.remove(event.index);
  if (found != running_.end()) running_.erase(found);
  if (twice) engine_->cancel(event.index);
  if (!task) return;  // a late duplicate
  const Place place = results_->append(event.bytes);
  if (!ledger_->finish({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, place)) return;
  ++counts_.done;
  counts_.weight_done += task->weight;
  seconds_done_ += event.seconds;
  weight_done_ += task->weight;
}

void Driver::record_failure(const TaskEvent& event) {
  WaitingTask task = running_.at(event.index).task;
  running_.erase(event.index);
  task.attempts = event.attempt;
  const bool given_up = static_cast<int64_t>(task.attempts) >= settings_.attempts;
  ledger_->fail({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, event.bytes, given_up);
  if (given_up && ++counts_.failed <= most_failures_shown)
    progress_->say("task " + std::to_string(event.index) + " is set aside after " + std::to_string(task.attempts) +
                   " attempts: " + event.bytes);
  if (!given_up) waiting_.add_at(Clock::now() + backoff(task.attempts), task);
}

// A result counts once it is on the disk: the file of results first, then the ledger.
void Driver::commit_if_due(bool now) {
  if (!open_ || (!now && Clock::now() < commit_due_)) return;
  results_->sync();
  ledger_->commit();
  open_ = false;
  engine_->recorded();
}

// Sums ----------------------------------------------------------------------------------------------------------------

bool Driver::sum() {
  if (!is_file(files_.output())) {  // else a driver was killed after it
    RecordFile order(files_.order(), 0);
    std::string places;
    ledger_->each_result([&](uint64_t, Place task, Place result) {
      for (const Place& place : {task, result}) places.append(reinterpret_cast<const char*>(&place), sizeof place);
      if (places.size() < 65536) return;
      order.append(places);
      places.clear();
    });
    order.append(places);
    const std::optional<CallEnd> end = call_alone({Message::sum, 0, 0, {}});
    if (!end) return false;
    if (end->how != CallEnd::How::result) throw Error(ErrorCode::task_failed, "sum: " + end->reason);
  }
  ledger_->set("state", job_done);
  return true;
}

// Stops ---------------------------------------------------------------------------------------------------------------

// The first Ctrl-C lets running tasks end. Another one, or any other signal, stops at once.
bool Driver::stop_asked() {
  for (const int signal : signals_.read()) {
    if (signal == SIGCHLD) continue;
    at_once_ = at_once_ || signal_ != 0 || signal != SIGINT;
    signal_ = signal;
    if (at_once_ || running_.empty()) continue;
    engine_->hold();
    progress_->say("Ctrl-C: waiting for " + std::to_string(engine_->running()) +
                   " running tasks; Ctrl-C again stops at once");
  }
  return signal_ != 0;
}

int Driver::give_up_or_stop(const std::string& what) {
  const std::string job = settings_.own_server ? files_.folder.filename().string() : shell_word(files_.folder.string());
  const std::string go_on = (settings_.own_server ? "host tasks retry " : "host tasks --resume ") + job;
  if (signal_) {
    std::printf("stopped by %s during %s; go on with: %s\n", name_of_signal(signal_), what.c_str(), go_on.c_str());
    return code_of_stop(signal_);
  }
  throw Error(ErrorCode::tasks_failed, std::to_string(counts_.failed) + " of " + std::to_string(counts_.all) +
                                           " tasks failed, so there is no output: see host tasks " +
                                           (settings_.own_server ? "status " : "report ") + job +
                                           "; try them again with: " + go_on);
}

}  // namespace levin::core::tasks
