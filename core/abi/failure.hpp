// The error text of a negative status. A plugin sets it with host->fail; a service that fails sets it too.
#pragma once
#include <string>

#include "core/base/error_codes.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// All three are thread-local.
std::string& plugin_failure();   // text of the last host->fail
std::string& service_failure();  // text of the last failed service call; host->fail appends it to the plugin's text
// The code of the service failure that the text above contains; internal_error = none.
ErrorCode& code_of_service_failure();

// Runs the body of a service function. An exception becomes a status, and its text becomes service_failure().
template <class F>
levin_status serve(F&& body) noexcept;
levin_status failed_service(const std::string& text, levin_status status,
                            ErrorCode code = ErrorCode::call_invalid) noexcept;
// Does the same for the exception that is being handled.
levin_status serve_exception() noexcept;

// Returns the message as one printable line, shortened and without LibTorch's stack trace.
std::string brief(const std::exception& error);
std::string brief(std::string text);

// Returns true if the message, from one of LibTorch's allocators or from std::bad_alloc, reports an out-of-memory
// error.
bool is_out_of_memory(const std::string& message);
// Returns true if the message contains the system's text for a full disk or an exceeded quota.
bool is_full_disk(const std::string& message);

const char* status_name(levin_status status);

template <class F>
levin_status serve(F&& body) noexcept {
  try {
    if (!service_failure().empty()) service_failure().clear();
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return LEVIN_OK;
    } else {
      return body();
    }
  } catch (...) {
    return serve_exception();
  }
}

}  // namespace levin::core
