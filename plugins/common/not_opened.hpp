// Files and folders of the user that cannot be opened: absent ones are another error than unreadable ones.
#pragma once
#include <cerrno>
#include <string>
#include <system_error>

#include "levin/error.hpp"

namespace common {

// Throws levin::Error with "WHAT: REASON". number: of errno.
[[noreturn]] inline void fail_to_open(const std::string& what, int number) {
  const bool absent = number == ENOENT || number == ENOTDIR;
  throw levin::Error(absent ? LEVIN_E_NOT_FOUND : LEVIN_E_IO, what + ": " + std::generic_category().message(number));
}

}  // namespace common
