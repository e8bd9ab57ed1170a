// Copies of files as they are now.
#pragma once
#include <filesystem>
#include <string>

namespace levin::mlflow {

// Copies a file or folder, and makes the folder that contains the copy. An earlier copy is replaced. is_final: the file
// may be replaced or removed, but is never written to again, so that a hard link is enough. Throws levin::Error.
void keep_file(const std::filesystem::path& from, const std::filesystem::path& to, bool is_final);

// The same for bytes.
void keep_bytes(const std::string& bytes, const std::filesystem::path& to);

}  // namespace levin::mlflow
