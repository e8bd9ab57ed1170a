#include "launch/output/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "core/base/program_name.hpp"
#include "launch/common/descriptor.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

constexpr size_t most_waiting = size_t{16} << 20;
constexpr size_t taken_at_once = 4096;  // what a writable pipe accepts without blocking
constexpr std::chrono::milliseconds time_to_take{1000};

bool is_kind(int fd, mode_t kind) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == kind;
}

// Opens the file a second time, non-blocking. The first open file is shared with rank 0 and the shell, so it must stay
// blocking.
Descriptor of_its_own(int fd) {
  if (!is_kind(fd, S_IFIFO) && !is_kind(fd, S_IFCHR)) return Descriptor();
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return Descriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

class Output {
 public:
  explicit Output(int fd) : fd_(fd), own_(of_its_own(fd)) {}

  void add(std::string_view bytes) {
    if (waiting_.size() + bytes.size() > most_waiting)
      lost_ += bytes.size();
    else
      waiting_ += bytes;
    flush();
  }

  // Returns true if text is still waiting.
  bool flush() {
    for (bool taken = true; taken && !waiting_.empty();) {
      taken = write_some();
      if (waiting_.empty() && lost_ > 0)
        waiting_ = line_name() + std::string(": warning: ") + std::to_string(std::exchange(lost_, 0)) +
                   " bytes were dropped because this output was blocked\n";
    }
    return !waiting_.empty();
  }

  bool waits() const { return !waiting_.empty(); }
  bool is_taken_within(int ms) const {
    pollfd out{fd_, POLLOUT, 0};
    return ::poll(&out, 1, ms) != 0;
  }
  // From now on writes may block, and the process holds the file only once.
  void keep_one() { own_.reset(); }
  void close() {
    keep_one();
    ::close(fd_);
  }

 private:
  // Returns false if it would block.
  bool write_some() {
    const ssize_t n = write_now();
    if (n < 0 && errno == EINTR) return true;
    if (n == 0 || (n < 0 && errno == EAGAIN)) return false;
    waiting_.erase(0, n < 0 ? waiting_.size() : static_cast<size_t>(n));
    return true;
  }

  ssize_t write_now() const {
    if (own_.open()) return ::write(own_.get(), waiting_.data(), waiting_.size());
    if (is_kind(fd_, S_IFSOCK)) return ::send(fd_, waiting_.data(), waiting_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (is_taken_within(0)) return ::write(fd_, waiting_.data(), std::min(waiting_.size(), taken_at_once));
    errno = EAGAIN;
    return -1;
  }

  const int fd_;
  Descriptor own_;
  std::string waiting_;
  size_t lost_ = 0;
};

Output& output(int fd) {
  static Output all[] = {Output(1), Output(2)};
  return all[fd == 1 ? 0 : 1];
}

// Writes until nothing is waiting or the time is over.
void write_rest(Output& out, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (out.flush()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !out.is_taken_within(static_cast<int>(left.count()))) return;
  }
}

// Closes all descriptors that the child does not need, so that nothing that waits for the end of a pipe or lock waits
// for this output.
void keep_only_what_waits() {
  ::close(0);
  for (const int fd : {1, 2}) {
    if (output(fd).waits())
      output(fd).keep_one();
    else
      output(fd).close();
  }
  ::close_range(3, ~0U, 0);
}

[[noreturn]] void write_rest_in_child() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  keep_only_what_waits();
  for (const int fd : {1, 2})
    while (output(fd).flush()) output(fd).is_taken_within(-1);
  ::_exit(0);
}

}  // namespace

void print_line(int fd, const std::string& line) {
  print_bytes(fd, (redraws_lines(fd) ? "\r\033[K" : "") + with_program_name(line) + "\n");
}

void print_bytes(int fd, std::string_view bytes) { output(fd).add(bytes); }

bool flush_output() {
  const bool out = output(1).flush(), err = output(2).flush();
  return out || err;
}

void finish_output() {
  for (const int fd : {1, 2}) write_rest(output(fd), time_to_take);
  if (flush_output() && ::fork() == 0) write_rest_in_child();
}

}  // namespace levin::core
