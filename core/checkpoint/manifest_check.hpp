// Checks that a checkpoint's manifest has the types and ranges that this program writes. Checksums detect only
// accidental damage.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

// Throws Error{checkpoint} that names `path` and the first wrong key. Missing and unknown keys are allowed; code that
// needs a key checks for it.
void check_manifest(const nlohmann::json& manifest, const std::string& path);

}  // namespace levin::core
