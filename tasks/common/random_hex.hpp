// Random names and secrets.
#pragma once
#include <cstddef>
#include <string>

namespace levin::core::tasks {

// So many random bytes of the system, in hexadecimal.
std::string random_hex(size_t bytes);

}  // namespace levin::core::tasks
