// Makes all processes skip the same batches: if a hook skips a batch in one process, all processes skip it. Otherwise
// they would wait for that process in the batch's reductions.
#pragma once
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/distributed/process_group.hpp"
#include "core/progress/run_progress.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

class HookAnswers {
 public:
  // group: the processes whose answers are compared. warn: called once, in a process that skips because another one
  // does.
  HookAnswers(ProcessGroup& group, Warn warn) : group_(group), warn_(std::move(warn)) {}

  // Call it before an epoch. has_hook: true if a component of this process has the hook. If no process has it, of_all()
  // does not communicate. Collective.
  void begin_epoch(bool has_hook);
  // Returns the strongest answer of all processes: LEVIN_OK, LEVIN_SKIP or LEVIN_SKIP_EPOCH. Collective.
  levin_status of_all(levin_status mine, const RunProgress& progress);

 private:
  ProcessGroup& group_;
  const Warn warn_;
  bool asks_ = false, warned_ = false;
};

}  // namespace levin::core
