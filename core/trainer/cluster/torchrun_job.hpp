// The torchrun job that this process belongs to.
#pragma once
#include <string>

#include "core/base/environment.hpp"
#include "core/distributed/processes.hpp"

namespace levin::core {

struct TorchrunJob {
  std::string id;          // TORCHELASTIC_RUN_ID; "" = not started by torchrun
  std::string agent;       // rank 0's folder of the torchrun agent, different for every torchrun
  bool restarted = false;  // torchrun counts at least one restart

  std::string text() const { return id.empty() ? "" : id + " " + agent; }
  // Returns true if `text` is of a job with the same id. The id may be of an earlier job, if the user chose the same
  // one. Returns false for "none", which torchrun 1 uses for every job.
  bool has_id_of(const std::string& text) const;
};

// Collective, because the restart counts of different machines may differ.
TorchrunJob torchrun_job(const EnvironmentVariables& variables, Processes& processes);

}  // namespace levin::core
