// Whether a checkpoint's manifest has the types and ranges that this program writes. Checksums find accidents only.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

// Throws Error{checkpoint} that names `path` and the first key that is wrong. Keys that are missing or not known are
// allowed here: who needs one says so.
void check_manifest(const nlohmann::json& manifest, const std::string& path);

}  // namespace levin::core
