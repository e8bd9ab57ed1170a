#include "runs/run_state.hpp"
#include "core/base/paths.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "core/base/environment.hpp"
#include "core/base/error_line.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "runs/own_file.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_of_log = 64 << 10;

// Returns the rest of the line after its time and this beginning, or nullptr if the line begins differently.
const char* rest_of(const std::string& line, const std::string& beginning) {
  const size_t space = line.find(' ');
  if (space == std::string::npos || line.compare(space + 1, beginning.size(), beginning) != 0) return nullptr;
  return line.c_str() + space + 1 + beginning.size();
}

// Reads "[E0601] the loss is nan", as the engine logs errors; old logs have no code.
RunEnd failed(const std::string& text) {
  const bool has_code = text.size() > 8 && text.compare(0, 2, "[E") == 0 && text.compare(6, 2, "] ") == 0;
  return has_code ? RunEnd{RunState::failed, text.substr(8), text.substr(1, 5)} : RunEnd{RunState::failed, text};
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

// The last process in the folder wrote the last lines. A resume that ended before it went on from its checkpoint has
// changed nothing: then the process before it counts.
RunEnd end_in_log(const std::string& end_of_log) {
  const std::vector<std::string> lines = split(end_of_log, '\n');
  std::optional<RunEnd> found;  // of the process whose lines are read
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (rest_of(*line, "info a resume begins")) found.reset();
    for (const char* begun : {"info resumes from ", "info goes on from ", "info a new run begins",
                              "warning there is no checkpoint to resume from"})
      if (rest_of(*line, begun)) return found.value_or(RunEnd{RunState::interrupted, ""});  // without an end: killed
    if (rest_of(*line, "info everything about this run is in ")) return found.value_or(RunEnd{RunState::done, ""});
    if (found) continue;
    if (rest_of(*line, "warning interrupted by ")) found = {RunState::interrupted, ""};
    if (const char* error = rest_of(*line, "error ")) found = failed(error);
    if (const ErrorText error = read_error_line(*line)) {
      const bool no_time_to_save = starts_with(error.message, "interrupted");
      found = no_time_to_save ? RunEnd{RunState::interrupted, ""} : RunEnd{RunState::failed, error.message, error.code};
    }
  }
  return found.value_or(RunEnd{});
}

RunEnd end_of_run(const std::filesystem::path& run) {
  return is_own_file(run, run / "log.txt") ? end_in_log(end_of_file(run / "log.txt", most_of_log)) : RunEnd{};
}

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
