// The ranks of another machine, run by an agent that is started by ssh.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "launch/common/descriptor.hpp"
#include "launch/common/event_loop.hpp"
#include "launch/common/node.hpp"
#include "launch/common/node_task.hpp"
#include "launch/nodes/frame.hpp"
#include "launch/output/merged_lines.hpp"

namespace levin::core {

// The connection to a machine.
struct Reach {
  std::string host;                  // for messages
  std::vector<std::string> command;  // ssh with all its arguments
  std::string agent;                 // the program that must exist there
};

class RemoteNode : public Node {
 public:
  // Throws Error{internal} if ssh cannot be started. All other failures are reported by RankEvents::lost().
  RemoteNode(EventLoop& loop, RankEvents& events, const NodeTask& task, Reach reach);
  ~RemoteNode() override;

  bool has(int rank) const override;
  void say(int rank, const std::string& line) override;
  void signal(int signal) override;
  void end() override;
  void kill() override;
  void look_at_children() override;
  bool over() const override { return !runs_; }

 private:
  void send(const Frame& frame);
  void keep_alive();
  void read_frames();
  void take(std::string_view bytes);
  bool greeted();  // true once the agent has greeted; consumes the output before the greeting
  void handle(const Frame& frame);
  void read_remarks();
  void remark(const std::string& line) const;
  void lose(ErrorCode code, const std::string& why);
  void ssh_ended(int status);

  EventLoop& loop_;
  RankEvents& events_;
  NodeTask task_;
  Reach reach_;
  pid_t ssh_ = -1;
  Descriptor to_, from_, remarks_;
  FrameReader frames_;
  std::string before_greeting_;
  LineSplitter remark_lines_;
  int left_;  // ranks that have not ended
  bool runs_ = true, has_greeted_ = false, is_lost_ = false;
};

// given: --ssh_command, words separated by spaces; empty = ssh with options that make it fail early and never ask.
std::vector<std::string> ssh_command(const std::string& given, const std::string& host,
                                     const std::vector<std::string>& agent);

}  // namespace levin::core
