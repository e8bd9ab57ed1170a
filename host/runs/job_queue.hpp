// What SLURM says of jobs.
#pragma once
#include <map>
#include <set>
#include <string>

namespace levin::core {

struct JobQueue {
  bool known = false;                        // false: there is no squeue, or it gave no answer
  std::map<std::string, std::string> state;  // "17_3" -> "PENDING"; jobs that are over are missing
};

// Asks squeue once. ids: of jobs, or of tasks of arrays.
JobQueue ask_queue(const std::set<std::string>& ids);
JobQueue queue_in_text(const std::string& printed);  // lines "17_3 PENDING"

}  // namespace levin::core
