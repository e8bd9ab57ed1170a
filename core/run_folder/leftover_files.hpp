// What must not lie in a run's folder when a run begins to write there.
#pragma once
#include <filesystem>

namespace levin::core {

// Throws Error{run} for an entry that a log would be written through or wait for: a link to anything but a folder, a
// FIFO, a socket or a device. A folder that does not exist has none.
void refuse_leftover_files(const std::filesystem::path& folder);

}  // namespace levin::core
