// The ranks of this machine: starts them, reads their output and waits for their ends.
#pragma once
#include <chrono>
#include <vector>

#include "launch/common/event_loop.hpp"
#include "launch/common/node.hpp"
#include "launch/common/node_task.hpp"
#include "launch/output/merged_lines.hpp"
#include "launch/ranks/spawn.hpp"

namespace levin::core {

// to_end: time for ranks to end after SIGTERM. to_write: the longer time for rank 0 while it writes, probably a
// checkpoint. to_return: pause before a restart after the loss of a machine; it doubles, up to 16 times the first
// pause, while the attempts fail before the run begins.
struct Patience {
  std::chrono::milliseconds to_end{10000}, to_write{120000}, to_return{30000};
};

class LocalNode : public Node {
 public:
  // Starts the ranks. Throws Error{internal} if one cannot be started, after killing the others.
  LocalNode(EventLoop& loop, RankEvents& events, const NodeTask& task, Patience patience = {});
  ~LocalNode() override;

  bool has(int rank) const override;
  void say(int rank, const std::string& line) override;
  void signal(int signal) override;
  void end() override;
  void kill() override;
  void look_at_children() override;
  bool over() const override;

 private:
  struct Rank {
    int number;
    RankProcess process;
    LineSplitter said{};
    bool runs = true;
    uint64_t written = 0;  // bytes at the last check
  };
  void watch_control(size_t place);
  void watch_output(size_t place, int fd);
  bool hear(Rank& rank);  // false = the rank has closed its end
  void drain(Rank& rank);
  void reap(Rank& rank, bool killed);
  void end_those_that_stay();

  EventLoop& loop_;
  RankEvents& events_;
  Patience patience_;
  std::vector<Rank> ranks_;
  bool ending_ = false;
  EventLoop::Clock::time_point asked_{};
};

}  // namespace levin::core
