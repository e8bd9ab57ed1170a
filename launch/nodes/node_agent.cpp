#include "launch/nodes/node_agent.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/error.hpp"
#include "launch/common/event_loop.hpp"
#include "launch/nodes/frame.hpp"

namespace levin::core {
namespace {

// Reports events to the launcher. If the launcher cannot be reached, the agent ends.
class Told : public RankEvents {
 public:
  void started(int rank, pid_t pid) override { tell({"started", rank, pid, ""}); }
  void wrote(int rank, int fd, std::string_view bytes) override { tell({"wrote", rank, fd, std::string(bytes)}); }
  void said(int rank, const std::string& line) override { tell({"said", rank, 0, line}); }
  void stopped(int rank, int signal) override { tell({"stopped", rank, signal, ""}); }
  void ended(int rank, int wait_status) override { tell({"ended", rank, wait_status, ""}); }
  void lost(int, ErrorCode code, const std::string& why) override { tell({"refused", 0, static_cast<int>(code), why}); }

  void tell(const Frame& frame) { heard_ = heard_ && write_within_patience(STDOUT_FILENO, to_bytes(frame)); }
  bool heard() const { return heard_; }

 private:
  bool heard_ = true;
};

class Agent {
 public:
  Agent(Silence silence, Patience patience) : silence_(silence), patience_(patience) {}

  int run() {
    set_nonblocking(STDIN_FILENO);
    set_nonblocking(STDOUT_FILENO);
    if (!write_within_patience(STDOUT_FILENO, agent_greeting() + "\n")) return 1;
    loop_.watch(signals_.fd(), [this] { read_signals(); });
    loop_.watch(STDIN_FILENO, [this] { read_input(); });
    look_whether_silent();
    while (!done_ && (!node_ || !node_->over())) {
      loop_.turn();
      if (!told_.heard()) end_all();
    }
    return 0;
  }

 private:
  void read_signals() {
    for (const int signal : signals_.read()) {
      if (signal != SIGCHLD) end_all();
      if (node_) node_->look_at_children();
    }
  }

  void read_input() {
    std::string bytes;
    if (!read_available(STDIN_FILENO, bytes)) {
      loop_.forget(STDIN_FILENO);
      return end_all();
    }
    heard_ = EventLoop::Clock::now();
    frames_.add(bytes);
    while (const auto frame = frames_.next()) obey(*frame);
  }

  void obey(const Frame& frame) {
    if (frame.name == "task" && !node_) return start(nlohmann::json::parse(frame.bytes));
    if (!node_) return;
    if (frame.name == "say") node_->say(frame.rank, frame.bytes);
    if (frame.name == "end") node_->end();
    if (frame.name == "kill") node_->kill();
    if (frame.name != "signal") return;
    // A stopped launcher cannot send "alive".
    if (frame.number == SIGSTOP || frame.number == SIGCONT) suspended_ = frame.number == SIGSTOP;
    node_->signal(static_cast<int>(frame.number));
  }

  void start(NodeTask task) try {
    task.shows_first_rank = false;
    if (!task.folder.empty() && ::chdir(task.folder.c_str()) != 0)
      throw Error(ErrorCode::folder_not_found, "the folder " + task.folder + " cannot be opened there (" +
                                                   std::strerror(errno) +
                                                   "); a run starts in the same folder on every machine");
    node_ = std::make_unique<LocalNode>(loop_, told_, task, patience_);
  } catch (const Error& e) {
    told_.lost(task.node, e.code(), e.what());
    done_ = true;
  }

  void end_all() {
    if (node_)
      node_->end();
    else
      done_ = true;
  }

  void look_whether_silent() {
    const auto most = suspended_ ? silence_.while_stopped : silence_.most;
    if (EventLoop::Clock::now() - heard_ > most) end_all();
    loop_.after(std::min(silence_.most, silence_.while_stopped) / 4, [this] { look_whether_silent(); });
  }

  Silence silence_;
  Patience patience_;
  SignalSource signals_{{SIGTERM, SIGHUP, SIGINT}};
  EventLoop loop_;
  Told told_;
  FrameReader frames_;
  std::unique_ptr<LocalNode> node_;
  EventLoop::Clock::time_point heard_ = EventLoop::Clock::now();
  bool done_ = false, suspended_ = false;
};

}  // namespace

int run_node_agent(Silence silence, Patience patience) { return Agent(silence, patience).run(); }

}  // namespace levin::core
