// Descriptors with an owner. All are closed in programs that are started.
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

// Both throw Error{internal} if the system has no more descriptors.
struct Pipe {
  Pipe();
  Descriptor read_end, write_end;
};
struct SocketPair {
  SocketPair();
  Descriptor ours, theirs;
};

// An anonymous file in memory, so that secrets never reach a disk. Throws Error{internal}.
Descriptor file_in_memory(std::string_view bytes);

void set_nonblocking(int fd);

// Reads what is there; appends it to `to`. Returns false when the other end is closed.
bool read_available(int fd, std::string& to);

}  // namespace levin::core
