#include "core/abi/failure.hpp"

#include <c10/util/Exception.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/machine.hpp"
#include "core/base/text.hpp"

namespace levin::core {

std::string& plugin_failure() {
  static thread_local std::string text;
  return text;
}

std::string& service_failure() {
  static thread_local std::string text;
  return text;
}

ErrorCode& code_of_service_failure() {
  static thread_local ErrorCode code = ErrorCode::internal_error;
  return code;
}

levin_status failed_service(const std::string& text, levin_status status, ErrorCode code) noexcept {
  code_of_service_failure() = code;
  try {
    service_failure() = text;
  } catch (...) {
  }
  return status;
}

levin_status serve_exception() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return failed_service(e.what(), e.kind() == ErrorKind::usage ? LEVIN_E_INVALID : LEVIN_E_STATE, e.code());
  } catch (const std::bad_alloc&) {
    return failed_service("out of memory", LEVIN_E_MEMORY, ErrorCode::out_of_memory);
  } catch (const std::exception& e) {
    return failed_service(brief(e), LEVIN_E_INTERNAL, ErrorCode::internal_error);
  } catch (...) {
    return failed_service("unknown exception", LEVIN_E_INTERNAL, ErrorCode::internal_error);
  }
}

std::string brief(const std::exception& error) {
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  return brief(std::string(torch ? torch->what_without_backtrace() : error.what()));
}

namespace {

// Removes the source location and other details of LibTorch's CPU allocator; only the number of bytes is useful.
std::string without_allocator(const std::string& text) {
  static const std::string before = "DefaultCPUAllocator: ", bytes_of = "you tried to allocate ";
  const size_t at = text.find(before), number = text.find(bytes_of);
  if (at == std::string::npos || number == std::string::npos) return text;
  const size_t raw = text.rfind("[enforce fail at ", at);
  const double bytes = std::strtod(text.c_str() + number + bytes_of.size(), nullptr);
  return text.substr(0, raw == std::string::npos ? at : raw) + "out of memory: " + gibibytes(bytes) +
         " at once, and this machine has " + gibibytes(memory_of_machine());
}

}  // namespace

std::string brief(std::string text) {
  text = without_allocator(text);
  const size_t frames = text.find("\nException raised from");
  if (frames != std::string::npos) text.resize(frames);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  constexpr size_t longest = 400;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return printable(std::move(text));
}

bool is_out_of_memory(const std::string& message) {
  const std::string said = lower(message);
  for (const char* known :
       {"out of memory", "can't allocate memory", "bad_alloc", "storage size calculation overflowed"})
    if (said.find(known) != std::string::npos) return true;
  return false;
}

bool is_full_disk(const std::string& message) {
  return message.find(std::strerror(ENOSPC)) != std::string::npos ||
         message.find(std::strerror(EDQUOT)) != std::string::npos;
}

const char* status_name(levin_status status) {
  switch (status) {
    case LEVIN_E_INVALID:
      return "invalid argument";
    case LEVIN_E_UNSUPPORTED:
      return "unsupported";
    case LEVIN_E_NOT_FOUND:
      return "not found";
    case LEVIN_E_IO:
      return "input/output error";
    case LEVIN_E_MEMORY:
      return "out of memory";
    case LEVIN_E_STATE:
      return "wrong state";
    case LEVIN_E_EXCEPTION:
      return "exception";
    default:
      return "internal error";
  }
}

}  // namespace levin::core
