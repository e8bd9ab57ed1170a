#include "host_process/host_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/environment.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

using namespace levin::core;

namespace {

constexpr size_t end_of_output = 4000;  // characters that a failed assertion prints

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_with(const Variables& variables) {
  EnvironmentVariables all = environment_variables();
  for (const auto& [name, value] : variables) {
    all.erase(name);
    if (value) all[name] = *value;
  }
  std::vector<std::string> out;
  for (const auto& [name, value] : all) out.push_back(name + "=" + value);
  return out;
}

// Returns the terminal's end that the test reads.
int open_terminal(unsigned short columns) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  winsize size{};
  size.ws_row = 50;
  size.ws_col = columns;
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0 ||
      ::ioctl(terminal, TIOCSWINSZ, &size) != 0)
    throw std::runtime_error("there is no pseudo-terminal");
  return terminal;
}

std::string last_part(const std::string& name, const std::string& text) {
  if (trim(text).empty()) return "";
  return "\n" + name + ": " + (text.size() > end_of_output ? "... " + text.substr(text.size() - end_of_output) : text);
}

}  // namespace

namespace {
constexpr const char* error_begins = "host: error[";

std::string last_error(const std::string& err) {
  std::string last;
  for (const std::string& line : split(err, '\n')) {
    if (starts_with(line, "host: error:")) FAIL("an error without a code: " + line);
    if (starts_with(line, error_begins)) last = line;
  }
  return last;
}
}  // namespace

std::string Outcome::error_line() const { return last_error(err); }

std::string Outcome::error() const {
  const std::string line = last_error(err);
  return line.empty() ? "" : "host: error" + line.substr(line.find(']') + 1);
}

std::string Outcome::error_code() const {
  const std::string line = last_error(err);
  return line.empty() ? "" : line.substr(std::string(error_begins).size(), 5);
}

std::vector<std::string> shell_command(const std::string& script) { return {"/bin/sh", "-c", script}; }

Variables at_home(const std::filesystem::path& home, const std::string& cache) {
  return {{"HOME", home.string()}, {"XDG_CACHE_HOME", cache}, {"LEVIN_PLUGIN_PATH", {}}, {"XDG_DATA_HOME", {}}};
}

HostProcess::HostProcess(Program program) : program_(std::move(program)) {
  const auto file = [&](const char* name) { return (program_.folder / name).string() + program_.suffix; };
  const std::string out = file("out.txt"), err = file("err.txt");
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
  int ends[2] = {-1, -1};
  switch (program_.output) {
    case Program::Output::files:
      ::posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
      ::posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
      break;
    case Program::Output::pipe:
      if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("there is no pipe");
      output_ = ends[0];
      for (const int fd : {1, 2}) ::posix_spawn_file_actions_adddup2(&actions, ends[1], fd);
      break;
    case Program::Output::terminal:
      output_ = open_terminal(program_.columns);
      flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
      for (const int fd : {0, 1, 2}) ::posix_spawn_file_actions_addopen(&actions, fd, ::ptsname(output_), O_RDWR, 0);
  }
  ::posix_spawn_file_actions_addchdir_np(&actions, program_.folder.c_str());
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGINT);
  ::sigaddset(&defaults, SIGQUIT);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, flags);
  const std::vector<std::string> environment = environment_with(program_.variables);
  const auto argv = pointers(program_.command), envp = pointers(environment);
  const int problem = ::posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), envp.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (ends[1] >= 0) ::close(ends[1]);
  if (problem != 0) throw std::runtime_error("cannot start " + program_.command[0]);
}

HostProcess::~HostProcess() {
  if (output_ >= 0) ::close(output_);
  if (ends_within(0)) return;
  ::kill(-pid_, SIGKILL);
  ends_within(60000);
}

bool HostProcess::ends_within(int milliseconds) {
  for (int waited = 0;; waited += 2) {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    if (status_ || waited >= milliseconds) return status_.has_value();
    ::usleep(2000);
  }
}

ExitCode HostProcess::code() {
  if (!ends_within(1000 * program_.seconds)) {
    late_ = true;
    ::kill(-pid_, SIGTERM);
    if (!ends_within(1000)) ::kill(-pid_, SIGKILL);
    ends_within(60000);
  }
  const int status = status_.value_or(0);
  const int code = late_ ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, "\ncommand: " + join(program_.command, " ") + last_part("stdout", out()) + last_part("stderr", err())};
}

Outcome HostProcess::end() { return {code(), out(), err(), {}}; }

std::string HostProcess::written(const char* what) const {
  const auto file = program_.folder / (what + (".txt" + program_.suffix));
  return program_.output == Program::Output::files && std::filesystem::exists(file) ? read_file(file) : "";
}

std::string HostProcess::read_some() const {
  char buffer[65536];
  pollfd ready{output_, POLLIN, 0};
  if (::poll(&ready, 1, 120000) <= 0) return "";
  const ssize_t n = ::read(output_, buffer, sizeof buffer);
  return {buffer, static_cast<size_t>(std::max<ssize_t>(n, 0))};
}

std::string HostProcess::read_all(std::vector<Typed> typed) const {
  std::string bytes;
  for (std::string more = read_some(); !more.empty(); more = read_some()) {
    bytes += more;
    if (typed.empty() || bytes.find(typed.front().after) == std::string::npos) continue;
    const std::string keys = typed.front().keys;
    typed.erase(typed.begin());
    if (::write(output_, keys.data(), keys.size()) < 0) return bytes;
  }
  return bytes;
}

Outcome run_program(Program program) { return HostProcess(std::move(program)).end(); }
