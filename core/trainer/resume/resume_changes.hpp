// Finds what has changed in a run since the checkpoint that it resumes from was saved.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace levin::core {

// The conditions that a run's results depend on.
struct RunConditions {
  const nlohmann::json& config;  // in the form of a checkpoint's manifest
  int64_t num_threads;
  uint64_t seed;
  std::string torch_version;
  int64_t processes = 1;
};

// Returns a line for each difference from a checkpoint's manifest that changes the results: threads, seed, LibTorch,
// options of the model, the data, callbacks and the Trainer.
std::vector<std::string> resume_changes(const nlohmann::json& manifest, const RunConditions& now);

}  // namespace levin::core
