// The text behind a negative status: what a plugin said through host->fail, or a service about itself.
#pragma once
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// Both are per thread.
std::string& plugin_failure();   // of the last host->fail
std::string& service_failure();  // of the last service call that failed; joined to the plugin's text

// Runs the body of a service function; exceptions become a status and service_failure().
template <class F>
levin_status serve(F&& body) noexcept;
levin_status failed_service(const std::string& text, levin_status status) noexcept;
// The status and text of the exception being handled.
levin_status serve_exception() noexcept;

// LibTorch's messages without their stack, one line, printable, cut to a readable length.
std::string brief(const std::exception& error);
std::string brief(std::string text);

// Whether a message says that memory ran out: LibTorch's allocators, or a plugin that met std::bad_alloc.
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
