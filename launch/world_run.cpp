#include "launch/world_run.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/environment.hpp"
#include "core/base/error_line.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "launch/nodes/remote_node.hpp"
#include "launch/output/terminal.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds moment{200};     // time in which ranks that fail together report it
constexpr milliseconds to_leave{2000};  // time to end after a second Ctrl-C
constexpr milliseconds flush_interval{50};

std::vector<RankState> states_of(const std::vector<WorldNode>& nodes) {
  std::vector<RankState> out;
  for (const WorldNode& node : nodes)
    for (int i = 0; i < node.task.ranks; ++i) {
      out.emplace_back();
      out.back().rank = node.task.first_rank + i;
      out.back().node = node.name;
    }
  return out;
}

bool is_stopped(const RankState& rank) { return !rank.has_ended() && rank.stopped_by != 0; }
bool still_runs(const RankState& rank) { return !rank.has_ended() && rank.stopped_by == 0; }

std::unique_ptr<Node> make_node(EventLoop& loop, RankEvents& events, const WorldNode& node, Patience patience) {
  if (node.ssh.empty()) return std::make_unique<LocalNode>(loop, events, node.task, patience);
  return std::make_unique<RemoteNode>(loop, events, node.task, Reach{node.name, node.ssh, node.agent});
}

std::string after(const std::string& line, const std::string& word) {
  return starts_with(line, word + " ") ? line.substr(word.size() + 1) : "";
}

}  // namespace

WorldRun::WorldRun(const SignalSource& signals, const std::vector<WorldNode>& nodes, Patience patience)
    : signals_(signals),
      patience_(patience),
      ranks_(states_of(nodes)),
      outputs_(ranks_.size()),
      merged_(ranks_.size() - 1, print_line) {
  loop_.watch(signals_.fd(), [this] { read_signals(); });
  for (const WorldNode& node : nodes) {
    first_ranks_.push_back(node.task.first_rank);
    nodes_.push_back(make_node(loop_, *this, node, patience));
  }
}

WorldRun::~WorldRun() = default;

WorldEnd WorldRun::run() {
  while (!over()) {
    loop_.turn();
    if (!flushing_) flush();
  }
  decide();
  merged_.print_all();
  end_.code = code();
  return end_;
}

void WorldRun::flush() {
  flushing_ = flush_output();
  if (flushing_) loop_.after(flush_interval, [this] { flush(); });
}

bool WorldRun::over() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->over(); });
}

int WorldRun::code() const {
  if (end_.cause) return end_.cause->code;
  if (interrupted_ > 1) return 128 + SIGINT;
  if (stopped_alone_ != 0) return stopped_alone_;
  for (const RankState& rank : ranks_)
    if (rank.wait_status && WEXITSTATUS(*rank.wait_status) != 0) return WEXITSTATUS(*rank.wait_status);
  return 0;
}

void WorldRun::started(int rank, pid_t pid) {
  state(rank).pid = pid;
  state(rank).started = true;
}

void WorldRun::wrote(int rank, int fd, std::string_view bytes) {
  if (rank == 0) return print_bytes(fd, bytes);  // rank 0 on another machine
  for (const auto& line : outputs_[static_cast<size_t>(rank)].lines[fd - 1].add(bytes)) merged_.add(rank, fd, line);
  loop_.after(MergedLines::wait, [this] { merged_.print_due(); });
}

void WorldRun::said(int rank, const std::string& line) {
  if (rank == 0 && starts_with(line, "store "))
    for (size_t r = 1; r < ranks_.size(); ++r)
      for (const auto& node : nodes_)
        if (node->has(static_cast<int>(r))) node->say(static_cast<int>(r), line);
  if (rank == 0 && starts_with(line, "run_folder ")) end_.run_folder = after(line, "run_folder");
  if (rank == 0 && starts_with(line, "saved ")) end_.said_saved = true;
  if (rank == 0 && starts_with(line, "met ")) met_ = true;
  if (!starts_with(line, "failed ") || state(rank).said) return;
  const std::string rest = after(line, "failed");
  // An error code, or the exit code of a rank that gives no error code.
  const int number = std::atoi(rest.c_str()), code = number < 100 ? number : number / 100;
  const size_t space = rest.find(' ');
  const std::string message = space == std::string::npos ? "" : printable(rest.substr(space + 1));
  state(rank).said =
      Failure{code == 0 ? 1 : code, message, number < 100 ? ErrorCode::rank_ended : static_cast<ErrorCode>(number)};
  sign_of_failure(state(rank));
}

void WorldRun::stopped(int number, int signal) {
  RankState& rank = state(number);
  const bool stays = std::exchange(rank.stopped_by, signal) == signal;
  if (!stays) look_at_stopped();
  if (suspended_ || failing_ || stays) return;
  const std::string pid = std::to_string(rank.pid);
  print_line(2, signal == 0 ? "host: " + name_of(rank) + " continues"
                            : "host: warning: " + name_of(rank) + " is stopped by " + signal_name(signal) +
                                  ", and the others wait for it; kill -CONT " + pid + " on its machine continues it");
}

