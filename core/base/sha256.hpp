// SHA-256 of a file, which a checkpoint records for each plugin.
#pragma once
#include <string>

namespace levin::core {

// The SHA-256 of the file's content as 64 lower-case hexadecimal digits. Throws Error{data} if it cannot be read.
std::string sha256_file(const std::string& path);

}  // namespace levin::core
