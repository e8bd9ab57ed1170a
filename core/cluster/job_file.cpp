#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "core/base/error.hpp"
#include "core/cluster/world.hpp"

namespace levin::core {
namespace {

// Throws Error{run} unless only this user may change the folder. Otherwise another user could replace the file and
// redirect this run's processes.
void make_private_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(ErrorCode::file_not_written, "cannot create the folder " + folder +
                                                 " for the rendezvous of the processes on this machine: " +
                                                 std::strerror(errno) + "; set TMPDIR to a writable folder");
  struct stat found {};
  if (::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
      (found.st_mode & 022) == 0)
    return;
  throw Error(ErrorCode::file_not_written,
              folder + " has to be a folder that only this user may change; remove it, or set TMPDIR");
}

struct Process {
  pid_t parent = 0;
  std::string name, start;  // start: in clock ticks since boot
};

Process process_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const size_t open = text.find('('), close = text.rfind(')');
  Process process;
  if (open == std::string::npos || close == std::string::npos) return process;
  process.name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  std::string word;
  for (int field = 3; field <= 22 && rest >> word; ++field) {
    if (field == 4) process.parent = std::atoi(word.c_str());
    if (field == 22) process.start = word;
  }
  return process;
}

}  // namespace

std::string job_file(const std::string& job) {
  const char* temporary = ::getenv("TMPDIR");
  const std::string folder =
      std::string(temporary && *temporary ? temporary : "/tmp") + "/levin-" + std::to_string(::geteuid());
  make_private_folder(folder);
  return folder + "/rendezvous-" + std::to_string(std::hash<std::string>()(job));
}

std::string hydra_proxy() {
  pid_t pid = ::getppid();
  for (Process process = process_of(pid); pid > 1; pid = process.parent, process = process_of(pid))
    if (process.name == "hydra_pmi_proxy") return std::to_string(pid) + " " + process.start;
  return std::to_string(::getppid());
}

}  // namespace levin::core
