// The rows of an epoch that one batch of all processes consumes, before and after a resume with another world size.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

struct StepRows {
  int64_t before, now;
};

// Returns the two row counts as a reduced ratio. configs: as in a checkpoint's manifest. Where one does not give the
// batch size, each process counts one row a batch.
StepRows step_rows(const nlohmann::json& config_before, int64_t processes_before, const nlohmann::json& config,
                   int64_t processes);

}  // namespace levin::core
