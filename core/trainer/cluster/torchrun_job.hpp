// The job of torchrun that this process belongs to.
#pragma once
#include <string>

#include "core/base/environment.hpp"
#include "core/distributed/processes.hpp"

namespace levin::core {

struct TorchrunJob {
  std::string id;          // TORCHELASTIC_RUN_ID; "": torchrun has not started this process
  std::string agent;       // a folder that no other torchrun has had, on the first process's machine
  bool restarted = false;  // torchrun counts at least one restart

  std::string text() const { return id.empty() ? "" : id + " " + agent; }
  // Whether a job of this text has the same id. A user may have chosen it for an earlier job, too, and torchrun 1 calls
  // every job "none".
  bool has_id_of(const std::string& text) const;
};

// Collective: processes of different machines may have been started differently often.
TorchrunJob torchrun_job(const EnvironmentVariables& variables, Processes& processes);

}  // namespace levin::core
