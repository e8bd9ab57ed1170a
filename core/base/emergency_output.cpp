#include "core/base/emergency_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>

#include "core/base/program_name.hpp"
#include "core/base/stop_signals.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

// The run's paths, or "" if it has no folder. Stored in advance, because a signal handler cannot build them.
struct RunPaths {
  char folder[4096] = "", log[4096] = "", checkpoints[4096] = "";
} run_paths;

// Starts a new line after a progress bar or the terminal's "^C". Erases the old line if the terminal supports it.
struct NewLine {
  const char* text;
  size_t size;
};
const NewLine new_line = redraws_lines(STDERR_FILENO) ? NewLine{"\r\x1b[K", 4} : NewLine{"\n", 1};

template <size_t N>
void keep_path(char (&to)[N], const std::string& path) {
  if (path.size() < N) std::copy_n(path.c_str(), path.size() + 1, to);
}

void write_whole(int fd, const char* text, size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, text, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace

void name_run_folder(const std::string& folder) {
  keep_path(run_paths.folder, folder);
  keep_path(run_paths.log, folder + "/log.txt");
  keep_path(run_paths.checkpoints, folder + "/checkpoints/index.json");
}

void write_evidence(const char* text, size_t size) {
  write_whole(STDERR_FILENO, text, size);
  const int log =
      run_paths.log[0] ? open(run_paths.log, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  if (log < 0) return;
  write_whole(log, text, size);
  close(log);
}

EmergencyOutput& EmergencyOutput::add(std::string_view text) {
  constexpr std::string_view begin = "host:";
  if (size_ == 0 && text.substr(0, begin.size()) == begin) {
    const std::string_view name = line_name();
    std::copy(name.begin(), name.end(), text_);
    size_ = name.size();
    text.remove_prefix(begin.size() - 1);
  }
  for (const char c : text.substr(0, sizeof text_ - 1 - size_))
    text_[size_++] = static_cast<unsigned char>(c) < ' ' || c == 127 ? ' ' : c;
  return *this;
}

// std::to_chars allocates no memory.
EmergencyOutput& EmergencyOutput::add(long value) {
  char digits[24];
  return add(
      std::string_view(digits, static_cast<size_t>(std::to_chars(digits, std::end(digits), value).ptr - digits)));
}

EmergencyOutput& EmergencyOutput::add_hex(unsigned long value) {
  char digits[24];
  const char* end = std::to_chars(digits, std::end(digits), value, 16).ptr;
  return add("0x").add(std::string_view(digits, static_cast<size_t>(end - digits)));
}

EmergencyOutput& EmergencyOutput::add_seconds(double seconds) {
  add(static_cast<long>(seconds));
  if (seconds < 10) add(".").add(static_cast<long>(seconds * 10) % 10);
  return add(" s");
}

EmergencyOutput& EmergencyOutput::add_way_on() {
  if (!is_host_program() || !run_paths.checkpoints[0] || access(run_paths.checkpoints, R_OK) != 0) return *this;
  return add("; resume with: ").add(command_name()).add(" resume ").add(run_paths.folder);
}

void EmergencyOutput::write() {
  const int kept = errno;
  if (isatty(STDOUT_FILENO) && isatty(STDERR_FILENO)) write_whole(STDERR_FILENO, new_line.text, new_line.size);
  write_line();
  errno = kept;
}

void EmergencyOutput::write_line() {
  text_[size_] = '\n';
  write_evidence(text_, size_ + 1);
  size_ = 0;
}

void EmergencyOutput::end(int code) {
  write();
  end_process(code);
}

void end_before_run(int signal) {
  EmergencyOutput line;
  line.add("host: ").add(signal == SIGINT ? "info" : "warning").add(": ").add(name_of_signal(signal));
  line.add(": ends before the run has begun; nothing was saved").end(code_of_stop(signal));
}

}  // namespace levin::core
