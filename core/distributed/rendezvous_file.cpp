#include "core/distributed/rendezvous_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view first_line = "levin rendezvous 1\n";

// Returns "" for a regular file, otherwise what the file is.
const char* other_kind(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "it is a folder";
  if (S_ISFIFO(mode)) return "it is a FIFO";
  if (S_ISSOCK(mode)) return "it is a socket";
  return "it is a device";
}

bool is_rendezvous_key(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789/") == std::string_view::npos;
}

}  // namespace

// The open file, locked while this object exists.
class RendezvousFile::Opened {
 public:
  explicit Opened(const RendezvousFile& file) : file_(file) {
    TimeLimit limit(file.timeout_);
    // Rank 0 of the previous run may remove the file while this process waits for the lock.
    while (!open()) {
      if (limit.is_over())
        throw Error(ErrorCode::rendezvous_unreachable,
                    "the rendezvous file " + file.path_ + ": another process keeps it locked, for more than " +
                        in_seconds(file.timeout_) + " (trainer.process_group_timeout)");
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  ~Opened() { close(); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  int fd() const { return fd_; }

  std::string read() const {
    std::string text;
    char bytes[4096];
    while (const ssize_t n = uninterrupted([&] { return ::read(fd_, bytes, sizeof bytes); })) {
      if (n < 0) file_.refuse(std::string("it cannot be read: ") + std::strerror(errno));
      text.append(bytes, static_cast<size_t>(n));
      const size_t known = std::min(text.size(), first_line.size());
      if (text.compare(0, known, first_line, 0, known) != 0) file_.refuse("another program has written it");
    }
    return text;
  }

 private:
  // Checks the kind before opening, because opening a FIFO or a device may have side effects.
  bool open() {
    struct stat info {};
    if (::stat(file_.path_.c_str(), &info) == 0) check_kind(info.st_mode);
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    fd_ = uninterrupted([&] { return ::open(file_.path_.c_str(), flags, 0600); });
    if (fd_ < 0) fail(why_not_opened(errno));
    const bool locked = uninterrupted([&] { return ::flock(fd_, LOCK_EX | LOCK_NB); }) == 0;
    if (!locked && errno != EWOULDBLOCK) fail(std::string("it cannot be locked: ") + std::strerror(errno));
    if (::fstat(fd_, &info) == 0) check_kind(info.st_mode);
    if (locked && info.st_nlink > 0) return true;
    close();
    return false;
  }

  void check_kind(mode_t mode) {
    if (const char* kind = other_kind(mode); *kind) fail(kind);
  }

  std::string why_not_opened(int error) const {
    const std::filesystem::path folder = std::filesystem::path(file_.path_).parent_path();
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown)) return "there is no folder " + folder.string();
    return std::string("it cannot be opened: ") + std::strerror(error);
  }

  [[noreturn]] void fail(const std::string& what) {
    close();
    file_.refuse(what);
  }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  const RendezvousFile& file_;
  int fd_ = -1;
};

RendezvousFile::RendezvousFile(std::string path, milliseconds timeout) : path_(std::move(path)), timeout_(timeout) {}

void RendezvousFile::refuse(const std::string& what) const {
  throw Error(ErrorCode::rendezvous_refused, "the file " + path_ + " cannot be the rendezvous: " + what +
                                                 "; name a file that does not exist yet (trainer.init_method)");
}

std::map<std::string, std::string> RendezvousFile::lines(const std::string& text) const {
  std::map<std::string, std::string> out;
  if (text.empty()) return out;
  if (text.size() < first_line.size() || text.back() != '\n')
    refuse("a run that was interrupted has left it cut short");
  for (size_t at = first_line.size(); at < text.size();) {
    const size_t end = text.find('\n', at), space = text.find(' ', at);
    if (space >= end || !is_rendezvous_key(std::string_view(text).substr(at, space - at))) refuse("it is damaged");
    out[text.substr(at, space - at)] = text.substr(space + 1, end - space - 1);
    at = end + 1;
  }
  return out;
}

// Appends a line. A line that does not fit on the disk is removed again.
void RendezvousFile::append(const Opened& file, const std::string& text, const std::string& line) const {
  const std::string added = (text.empty() ? std::string(first_line) : "") + line + "\n";
  const auto size = static_cast<off_t>(text.size());
  const ssize_t n = uninterrupted([&] { return ::pwrite(file.fd(), added.data(), added.size(), size); });
  if (n == static_cast<ssize_t>(added.size())) return;
  const int error = n < 0 ? errno : ENOSPC;
  if (::ftruncate(file.fd(), size) != 0) remove();
  throw Error(code_of_write(error), "cannot write the rendezvous file " + path_ + ": " + std::strerror(error) +
                                        "; make room there, or name another file (trainer.init_method)");
}

bool RendezvousFile::claim(const std::string& key) {
  const Opened file(*this);
  const std::string text = file.read();
  if (lines(text).count(key) > 0) return false;
  append(file, text, key + " claimed");
  return true;
}

void RendezvousFile::set(const std::string& key, const std::string& value) {
  std::string line = key + " " + printable(value);
  std::replace(line.begin(), line.end(), '\n', ' ');
  const Opened file(*this);
  const std::string text = file.read();
  lines(text);
  append(file, text, line);
}

std::optional<std::string> RendezvousFile::find(const std::string& key) {
  const auto all = lines(Opened(*this).read());
  const auto found = all.find(key);
  return found == all.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::string RendezvousFile::get(const std::string& key) {
  TimeLimit limit(timeout_);
  for (milliseconds pause{5};; pause = std::min(pause * 2, milliseconds(100))) {
    if (auto value = find(key)) return *value;
    if (limit.is_over())
      throw Error(ErrorCode::rank_missing, "rank 0 did not come to the rendezvous file " + path_ + " within " +
                                               in_seconds(timeout_) + " (trainer.process_group_timeout)");
    std::this_thread::sleep_for(pause);
  }
}

void RendezvousFile::remove() const {
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::canonical(path_, unknown);
  if (!unknown) remove_file(file);
}

}  // namespace levin::core
