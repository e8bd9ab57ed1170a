// Whether a batch is skipped: what one process answers in a hook, all of them do, because the others would wait for it
// in the reductions of that batch.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "core/distributed/process_group.hpp"
#include "core/progress/run_progress.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

class HookAnswers {
 public:
  // group: among which the answers are compared. warn: told once where another process decides.
  HookAnswers(ProcessGroup& group, std::function<void(const std::string&)> warn)
      : group_(group), warn_(std::move(warn)) {}

  // Before an epoch; collective. has_hook: whether a component of this process has the hook. Where none has it in any
  // process, answers cost nothing.
  void begin_epoch(bool has_hook);
  // The strongest of all processes: LEVIN_OK, LEVIN_SKIP or LEVIN_SKIP_EPOCH. Collective.
  levin_status of_all(levin_status mine, const RunProgress& progress);

 private:
  int most(int mine) const;

  ProcessGroup& group_;
  const std::function<void(const std::string&)> warn_;
  bool asks_ = false, warned_ = false;
};

}  // namespace levin::core
