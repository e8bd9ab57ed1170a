#include "tasks/engine/worker_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "launch/ranks/spawn.hpp"
#include "tasks/common/job.hpp"

namespace levin::core::tasks {
namespace {

constexpr std::chrono::seconds start_limit{60};  // until a process has created the component

// The threads of LibTorch and OpenMP in a worker, unless the user has set their number.
EnvironmentVariables environment_of_worker(size_t workers, const Share& share) {
  EnvironmentVariables out = environment_variables();
  const size_t cpus = std::max(1u, std::thread::hardware_concurrency());
  const uint64_t threads = share.amounts.cpus > 1 ? share.amounts.cpus : std::max<size_t>(1, cpus / workers);
  if (!has_threads_of_user(out)) out["OMP_NUM_THREADS"] = std::to_string(threads);
  if (!share.gpus.empty()) out["CUDA_VISIBLE_DEVICES"] = join(share.gpus, ",");
  out.emplace("OMP_WAIT_POLICY", "passive");
  out.erase(token_variable);
  return out;
}

}  // namespace

void WorkerProcess::start() {
  std::filesystem::create_directories(plan_.folder);
  const std::string file = (plan_.folder / ("worker_" + name() + ".txt")).string();
  const Descriptor output(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!output.open()) throw Error(ErrorCode::file_not_written, file + " cannot be written");
  printed_ = static_cast<uint64_t>(::lseek(output.get(), 0, SEEK_END));
  SocketPair sockets;
  Spawn what;
  what.command = {plan_.program, std::to_string(sockets.theirs.get())};
  what.environment = environment_of_worker(plan_.workers, share_);
  what.out = what.err = output.get();
  what.kept = {sockets.theirs.get()};
  sigemptyset(&what.blocked);
  pid_ = spawn(what);
  channel_.emplace(std::move(sockets.ours));
  ready_ = false;
  begun_ = Clock::now();
  channel_->send({Message::setup, 0, 0, plan_.setup});
}

void WorkerProcess::give(Frame call, const Share& share) {
  if (share.gpus != share_.gpus || share.amounts.cpus != share_.amounts.cpus) stop();
  share_ = share;
  if (!channel_) start();
  channel_->send(call);
  call.bytes.clear();
  call_ = std::move(call);
  begun_ = Clock::now();
}

std::optional<WorkerProcess::Clock::time_point> WorkerProcess::deadline() const {
  if (channel_ && !ready_) return begun_ + start_limit;
  if (!call_ || plan_.time_limit <= 0) return std::nullopt;
  return begun_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan_.time_limit));
}

std::optional<CallEnd> WorkerProcess::look() {
  if (!channel_) return std::nullopt;
  if (channel_->has_output()) channel_->flush();
  std::vector<Frame> frames;
  const bool alive = channel_->receive(frames, plan_.max_size + 65536);
  for (Frame& frame : frames) {
    if (frame.kind == Message::ready) {
      ready_ = true;
      begun_ = Clock::now();
    } else if (!ready_ && frame.kind == Message::failed) {
      CallEnd out{CallEnd::How::refused, call_.value_or(Frame{}), frame.bytes, 0};
      stop();
      return out;
    } else if (call_ && frame.index == call_->index) {
      const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
      const auto how = frame.kind == Message::result ? CallEnd::How::result : CallEnd::How::failed;
      const std::string reason = how == CallEnd::How::failed ? frame.bytes : "";
      call_.reset();
      return CallEnd{how, std::move(frame), reason, seconds};
    }
  }
  if (!alive || (frames.empty() && has_ended())) return lost(ending());
  const auto limit = deadline();
  if (!limit || Clock::now() < *limit) return std::nullopt;
  char why[100];
  std::snprintf(why, sizeof why,
                ready_ ? "did not end within %g s and was killed" : "was not ready after %g s and was killed",
                ready_ ? plan_.time_limit : std::chrono::duration<double>(start_limit).count());
  kill(pid_, SIGKILL);
  ending();
  return lost(why);
}

bool WorkerProcess::has_ended() {
  siginfo_t ended{};
  if (!status_ && waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      ended.si_pid == pid_) {
    kill(-pid_, SIGKILL);  // processes that it has started; its own entry keeps the number until waitpid
    int status = 0;
    if (waitpid(pid_, &status, 0) == pid_) status_ = status;
  }
  return status_.has_value();
}

std::optional<CallEnd> WorkerProcess::lost(const std::string& why) {
  if (!call_) return std::nullopt;
  CallEnd out{CallEnd::How::lost, *call_, "worker " + name() + " " + why, 0};
  const std::string line = last_line();
  if (!line.empty()) out.reason += "; its last line: " + line;
  out.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  call_.reset();
  return out;
}

std::string WorkerProcess::ending() {
  channel_.reset();
  // A process that has closed its socket ends soon, or does so now.
  for (int tries = 0; !has_ended(); ++tries) {
    if (tries == 200) kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const int status = *std::exchange(status_, std::nullopt);
  const std::string process = " (process " + std::to_string(std::exchange(pid_, -1)) + ")";
  if (WIFSIGNALED(status)) return "was killed by " + signal_name(WTERMSIG(status)) + process;
  return "ended with exit code " + std::to_string(WEXITSTATUS(status)) + process;
}

std::string WorkerProcess::last_line() const {
  std::ifstream in(plan_.folder / ("worker_" + name() + ".txt"), std::ios::binary);
  in.seekg(0, std::ios::end);
  const auto end = static_cast<uint64_t>(in.tellg());
  const uint64_t from = std::max(printed_, end > 4096 ? end - 4096 : 0);
  if (!in || end <= from) return "";
  std::string text(static_cast<size_t>(end - from), '\0');
  in.seekg(static_cast<std::streamoff>(from));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text = trim(text);
  return text.substr(text.find_last_of('\n') + 1).substr(0, 300);
}

void WorkerProcess::stop() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  ending();
  call_.reset();
}

}  // namespace levin::core::tasks
