// Messages between a process that hands tasks out and its worker, over a pair of sockets of one machine.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "launch/common/descriptor.hpp"

namespace levin::core::tasks {

enum class Message : uint32_t {
  setup,   // to the worker: JSON (worker/worker.cpp)
  read,    // to the worker: the path of the file of tasks
  handle,  // to the worker: a task (packed_task)
  sum,     // to the worker: nothing; the results are in the run folder
  ready,   // from the worker: it has created the component
  result,  // from the worker: what the call gave
  failed,  // from the worker: why the call failed
};

struct Frame {
  Message kind{};
  uint32_t attempt = 0;
  uint64_t index = 0;
  std::string bytes;
};

// Blocking, for the worker. They return false if the other side is gone.
bool write_frame(int fd, const Frame& frame);
bool read_frame(int fd, Frame& frame);

// The other side's end, which never blocks.
class FrameChannel {
 public:
  explicit FrameChannel(Descriptor fd);
  int fd() const { return fd_.get(); }
  void send(const Frame& frame);  // writes what fits; flush() writes the rest
  bool has_output() const { return !out_.empty(); }
  void flush();
  // Appends the frames that have arrived. Returns false if the other side is gone, or sends a frame larger than `most`.
  bool receive(std::vector<Frame>& frames, uint64_t most);

 private:
  bool take(std::vector<Frame>& frames, uint64_t most);
  Descriptor fd_;
  std::string in_, out_;
  size_t sent_ = 0;  // of out_
};

}  // namespace levin::core::tasks
