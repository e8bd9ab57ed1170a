#include "launch/nodes/frame.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/version.hpp"

namespace levin::core {
namespace {

constexpr size_t longest_head = 128, longest = size_t{256} << 20;
constexpr int patience_ms = 30000;

}  // namespace

std::string to_bytes(const Frame& frame) {
  return frame.name + " " + std::to_string(frame.rank) + " " + std::to_string(frame.number) + " " +
         std::to_string(frame.bytes.size()) + "\n" + frame.bytes;
}

std::string agent_greeting() { return std::string("levin node ") + host_version; }

std::optional<Frame> FrameReader::next() {
  const size_t end = bytes_.find('\n');
  if (end == std::string::npos && bytes_.size() <= longest_head) return std::nullopt;
  Frame frame;
  size_t size = 0;
  std::istringstream head(bytes_.substr(0, end));
  if (end > longest_head || !(head >> frame.name >> frame.rank >> frame.number >> size) || size > longest)
    throw Error(ErrorCode::internal_error, "invalid message between the launcher and its agent");
  if (bytes_.size() < end + 1 + size) return std::nullopt;
  frame.bytes = bytes_.substr(end + 1, size);
  bytes_.erase(0, end + 1 + size);
  return frame;
}

bool write_within_patience(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
    if (n >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    pollfd out{fd, POLLOUT, 0};
    if (::poll(&out, 1, patience_ms) == 0) return false;
  }
  return true;
}

}  // namespace levin::core
