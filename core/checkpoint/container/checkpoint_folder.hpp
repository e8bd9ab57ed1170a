// The files in a folder of checkpoints.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// Removes the temporary files whose writing process has ended, and returns their names; files that are being written
// stay. Several processes may call this at any time. A folder that does not exist counts as empty.
std::vector<std::string> remove_stale_temporaries(const std::string& folder);

struct DamagedCheckpoint {
  std::string path, reason;
};

// The first of these files whose checksums are right, or nullopt if there is none. The files before it are appended to
// `damaged`. Reads each file in full.
std::optional<std::string> first_valid(const std::vector<std::string>& paths, std::vector<DamagedCheckpoint>* damaged);

}  // namespace levin::core
