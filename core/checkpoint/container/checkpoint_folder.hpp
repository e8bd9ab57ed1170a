// What is kept in a folder of checkpoints.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// Removes the temporary files of writers that no longer live; those of living ones stay. Returns the names removed.
// Safe to call at any time, by several processes; a missing folder is an empty one.
std::vector<std::string> remove_stale_temporaries(const std::string& folder);

struct DamagedCheckpoint {
  std::string path, reason;
};

// The first of these files that verifies; those before it, which did not, are appended to `damaged`.
std::optional<std::string> first_valid(const std::vector<std::string>& paths, std::vector<DamagedCheckpoint>* damaged);

// The newest *.ckpt by modification time (by name where equal) that verifies; the newer ones that did not are appended
// to `damaged`, so that the caller can say so. Nothing valid: nullopt. Reads the candidates in full.
std::optional<std::string> newest_valid(const std::string& folder, std::vector<DamagedCheckpoint>* damaged = nullptr);

}  // namespace levin::core
