// What launcher and agent say to each other, through the streams of ssh:
//   NAME RANK NUMBER SIZE\n, and then SIZE bytes.
// To the agent: task (JSON), say, signal, end, kill, alive. From it: started (pid), wrote (1 or 2), said, stopped
// (signal), ended (wait status), refused (exit code, reason).
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace levin::core {

struct Frame {
  std::string name;
  int rank = 0;
  long number = 0;
  std::string bytes;
};

std::string to_bytes(const Frame& frame);

// The first line of an agent. What comes before it is said by the login on that machine.
std::string agent_greeting();

class FrameReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // nullopt: not whole yet. Throws Error{internal} for what is no frame.
  std::optional<Frame> next();

 private:
  std::string bytes_;
};

// Writes all of it to a descriptor that does not block. false: the other side has gone, or takes nothing for 30 s.
bool write_within_patience(int fd, std::string_view bytes);

}  // namespace levin::core
