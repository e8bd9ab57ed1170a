// Random names and secrets.
#pragma once
#include <cstddef>
#include <string>

namespace levin::core::tasks {

// So many random bytes of the system, in hexadecimal.
std::string random_hex(size_t bytes);

// Returns true if the text is so many lower-case hexadecimal digits.
bool is_hex(const std::string& text, size_t digits);

}  // namespace levin::core::tasks
