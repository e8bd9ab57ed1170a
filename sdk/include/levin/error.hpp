// levin::Error: what plugin code throws. It crosses the ABI as a status and a text, never as an exception.
#pragma once
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "levin/abi.h"

#pragma GCC visibility push(hidden)
namespace levin {

// status is one of LEVIN_E_*. The user sees the message behind the plugin's name, so it says what is wrong and what to
// do.
class Error : public std::runtime_error {
 public:
  Error(levin_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  levin_status status() const { return status_; }

 private:
  levin_status status_;
};

namespace detail {

// The host that called into the plugin on this thread.
inline const levin_host*& calling_host() {
  static thread_local const levin_host* host = nullptr;
  return host;
}
class Calling {
 public:
  explicit Calling(const levin_host* host) : before_(calling_host()) { calling_host() = host; }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;
  ~Calling() { calling_host() = before_; }

 private:
  const levin_host* before_;
};

// Runs body, which returns a levin_status or nothing; turns whatever it throws into host->fail.
template <class F>
levin_status guard(const levin_host* host, F&& body) noexcept {
  const Calling calling(host);
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return LEVIN_OK;
    } else {
      return body();
    }
  } catch (const Error& e) {
    return host->fail(host, e.status(), e.what());
  } catch (const std::bad_alloc&) {
    return host->fail(host, LEVIN_E_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return host->fail(host, LEVIN_E_EXCEPTION, e.what());
  } catch (...) {
    return host->fail(host, LEVIN_E_EXCEPTION, "threw something that is not a std::exception");
  }
}

// What was tried, and the reason that the host has for its last failure.
inline std::string with_reason(const std::string& what) {
  const levin_host* host = calling_host();
  const std::string reason = host && LEVIN_HAS(levin_host, host, last_error) ? host->last_error(host) : "";
  if (reason.empty() || what.find(reason) != std::string::npos) return what;
  return reason.compare(0, what.size(), what) == 0 ? reason : what + ": " + reason;
}

// Turns an answer of the host that is a failure into an exception that says why.
inline void check(levin_status status, const char* what) {
  if (status < 0) throw Error(status, with_reason(what));
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
