// An owned file descriptor, closed on exec.
#pragma once
#include <string>
#include <string_view>

namespace levin::core {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void reset();
  int release();

 private:
  int fd_;
};

// Pipe and SocketPair throw Error{internal} if the system has no more descriptors.
struct Pipe {
  Pipe();
  Descriptor read_end, write_end;
};
struct SocketPair {
  SocketPair();
  Descriptor ours, theirs;
};

// Returns an anonymous file in memory, so that secrets are never written to disk. Throws Error{internal}.
Descriptor file_in_memory(std::string_view bytes);

void set_nonblocking(int fd);

// Appends the available bytes to `to` without waiting. Returns false when the other end is closed.
bool read_available(int fd, std::string& to);

}  // namespace levin::core
