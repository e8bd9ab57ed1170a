#include "launch/ranks/local_node.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace levin::core {
namespace {

constexpr size_t most_left = 1 << 20;  // bytes read from a pipe after its rank has ended: others may still write
constexpr uint64_t written_in_a_second = 1 << 20;  // bytes; distinguishes saving from printing

uint64_t bytes_written(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/io");
  std::string name;
  uint64_t value = 0;
  while (file >> name >> value)
    if (name == "wchar:") return value;
  return 0;
}

}  // namespace

LocalNode::LocalNode(EventLoop& loop, RankEvents& events, const NodeTask& task, Patience patience)
    : loop_(loop), events_(events), patience_(patience) {
  ranks_.reserve(static_cast<size_t>(task.ranks));
  for (int i = 0; i < task.ranks; ++i) try {
      ranks_.push_back({task.first_rank + i, start_rank(task, i)});
    } catch (...) {
      kill();
      throw;
    }
  for (size_t i = 0; i < ranks_.size(); ++i) {
    events_.started(ranks_[i].number, ranks_[i].process.pid);
    watch_control(i);
    if (ranks_[i].process.out.open()) watch_output(i, 1);
    if (ranks_[i].process.err.open()) watch_output(i, 2);
  }
}

LocalNode::~LocalNode() {
  kill();
  for (Rank& rank : ranks_) {
    for (const Descriptor* d : {&rank.process.control, &rank.process.out, &rank.process.err})
      if (d->open()) loop_.forget(d->get());
    if (rank.runs) ::waitpid(rank.process.pid, nullptr, 0);
  }
}

void LocalNode::watch_control(size_t place) {
  const int fd = ranks_[place].process.control.get();
  loop_.watch(fd, [this, place, fd] {
    if (!hear(ranks_[place])) loop_.forget(fd);
  });
}

void LocalNode::watch_output(size_t place, int fd) {
  const RankProcess& process = ranks_[place].process;
  const int from = (fd == 1 ? process.out : process.err).get();
  loop_.watch(from, [this, place, fd, from] {
    std::string bytes;
    const bool open = read_available(from, bytes);
    if (!bytes.empty()) events_.wrote(ranks_[place].number, fd, bytes);
    if (!open) loop_.forget(from);
  });
}

bool LocalNode::hear(Rank& rank) {
  std::string bytes;
  const bool open = read_available(rank.process.control.get(), bytes);
  for (const auto& line : rank.said.add(bytes)) events_.said(rank.number, line);
  return open;
}

bool LocalNode::has(int rank) const {
  return !ranks_.empty() && rank >= ranks_.front().number && rank <= ranks_.back().number;
}

void LocalNode::say(int number, const std::string& line) {
  for (const Rank& rank : ranks_) {
    const std::string text = line + "\n";
    if (rank.number == number && rank.runs)
      ::send(rank.process.control.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

void LocalNode::signal(int signal) {
  for (const Rank& rank : ranks_)
    if (rank.runs) ::kill(rank.process.pid, signal);
}

void LocalNode::end() {
  if (std::exchange(ending_, true)) return;
  signal(SIGTERM);
  signal(SIGCONT);  // a stopped rank would not handle SIGTERM
  asked_ = EventLoop::Clock::now();
  for (Rank& rank : ranks_)
    if (rank.runs) rank.written = bytes_written(rank.process.pid);
  loop_.after(patience_.to_end, [this] { end_those_that_stay(); });
}

void LocalNode::end_those_that_stay() {
  bool again = false;
  for (Rank& rank : ranks_) {
    if (!rank.runs) continue;
    const uint64_t written = bytes_written(rank.process.pid);
    const bool saves = rank.number == 0 && written >= std::exchange(rank.written, written) + written_in_a_second;
    if (saves && EventLoop::Clock::now() - asked_ < patience_.to_write)
      again = true;
    else
      ::kill(-rank.process.pid, SIGKILL);
  }
  if (again) loop_.after(std::chrono::seconds(1), [this] { end_those_that_stay(); });
}

void LocalNode::kill() {
  ending_ = true;
  for (const Rank& rank : ranks_)
    if (rank.runs) ::kill(-rank.process.pid, SIGKILL);
}

void LocalNode::look_at_children() {
  for (Rank& rank : ranks_)
    while (rank.runs) {
      siginfo_t info{};
      const int what = WEXITED | WSTOPPED | WCONTINUED | WNOHANG;
      const auto id = static_cast<id_t>(rank.process.pid);
      if (::waitid(P_PID, id, &info, what | WNOWAIT) != 0 || info.si_pid == 0) break;
      if (info.si_code == CLD_STOPPED || info.si_code == CLD_CONTINUED) {
        ::waitid(P_PID, id, &info, WSTOPPED | WCONTINUED | WNOHANG);  // has no effect on a rank that has ended since
        events_.stopped(rank.number, info.si_code == CLD_STOPPED ? info.si_status : 0);
      } else {
        reap(rank, info.si_code != CLD_EXITED);
      }
    }
}

void LocalNode::reap(Rank& rank, bool killed) {
  // Kills the processes that the rank has started, unless it ended by itself. This comes before waitpid(), because the
  // process id is reserved only until then.
  if (killed || ending_) ::kill(-rank.process.pid, SIGKILL);
  int status = 0;
  ::waitpid(rank.process.pid, &status, 0);
  rank.runs = false;
  drain(rank);
  events_.ended(rank.number, status);
}

// Reads the rest of the output. Does not wait for the other ends to be closed: programs that the rank started may hold
// them open for long.
void LocalNode::drain(Rank& rank) {
  const auto rest_of = [](Descriptor& from) {
    std::string bytes;
    for (size_t before = 0; from.open() && read_available(from.get(), bytes) && bytes.size() > before;) {
      before = bytes.size();
      if (before > most_left) break;
    }
    return bytes;
  };
  for (const auto& line : rank.said.add(rest_of(rank.process.control))) events_.said(rank.number, line);
  for (const auto& line : rank.said.rest()) events_.said(rank.number, line);
  for (const int fd : {1, 2})
    if (const std::string bytes = rest_of(fd == 1 ? rank.process.out : rank.process.err); !bytes.empty())
      events_.wrote(rank.number, fd, bytes);
  for (Descriptor* d : {&rank.process.control, &rank.process.out, &rank.process.err}) {
    if (d->open()) loop_.forget(d->get());
    d->reset();
  }
}

bool LocalNode::over() const {
  return std::none_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.runs; });
}

}  // namespace levin::core
