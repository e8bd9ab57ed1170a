#include "tasks/common/random_hex.hpp"

#include <sys/random.h>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core::tasks {

std::string random_hex(size_t bytes) {
  std::string raw(bytes, '\0');
  if (::getrandom(raw.data(), raw.size(), 0) != static_cast<ssize_t>(raw.size()))
    throw Error(ErrorCode::system_call_failed, "no random numbers");
  return hex_digits(raw);
}

bool is_hex(const std::string& text, size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace levin::core::tasks
