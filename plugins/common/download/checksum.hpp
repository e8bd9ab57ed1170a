// Addresses with the checksum of their file, as pip writes them: https://host/a.tar#sha256=64 hexadecimal digits.
#pragma once
#include <string>

namespace common {

struct CheckedUrl {
  // Throws levin::Error for a checksum that is not of 64 hexadecimal digits.
  explicit CheckedUrl(const std::string& text);
  std::string url;     // without the checksum
  std::string sha256;  // in lower case; "" = none is given
};

// Returns the SHA-256 of a file in lower-case hexadecimal digits. Throws levin::Error if the file cannot be read.
std::string sha256_of(const std::string& path);

}  // namespace common
