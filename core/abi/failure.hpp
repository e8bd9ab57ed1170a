// The text that belongs to a negative status: a plugin sets it with host->fail, a service when it fails.
#pragma once
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// Each thread has its own texts.
std::string& plugin_failure();   // of the last host->fail
std::string& service_failure();  // of the last service call that failed; host->fail adds it to the plugin's text

// Runs the body of a service function. An exception becomes a status, and its text service_failure().
template <class F>
levin_status serve(F&& body) noexcept;
levin_status failed_service(const std::string& text, levin_status status) noexcept;
// The same for the exception that is being handled.
levin_status serve_exception() noexcept;

// A message as one printable line of readable length, without LibTorch's stack trace.
std::string brief(const std::exception& error);
std::string brief(std::string text);

// Whether the message, from one of LibTorch's allocators or about std::bad_alloc, says that memory ran out.
bool is_out_of_memory(const std::string& message);

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
