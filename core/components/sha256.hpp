// SHA-256, for the provenance of plugins.
#pragma once
#include <string>

namespace levin::core {

// 64 lower-case hexadecimal digits of the file's content. Throws Error{data} when it cannot be read.
std::string sha256_file(const std::string& path);

}  // namespace levin::core
