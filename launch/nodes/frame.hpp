// Messages between launcher and agent, through the streams of ssh: NAME RANK NUMBER SIZE\n, then SIZE bytes.
// To the agent: task (JSON), say, signal, end, kill, alive. From the agent: started (pid), wrote (1 or 2), said,
// stopped (signal), ended (wait status), refused (error code, reason).
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

// The first line that an agent prints. Earlier lines are output of the login on that machine.
std::string agent_greeting();

class FrameReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // Returns the next frame, or nullopt if it is incomplete. Throws Error{internal} for bytes that are no frame.
  std::optional<Frame> next();

 private:
  std::string bytes_;
};

// Writes all bytes to a non-blocking descriptor. Returns false if the other side is gone or accepts nothing for 30 s.
bool write_within_patience(int fd, std::string_view bytes);

}  // namespace levin::core
