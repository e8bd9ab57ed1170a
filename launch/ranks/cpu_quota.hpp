#pragma once
#include <filesystem>
#include <optional>

namespace levin::core {

// Returns the number of CPUs whose time the control groups of this process allow, rounded up: the limit of a container
// (docker --cpus 2) or of a service. nullopt = there is no limit. root: "/", or the copy of a test.
std::optional<int> cpu_quota(const std::filesystem::path& root);

}  // namespace levin::core
