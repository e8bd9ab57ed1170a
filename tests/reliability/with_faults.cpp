// with_faults --below FOLDER [--fail K --error NAME [--after]] [--kill K] [--record FILE] [--report FILE] -- COMMAND...
//
// Runs a command, and numbers from 1 the calls by which it and its children create, write, sync, rename and remove
// files below a folder.
//   --fail K       call K fails with --error: EIO, ENOSPC, EACCES, EINTR or short (half of the bytes are written)
//   --after        all later calls fail too; with ENOSPC only those that need space
//   --kill K       the command is killed instead of making call K
//   --record FILE  writes all calls, one JSON object per line; the written bytes are in FILE.data
//   --report FILE  writes one JSON object: the number of calls, and the affected call
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/reliability/file_call.hpp"
#include "tests/reliability/watched_command.hpp"

using namespace levin::reliability;

namespace {

constexpr int short_write = -1;
const std::map<std::string, int> errors = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EACCES", EACCES}, {"EINTR", EINTR}, {"short", short_write}};

struct Settings {
  std::string below, record, report;
  long fail = 0, kill = 0;
  int error = EIO;
  bool after = false;
  std::vector<std::string> command;
};

Settings read_words(int argc, char** argv) {
  Settings out;
  int i = 1;
  const auto value = [&] { return std::string(argv[++i]); };
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string word = argv[i];
    if (word == "--below") out.below = value() + "/";
    if (word == "--record") out.record = value();
    if (word == "--report") out.report = value();
    if (word == "--fail") out.fail = std::stol(value());
    if (word == "--kill") out.kill = std::stol(value());
    if (word == "--error") out.error = errors.at(value());
    if (word == "--after") out.after = true;
  }
  for (++i; i < argc; ++i) out.command.emplace_back(argv[i]);
  return out;
}

class Supervisor {
 public:
  explicit Supervisor(const Settings& settings) : settings_(settings) {
    if (settings.record.empty()) return;
    record_.open(settings.record);
    data_.open(settings.record + ".data", std::ios::binary);
  }

  Answer answer(const seccomp_notif& stopped) {
    const auto call = file_call(stopped);
    if (!call || (call->path + "/").compare(0, settings_.below.size(), settings_.below) != 0) return {};
    ++calls_;
    if (calls_ == settings_.kill) {
      hit_ = *call;
      ::kill(static_cast<pid_t>(stopped.pid), SIGKILL);
      return {EINTR};
    }
    if (record_.is_open()) {
      if (call->name == "copy") return {ENOSYS};  // the command then uses write, which can be recorded
      put_down(*call);
    }
    return is_hit(*call) ? failed(*call, stopped) : Answer{};
  }

  void report() const {
    if (settings_.report.empty()) return;
    std::ofstream(settings_.report) << nlohmann::json{
        {"calls", calls_}, {"name", hit_.name}, {"path", hit_.path}, {"other", hit_.other}};
  }

 private:
  bool is_hit(const FileCall& call) const {
    if (settings_.fail == 0 || calls_ < settings_.fail) return false;
    if (!settings_.after) return calls_ == settings_.fail;
    return settings_.error != ENOSPC || call.takes_space();
  }

  Answer failed(const FileCall& call, const seccomp_notif& stopped) {
    if (hit_.name.empty()) hit_ = call;
    if (settings_.error != short_write) return {settings_.error};
    if (call.name != "write" || call.data.size() < 2) return {};
    const std::string half = call.data.substr(0, call.data.size() / 2);
    const int process = static_cast<int>(::syscall(SYS_pidfd_open, thread_group(stopped.pid), 0));
    const int fd = static_cast<int>(::syscall(SYS_pidfd_getfd, process, call.fd, 0));
    const bool placed = stopped.data.nr == SYS_pwrite64 || stopped.data.nr == SYS_pwritev;
    const ssize_t n = placed ? ::pwrite(fd, half.data(), half.size(), static_cast<off_t>(call.offset))
                             : ::write(fd, half.data(), half.size());
    ::close(fd);
    ::close(process);
    return n < 0 ? Answer{EIO} : Answer{0, true, n};
  }

  static pid_t thread_group(uint32_t thread) {
    std::ifstream in("/proc/" + std::to_string(thread) + "/status");
    for (std::string word; in >> word;)
      if (word == "Tgid:") {
        in >> word;
        return static_cast<pid_t>(std::stol(word));
      }
    return 0;
  }

  void put_down(const FileCall& call) {
    nlohmann::json line = {{"name", call.name},     {"path", call.path},         {"other", call.other},
                           {"folder", call.folder}, {"makes", call.makes},       {"empties", call.empties},
                           {"offset", call.offset}, {"bytes", call.data.size()}, {"at", written_}};
    record_ << line << "\n";
    data_ << call.data;
    written_ += call.data.size();
  }

  const Settings& settings_;
  std::ofstream record_, data_;
  uint64_t written_ = 0;
  long calls_ = 0;
  FileCall hit_;
};

}  // namespace

int main(int argc, char** argv) try {
  const Settings settings = read_words(argc, argv);
  Supervisor supervisor(settings);
  const int status = run_watched(settings.command, [&](const seccomp_notif& s) { return supervisor.answer(s); });
  supervisor.report();
  return status;
} catch (const std::exception& e) {
  std::cerr << "with_faults: " << e.what() << "\n";
  return 125;
}
