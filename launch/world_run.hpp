// One attempt at a run: all its ranks from start to end.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "launch/common/event_loop.hpp"
#include "launch/common/node.hpp"
#include "launch/output/merged_lines.hpp"
#include "launch/ranks/local_node.hpp"
#include "launch/root_cause.hpp"

namespace levin::core {

struct WorldEnd {
  int code = 0;
  std::optional<Cause> cause;  // why the attempt failed
  bool asked_to_stop = false;  // by a signal to the launcher
  std::string run_folder;      // empty = not known
  std::string lost_machine;    // empty = none
  bool said_saved = false;     // rank 0 has reported a saved checkpoint
  bool saved = false;          // a checkpoint to resume from exists
};

// The task of one machine and how to reach the machine.
struct WorldNode {
  NodeTask task;
  std::string name;
  std::vector<std::string> ssh;  // the ssh command; empty = this machine
  std::string agent;             // the program that ssh starts there
};

class WorldRun : private RankEvents {
 public:
  WorldRun(const SignalSource& signals, const std::vector<WorldNode>& nodes, Patience patience);
  ~WorldRun() override;
  WorldEnd run();

 private:
  void started(int rank, pid_t pid) override;
  void wrote(int rank, int fd, std::string_view bytes) override;
  void said(int rank, const std::string& line) override;
  void stopped(int rank, int signal) override;
  void ended(int rank, int wait_status) override;
  void lost(int node, ErrorCode code, const std::string& why) override;

  void flush();
  void read_signals();
  void handle(int signal);
  void suspend();
  void forward(int signal);
  void sign_of_failure(RankState& rank);
  void decide();  // finds the root cause
  void end_others();
  bool over() const;
  void look_at_stopped();
  bool stopped_unseen() const;
  int code() const;
  RankState& state(int rank) { return ranks_.at(static_cast<size_t>(rank)); }

  const SignalSource& signals_;
  EventLoop loop_;
  Patience patience_;
  std::vector<RankState> ranks_;
  struct Output {
    LineSplitter lines[2];  // of fd 1 and 2
  };
  std::vector<Output> outputs_;
  MergedLines merged_;
  std::vector<int> first_ranks_;  // first rank of each node
  std::vector<std::unique_ptr<Node>> nodes_;
  WorldEnd end_;
  bool failing_ = false, suspended_ = false, flushing_ = false;
  bool met_ = false;       // the ranks have met; from then on they watch each other
  int changes_ = 0;        // how often a rank was stopped, continued or ended
  int stopped_alone_ = 0;  // exit code of the first rank that was asked to stop by anything but the launcher
  int interrupted_ = 0;
};

}  // namespace levin::core
