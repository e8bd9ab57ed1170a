// Rejects entries that a run's folder must not contain when a run begins to write there.
#pragma once
#include <filesystem>

namespace levin::core {

// Throws Error{run} for an entry that a log would be written through or would block on: a link to anything but a
// folder, a FIFO, a socket or a device. Accepts a folder that does not exist.
void refuse_leftover_files(const std::filesystem::path& folder);

}  // namespace levin::core
