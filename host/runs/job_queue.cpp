#include "host/runs/job_queue.hpp"

#include <sstream>
#include <vector>

#include "core/base/environment.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {

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
