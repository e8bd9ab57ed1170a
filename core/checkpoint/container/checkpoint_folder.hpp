// The files in a folder of checkpoints.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// Removes the temporary files whose writer has ended, and returns their names; files that are being written stay.
// Several processes may call this at any time. A folder that does not exist counts as empty.
std::vector<std::string> remove_stale_temporaries(const std::string& folder);

struct DamagedCheckpoint {
  std::string path, reason;
};

class SafetensorsReader;
// A file that was read and verified in full; it stays open, so that it need not be read again.
using VerifiedFile = std::shared_ptr<const SafetensorsReader>;

// Returns the first of these files whose checksums are right, or nullopt. Appends the files before it to `damaged`.
// Reads each file in full; `verified` is set to the returned file.
std::optional<std::string> first_valid(const std::vector<std::string>& paths, std::vector<DamagedCheckpoint>* damaged,
                                       VerifiedFile* verified = nullptr);

}  // namespace levin::core
