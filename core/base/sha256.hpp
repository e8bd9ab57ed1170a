// SHA-256 of files; checkpoints record that of each plugin.
#pragma once
#include <string>

namespace levin::core {

// Returns the SHA-256 of the file's content as 64 lower-case hexadecimal digits. Throws Error{data} if the file cannot
// be read.
std::string sha256_file(const std::string& path);

}  // namespace levin::core
