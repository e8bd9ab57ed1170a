#include "tasks/common/frame.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace levin::core::tasks {
namespace {

struct Head {
  uint32_t kind, attempt;
  uint64_t index, size;
};

bool write_all(int fd, const char* bytes, size_t n) {
  while (n > 0) {
    const ssize_t done = ::send(fd, bytes, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    n -= static_cast<size_t>(done);
  }
  return true;
}

bool read_all(int fd, char* bytes, size_t n) {
  while (n > 0) {
    const ssize_t done = ::read(fd, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    n -= static_cast<size_t>(done);
  }
  return true;
}

Head head_of(const Frame& frame) {
  return {static_cast<uint32_t>(frame.kind), frame.attempt, frame.index, frame.bytes.size()};
}

}  // namespace

bool write_frame(int fd, const Frame& frame) {
  const Head head = head_of(frame);
  std::string small(reinterpret_cast<const char*>(&head), sizeof head);
  if (frame.bytes.size() > 65536)
    return write_all(fd, small.data(), small.size()) && write_all(fd, frame.bytes.data(), frame.bytes.size());
  small += frame.bytes;
  return write_all(fd, small.data(), small.size());
}

bool read_frame(int fd, Frame& frame) {
  Head head{};
  if (!read_all(fd, reinterpret_cast<char*>(&head), sizeof head)) return false;
  frame.kind = static_cast<Message>(head.kind);
  frame.attempt = head.attempt;
  frame.index = head.index;
  frame.bytes.resize(head.size);
  return read_all(fd, frame.bytes.data(), frame.bytes.size());
}

FrameChannel::FrameChannel(Descriptor fd) : fd_(std::move(fd)) { set_nonblocking(fd_.get()); }

void FrameChannel::send(const Frame& frame) {
  const Head head = head_of(frame);
  out_.append(reinterpret_cast<const char*>(&head), sizeof head);
  out_ += frame.bytes;
  flush();
}

void FrameChannel::flush() {
  while (sent_ < out_.size()) {
    const ssize_t done = ::send(fd_.get(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return;
    if (done < 0) break;  // receive() says so
    sent_ += static_cast<size_t>(done);
  }
  out_.clear();
  sent_ = 0;
}

bool FrameChannel::receive(std::vector<Frame>& frames, uint64_t most) {
  char buffer[262144];
  for (;;) {
    const ssize_t n = ::read(fd_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return take(frames, most);
    if (n <= 0) return take(frames, most) && false;
    in_.append(buffer, static_cast<size_t>(n));
    if (!take(frames, most)) return false;
  }
}

bool FrameChannel::take(std::vector<Frame>& frames, uint64_t most) {
  size_t at = 0;
  Head head{};
  while (in_.size() - at >= sizeof head) {
    std::memcpy(&head, in_.data() + at, sizeof head);
    if (head.size > most || head.kind > static_cast<uint32_t>(Message::failed)) return false;
    if (in_.size() - at - sizeof head < head.size) break;
    frames.push_back({static_cast<Message>(head.kind), head.attempt, head.index,
                      in_.substr(at + sizeof head, static_cast<size_t>(head.size))});
    at += sizeof head + static_cast<size_t>(head.size);
  }
  in_.erase(0, at);
  return true;
}

}  // namespace levin::core::tasks
