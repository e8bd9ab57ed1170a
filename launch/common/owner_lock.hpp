// The lock of a folder that one process at a time works in. It ends with the process, and others can ask whether it is
// held without taking it, which flock cannot.
#pragma once
#include <filesystem>
#include <optional>

#include "launch/common/descriptor.hpp"

namespace levin::core {

// Locks the file, which is created if it does not exist, until the descriptor is closed. Returns nothing if another
// process holds the lock. Throws Error{run} if the file cannot be opened.
std::optional<Descriptor> take_owner_lock(const std::filesystem::path& file);
bool holds_owner_lock(const std::filesystem::path& file);

}  // namespace levin::core
