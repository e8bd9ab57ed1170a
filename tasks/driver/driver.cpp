#include "tasks/driver/driver.hpp"

#include <fcntl.h>

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
#include "launch/common/shell_quote.hpp"
#include "tasks/nats/cluster.hpp"

namespace levin::core::tasks {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds commit_every{100};
constexpr uint64_t most_failures_shown = 5;
constexpr uint64_t done_early = UINT64_MAX;  // the index of a task in the queue that is done already

// The time before the next attempt: 0.1 s, 0.2 s, 0.4 s, ... up to 10 s.
milliseconds backoff(uint32_t attempts) { return milliseconds(std::min(10000, 100 << std::min(attempts - 1, 7u))); }

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A lock of the whole file that ends with the process, and that others can look at without taking it.
struct flock whole_file() {
  struct flock out {};
  out.l_type = F_WRLCK;
  out.l_whence = SEEK_SET;
  return out;
}

Descriptor locked(const JobFiles& files) {
  std::filesystem::create_directories(files.folder);
  Descriptor fd(::open(files.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.open()) throw Error(ErrorKind::run, files.folder.string() + " cannot be written: " + std::strerror(errno));
  struct flock lock = whole_file();
  if (::fcntl(fd.get(), F_OFD_SETLK, &lock) != 0)
    throw Error(ErrorKind::run, "another host tasks is running the job in " + files.folder.string());
  return fd;
}

}  // namespace

Driver::Driver(JobFiles files, bool terminal)
    : files_(std::move(files)),
      lock_(locked(files_)),
      ledger_(std::make_unique<Ledger>(files_.ledger())),
      terminal_(terminal),
      signals_({SIGINT, SIGTERM, SIGHUP}) {}

bool Driver::runs(const JobFiles& files) {
  const Descriptor fd(::open(files.lock().c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock = whole_file();
  return fd.open() && ::fcntl(fd.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

JobSettings Driver::settings_of(const JobFiles& files) {
  if (!is_file(files.ledger()))
    throw Error(ErrorKind::usage, files.folder.string() + " is no run of host tasks: it has no ledger.db");
  const std::string text = Ledger(files.ledger(), true).get("settings");
  if (text.empty())
    throw Error(ErrorKind::usage, "the job in " + files.folder.string() + " ended before it began; start a new one");
  return parse_json(text, files.ledger().string(), ErrorKind::data).get<JobSettings>();
}

WorkerPlan Driver::plan() const {
  WorkerPlan out;
  out.program = (exe_path().parent_path() / "host-tasks-worker").string();
  out.folder = files_.workers();
  const auto cpus = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  out.workers = static_cast<size_t>(settings_.workers > 0 ? settings_.workers : cpus);
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
  if (ledger_->get("state") == job_running && !handle()) return give_up_or_stop("its tasks");
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
  if (end->how != CallEnd::How::result) throw Error(ErrorKind::run, "read: " + end->reason);
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
  if (count == 0) throw Error(ErrorKind::data, settings_.file + " has no tasks: read added none");
  ledger_->set("state", job_running);
  ledger_->commit();
}

// Handles -------------------------------------------------------------------------------------------------------------

void Driver::queue_all() {
  ledger_->retry_failed();
  queue_ = ledger_->waiting();
  std::reverse(queue_.begin(), queue_.end());
  counts_ = ledger_->counts();
}

std::unique_ptr<Engine> Driver::make_engine() {
  if (settings_.engine == "local") return std::make_unique<LocalEngine>(plan());
  if (ledger_->get("id").empty()) ledger_->set("id", random_id());
  return make_nats_engine(settings_, files_, plan(), ledger_->get("id"));
}

bool Driver::handle() {
  queue_all();
  data_ = std::make_unique<RecordFile>(files_.tasks());
  results_ = std::make_unique<RecordFile>(files_.results(), ledger_->results_end());
  engine_ = make_engine();
  progress_.emplace(counts_, terminal_);
  while (counts_.done + counts_.failed < counts_.all) {
    if (!signal_) submit_due();
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

void Driver::submit_due() {
  while (!later_.empty() && later_.begin()->first <= Clock::now()) {
    queue_.push_back(later_.begin()->second);
    later_.erase(later_.begin());
  }
  while (!queue_.empty() && engine_->room() > 0) {
    const WaitingTask task = queue_.back();
    queue_.pop_back();
    if (task.index == done_early) continue;
    running_[task.index] = task;
    engine_->submit({task.index, task.attempts + 1, data_->read(task.data)});
  }
}

void Driver::record(const TaskEvent& event) {
  if (event.how == Ended::note) return progress_->say(event.bytes);
  const auto found = running_.find(event.index);
  if (event.how == Ended::returned && found != running_.end()) {
    queue_.push_back(found->second);
    running_.erase(found);
  }
  if (event.how == Ended::returned || (found == running_.end() && event.how != Ended::result)) return;
  if (!open_) {
    ledger_->begin();
    open_ = true;
    commit_due_ = Clock::now() + commit_every;
  }
  event.how == Ended::result ? record_result(event) : record_failure(event);
}

void Driver::record_result(const TaskEvent& event) {
  const auto found = running_.find(event.index);
  const std::optional<WaitingTask> task = found != running_.end() ? found->second : take_waiting(event.index);
  if (found != running_.end()) running_.erase(found);
  if (!task) return;  // a late duplicate
  const Place place = results_->append(event.bytes);
  if (!ledger_->finish({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, place)) return;
  ++counts_.done;
  counts_.weight_done += task->weight;
}

std::optional<WaitingTask> Driver::take_waiting(uint64_t index) {
  for (auto i = later_.begin(); i != later_.end(); ++i) {
    if (i->second.index != index) continue;
    const WaitingTask out = i->second;
    later_.erase(i);
    return out;
  }
  const auto found =
      std::find_if(queue_.rbegin(), queue_.rend(), [&](const auto& task) { return task.index == index; });
  if (found == queue_.rend()) return std::nullopt;
  const WaitingTask out = *found;
  found->index = done_early;
  return out;
}

void Driver::record_failure(const TaskEvent& event) {
  WaitingTask task = running_.at(event.index);
  running_.erase(event.index);
  task.attempts = event.attempt;
  const bool given_up = static_cast<int64_t>(task.attempts) >= settings_.attempts;
  ledger_->fail({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, event.bytes, given_up);
  if (given_up && ++counts_.failed <= most_failures_shown)
    progress_->say("task " + std::to_string(event.index) + " is set aside after " + std::to_string(task.attempts) +
                   " attempts: " + event.bytes);
  if (!given_up) later_.emplace(Clock::now() + backoff(task.attempts), task);
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
    if (end->how != CallEnd::How::result) throw Error(ErrorKind::run, "sum: " + end->reason);
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
  const std::string go_on = "host tasks --resume " + shell_word(files_.folder.string());
  if (signal_) {
    std::printf("stopped by %s during %s; go on with: %s\n", name_of_signal(signal_), what.c_str(), go_on.c_str());
    return code_of_stop(signal_);
  }
  throw Error(ErrorKind::run, std::to_string(counts_.failed) + " of " + std::to_string(counts_.all) +
                                  " tasks failed, so there is no output: see host tasks report " +
                                  shell_word(files_.folder.string()) + "; try them again with: " + go_on);
}

}  // namespace levin::core::tasks
