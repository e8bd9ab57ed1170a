// Which run a checkpoint is of, and how many it had saved before: what is newer is known without a clock.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace levin::core {

struct Lineage {
  std::string run;     // 32 random hexadecimal digits; it stays when the run goes on
  uint64_t saves = 0;  // those of other sessions in the run's folder among them
};

// Of a run without checkpoints.
Lineage new_lineage();
// Of a run that goes on from the checkpoint with this manifest; those of older releases do not name their run.
Lineage lineage_of(const nlohmann::json& manifest);
// "": the manifest does not say it.
std::string run_of(const nlohmann::json& manifest);
// 0: the manifest does not say so.
uint64_t saves_of(const nlohmann::json& manifest);

}  // namespace levin::core
