// How many rows of its epoch a run goes on by with each batch, for a fit that goes on with another number of processes.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

struct StepRows {
  int64_t before, now;
};

// configs: as a checkpoint's manifest has them. Where they do not say how many rows a batch has, each process is
// reckoned to take one.
StepRows step_rows(const nlohmann::json& config_before, int64_t processes_before, const nlohmann::json& config,
                   int64_t processes);

}  // namespace levin::core
