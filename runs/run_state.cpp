#include "runs/run_state.hpp"
#include "core/base/paths.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "core/base/environment.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_of_log = 64 << 10;

// Returns the rest of the line after its time and this beginning, or nullptr if the line begins differently.
const char* rest_of(const std::string& line, const std::string& beginning) {
  const size_t space = line.find(' ');
  if (space == std::string::npos || line.compare(space + 1, beginning.size(), beginning) != 0) return nullptr;
  return line.c_str() + space + 1 + beginning.size();
}

}  // namespace

std::string end_of_file(const std::filesystem::path& file, int64_t most) {
  std::ifstream in;
  if (is_file(file)) in.open(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg(), from = std::max<std::streamoff>(0, size - most);
  if (size <= 0) return "";
  std::string text(static_cast<size_t>(size - from), '\0');
  in.seekg(from);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

bool holds_lock(const std::filesystem::path& run) {
  const int fd = ::open((run / ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  const bool held = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return held;
}

RunEnd end_in_log(const std::string& end_of_log) {
  const std::vector<std::string> lines = split(end_of_log, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (rest_of(*line, "info everything about this run is in ")) return {RunState::done, ""};
    if (rest_of(*line, "warning interrupted by ")) return {RunState::interrupted, ""};
    if (const char* error = rest_of(*line, "error ")) return {RunState::failed, error};
    if (starts_with(*line, "host: error: interrupted")) return {RunState::interrupted, ""};  // no time to save
    if (starts_with(*line, "host: error: ")) return {RunState::failed, line->substr(13)};
    // The last process in the folder began and did not end: it was killed.
    for (const char* resumed : {"info resumes from ", "info goes on from "})  // the second one in older logs
      if (rest_of(*line, resumed)) return {RunState::interrupted, ""};
  }
  return {RunState::interrupted, ""};
}

RunEnd end_of_run(const std::filesystem::path& run) { return end_in_log(end_of_file(run / "log.txt", most_of_log)); }

RunState state_in_queue(const std::string& word) {
  for (const char* over : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL",
                           "DEADLINE", "OUT_OF_MEMORY"})
    if (word == over) return RunState::lost;
  for (const char* runs : {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT"})
    if (word == runs) return RunState::running;
  return RunState::waiting;
}

JobQueue queue_in_text(const std::string& printed) {
  JobQueue out;
  out.known = true;
  std::istringstream lines(printed);
  for (std::string id, state; lines >> id >> state;) out.state[id] = state;
  return out;
}

JobQueue ask_queue(const std::set<std::string>& ids) {
  const std::string squeue = find_program(environment_variables(), "squeue");
  if (squeue.empty() || ids.empty()) return {};
  std::set<std::string> jobs;
  for (const std::string& id : ids) jobs.insert(id.substr(0, id.find('_')));
  const ChildResult result = run_child({squeue, "--noheader", "--array", "--states=all", "--format=%i %T",
                                        "--jobs=" + join(std::vector<std::string>(jobs.begin(), jobs.end()), ",")},
                                       std::chrono::seconds(20));
  if (result.exit_code == 0) return queue_in_text(result.out);
  // All of these jobs have left the queue.
  if (result.err.find("Invalid job id") != std::string::npos) return queue_in_text("");
  return {};
}

}  // namespace levin::core
