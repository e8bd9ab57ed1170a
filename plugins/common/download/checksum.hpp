// SHA-256, in lower-case hexadecimal digits.
#pragma once
#include <string>

namespace download {

std::string sha256_of_text(const std::string& text);
// Throws levin::Error if the file cannot be read.
std::string sha256_of(const std::string& path);

}  // namespace download
