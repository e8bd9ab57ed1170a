// Tells a folder that this user may not read from one in which a file is missing.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.hpp"

namespace levin::core {

// Returns true if this user may not list the folder or open what is in it: a file that was not found in it may be
// there.
inline bool is_unreadable_folder(const std::filesystem::path& folder) {
  return ::access(folder.c_str(), R_OK | X_OK) != 0 && errno == EACCES;
}

// Throws Error{file_not_read} for such a folder.
inline void require_readable_folder(const std::filesystem::path& folder) {
  if (!is_unreadable_folder(folder)) return;
  throw Error(ErrorCode::file_not_read, "cannot read '" + folder.string() + "': " + std::strerror(EACCES));
}

}  // namespace levin::core
