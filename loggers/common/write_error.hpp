// The message for a failed write.
#pragma once
#include <cerrno>
#include <cstring>
#include <string>

namespace levin::loggers {

// error: an errno value; 0 = unknown.
inline std::string write_error(const std::string& path, int error) {
  const char* advice = error == ENOSPC || error == EDQUOT ? "; make room there" : "";
  return "cannot write " + path + ": " + (error == 0 ? "the write failed" : std::strerror(error)) + advice;
}

}  // namespace levin::loggers
