#include "tasks/slurm/files_worker.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/event_loop.hpp"
#include "tasks/engine/worker_process.hpp"
#include "tasks/slurm/exchange.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds driver_lost{60};
constexpr milliseconds first_pause{20}, longest_pause{500};  // when there is no task

std::string own_name() {
  char host[200] = "";
  ::gethostname(host, sizeof host - 1);
  return std::string(host) + "-" + std::to_string(::getpid());
}

class FilesWorker {
 public:
  explicit FilesWorker(const fs::path& session)
      : signals_({SIGINT, SIGTERM, SIGHUP}),
        exchange_{session},
        name_(own_name()),
        folder_(exchange_.workers() / name_) {
    const auto setup = get_file(exchange_.setup());
    if (!setup) throw Error(ErrorCode::server_unreachable, session.string() + " has no job: it has ended");
    const nlohmann::json j = parse_json(*setup, exchange_.setup().string(), ErrorCode::record_damaged);
    plan_.program = (exe_path().parent_path() / "host-tasks-worker").string();
    plan_.setup = j.at("setup");
    share_.amounts.cpus = j.at("cpus");
    plan_.time_limit = j.at("time_limit");
    plan_.max_size = j.at("max_size");
    plan_.folder = session.parent_path().parent_path() / "workers" / name_;
    if (!fs::create_directory(folder_))  // a process id of this machine that has come again
      for (const std::string& file : names_in(folder_)) fs::remove(folder_ / file);
    process_ = std::make_unique<WorkerProcess>(plan_, 1);
  }

  // Returns when the job has ended.
  int run() {
    std::printf("worker %s\n", name_.c_str());
    std::fflush(stdout);
    for (milliseconds pause = first_pause; is_alive();) {
      bool found = false;
      for (const std::string& name : names_in(exchange_.todo())) {
        if (!is_alive()) break;
        if (compute(name)) found = true;
      }
      pause = found ? first_pause : std::min(2 * pause, longest_pause);
      pollfd fd{signals_.fd(), POLLIN, 0};
      if (!found) ::poll(&fd, 1, static_cast<int>(pause.count()));
    }
    process_->stop();
    if (signal_)
      std::printf("worker %s: ended by %s\n", name_.c_str(), name_of_signal(signal_));
    else
      std::printf("worker %s: the job has ended\n", name_.c_str());
    return signal_ ? code_of_stop(signal_) : 0;
  }

 private:
  // Says that this worker lives. Returns false if the job or its driver has ended, or if SLURM ends this worker.
  bool is_alive() {
    for (const int signal : signals_.read())
      if (signal != SIGCHLD) signal_ = signal, lives_ = false;
    if (!lives_) return false;
    const auto now = Clock::now();
    if (now - told_ < seconds(1)) return true;
    told_ = now;
    const auto driver = get_file(exchange_.driver());
    if (driver && *driver != driver_) driver_ = *driver, driver_seen_ = now;
    lives_ = now - driver_seen_ < driver_lost && is_present(folder_);
    if (lives_) put_number(folder_ / "alive", ++beats_);
    return lives_;
  }

  // Returns false if another worker has taken the task.
  bool compute(const std::string& name) {
    const std::optional<ExchangedTask> task = ExchangedTask::parsed(name);
    const fs::path mine = folder_ / name;
    std::error_code failed;
    if (!task) return false;
    fs::rename(exchange_.todo() / name, mine, failed);
    if (failed && !is_present(mine)) return false;  // a file server may say so of a move that it has made
    TaskEvent event;
    event.how = Ended::returned;
    event.index = task->index;
    event.attempt = task->attempt;
    event.worker = name_;
    if (std::optional<std::string> bytes = get_file(mine)) {
      process_->give({Message::handle, task->attempt, task->index, std::move(*bytes)}, share_);
      std::optional<CallEnd> end;
      while (!(end = process_->look()) && is_alive()) wait();
      if (end)
        set_end(event, *end);
      else if (signal_)
        event.how = Ended::lost, event.bytes = "worker " + name_ + " was ended by " + name_of_signal(signal_);
      else
        return process_->stop(), false;
    }
    put_file_durable(exchange_.done() / name, packed_event(event));
    fs::remove(mine, failed);
    return true;
  }

  static void set_end(TaskEvent& event, CallEnd& end) {
    event.how = end.how == CallEnd::How::result    ? Ended::result
                : end.how == CallEnd::How::failed  ? Ended::failed
                : end.how == CallEnd::How::refused ? Ended::note
                                                   : Ended::lost;
    event.seconds = end.seconds;
    event.bytes = event.how == Ended::result ? std::move(end.frame.bytes) : std::move(end.reason);
  }

  void wait() const {
    milliseconds time(500);
    if (const auto limit = process_->deadline())
      time = std::clamp(std::chrono::ceil<milliseconds>(*limit - Clock::now()), milliseconds(0), time);
    pollfd fds[] = {{process_->fd(), static_cast<short>(process_->has_output() ? POLLIN | POLLOUT : POLLIN), 0},
                    {signals_.fd(), POLLIN, 0}};
    ::poll(fds, 2, static_cast<int>(time.count()));
  }

  SignalSource signals_;  // of SLURM: a time limit, scancel
  int signal_ = 0;
  const Exchange exchange_;
  const std::string name_;
  const fs::path folder_;
  WorkerPlan plan_;
  Share share_;  // all that SLURM has given it
  std::unique_ptr<WorkerProcess> process_;
  std::string driver_;
  Clock::time_point driver_seen_ = Clock::now(), told_{};
  uint64_t beats_ = 0;
  bool lives_ = true;
};

}  // namespace

int run_files_worker(const std::vector<std::string>& words) {
  if (words.size() != 2)
    throw Error(ErrorCode::command_unknown, "host tasks files-worker is started by host tasks --engine slurm_files");
  return FilesWorker(absolute_path(words[1])).run();
}

}  // namespace levin::core::tasks
