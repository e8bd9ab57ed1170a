// The states of jobs in SLURM's queue.
#pragma once
#include <map>
#include <set>
#include <string>

namespace levin::core {

struct JobQueue {
  bool known = false;                        // false = there is no squeue, or it did not answer
  std::map<std::string, std::string> state;  // "17_3" -> "PENDING"; finished jobs are missing
};

// Runs squeue once. ids: ids of jobs or of array tasks.
JobQueue ask_queue(const std::set<std::string>& ids);
JobQueue queue_in_text(const std::string& printed);  // parses lines "17_3 PENDING"

}  // namespace levin::core