// Returns true if a stopped rank goes unnoticed by the other ranks. Ranks that have met detect a stopped rank; before
// that, or after the others have ended, they do not.
bool WorldRun::stopped_unseen() const {
  const auto any = [this](bool (*is)(const RankState&)) { return std::any_of(ranks_.begin(), ranks_.end(), is); };
  const auto ended = [](const RankState& rank) { return rank.has_ended(); };
  return !suspended_ && any(is_stopped) && (any(still_runs) ? !met_ : any(ended));
}

void WorldRun::look_at_stopped() {
  const int changes = ++changes_;
  if (!stopped_unseen()) return;
  loop_.after(heartbeat_timeout(), [this, changes] {
    if (failing_ || changes != changes_ || !stopped_unseen()) return;
    const bool awaited = std::any_of(ranks_.begin(), ranks_.end(), still_runs);
    for (RankState& rank : ranks_) {
      if (!is_stopped(rank)) continue;
      rank.said = Failure{static_cast<int>(ErrorKind::processes),
                          "it is stopped by " + signal_name(rank.stopped_by) +
                              (awaited ? ", and the others wait for it" : ", and the others have ended"),
                          ErrorCode::rank_lost};
      sign_of_failure(rank);
    }
  });
}

void WorldRun::ended(int number, int wait_status) {
  RankState& rank = state(number);
  rank.wait_status = wait_status;
  look_at_stopped();
  for (const int fd : {1, 2})
    for (const auto& line : outputs_[static_cast<size_t>(number)].lines[fd - 1].rest()) merged_.add(number, fd, line);
  if (is_failure(wait_status)) return sign_of_failure(rank);
  // Only this rank was asked to stop, perhaps before it met the others, which would wait for it.
  if (end_.asked_to_stop || stopped_alone_ != 0 || WEXITSTATUS(wait_status) == 0) return;
  stopped_alone_ = WEXITSTATUS(wait_status);
  forward(SIGTERM);
}

void WorldRun::lost(int node, ErrorCode code, const std::string& why) {
  const int first = first_ranks_.at(static_cast<size_t>(node));
  if (kind_of(code) == ErrorKind::run) end_.lost_machine = state(first).node;  // lost and not refused
  for (RankState& rank : ranks_) {
    if (rank.node != state(first).node || rank.wait_status) continue;
    rank.lost = Failure{static_cast<int>(kind_of(code)), printable(why), code};
    sign_of_failure(rank);
  }
}

void WorldRun::sign_of_failure(RankState& rank) {
  if (rank.failed_at == EventLoop::Clock::time_point{}) rank.failed_at = EventLoop::Clock::now();
  const bool first = !std::exchange(failing_, true);
  if (is_certain(rank)) return decide();
  if (first) loop_.after(moment, [this] { decide(); });
}

void WorldRun::decide() {
  if (end_.cause || interrupted_ > 1) return;
  end_.cause = root_cause(ranks_);
  if (!end_.cause) return;
  failing_ = true;
  // A single process has printed the error itself.
  if (ranks_.size() > 1 || !end_.cause->said_itself) print_line(2, error_line(end_.cause->error, end_.cause->text));
  end_others();
}

void WorldRun::end_others() {
  const auto left = std::count_if(ranks_.begin(), ranks_.end(), [](const RankState& r) { return !r.has_ended(); });
  if (left > 0)
    print_line(2, "host: the other ranks are asked to end (SIGTERM); what still runs after " +
                      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience_.to_end).count()) +
                      " s is killed");
  for (const auto& node : nodes_) node->end();
}

void WorldRun::read_signals() {
  for (const int signal : signals_.read()) handle(signal);
}

void WorldRun::handle(int signal) {
  if (signal == SIGCHLD) {
    for (const auto& node : nodes_) node->look_at_children();
    return;
  }
  if (signal == SIGTSTP) return suspend();
  end_.asked_to_stop = true;
  forward(signal);
  if (signal != SIGINT || ++interrupted_ < (failing_ ? 1 : 2)) return;
  interrupted_ = 2;
  loop_.after(failing_ ? milliseconds(0) : to_leave, [this] {
    for (const auto& node : nodes_) node->kill();
  });
}

void WorldRun::forward(int signal) {
  for (const auto& node : nodes_) node->signal(signal);
}

// Ctrl-Z stops the launcher and the ranks, which are in process groups of their own.
void WorldRun::suspend() {
  suspended_ = true;
  forward(SIGSTOP);
  ::kill(::getpid(), SIGSTOP);  // continues after SIGCONT
  forward(SIGCONT);
  loop_.after(milliseconds(1000), [this] { suspended_ = false; });
}

}  // namespace levin::core
