// The ranks of this machine: starts them, hears what they say and sees how they end.
#pragma once
#include <chrono>
#include <vector>

#include "host/launcher/common/event_loop.hpp"
#include "host/launcher/common/node.hpp"
#include "host/launcher/common/node_task.hpp"
#include "host/launcher/common/rank_events.hpp"
#include "host/launcher/output/line_splitter.hpp"
#include "host/launcher/ranks/rank_process.hpp"

namespace levin::core {

// How long ranks that are asked to end may take. Rank 0 gets more while it writes, because that may be a checkpoint.
// to_return: before the first restart after the loss of a machine, and twice as long before each one more.
struct Patience {
  std::chrono::milliseconds to_end{10000}, to_write{120000}, to_return{30000};
};

class LocalNode : public Node {
 public:
  // Starts the ranks. Throws Error{internal} if one cannot be started; those before it are killed then.
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
    uint64_t written = 0;  // bytes, when it was last looked
  };
  void watch_control(size_t place);
  void watch_output(size_t place, int fd);
  bool hear(Rank& rank);  // false: the rank has closed its end
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
