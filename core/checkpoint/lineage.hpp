// The run that a checkpoint belongs to, and the number of saves so far, which orders checkpoints without a clock.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace levin::core {

struct Lineage {
  std::string run;     // 32 random hexadecimal digits; kept when the run is resumed
  uint64_t saves = 0;  // number of saves so far, including other sessions in the run's folder
};

// Returns the lineage of a run without checkpoints.
Lineage new_lineage();
// Returns the lineage of a run resumed from the checkpoint with this manifest. Gives the run a new id if the manifest
// has none, as in files of older releases.
Lineage lineage_of(const nlohmann::json& manifest);
// Returns the run's id; "" = not in the manifest.
std::string run_of(const nlohmann::json& manifest);
// Returns the number of saves; 0 = not in the manifest.
uint64_t saves_of(const nlohmann::json& manifest);

}  // namespace levin::core
