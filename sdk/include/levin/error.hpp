// levin::Error: the exception of plugin code. It crosses the ABI as a status and a text.
#pragma once
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "levin/abi.h"

#pragma GCC visibility push(hidden)
namespace levin {

// status is one of LEVIN_E_*. The user sees the plugin's name, then the message, which should say what is wrong and how
// to fix it.
class Error : public std::runtime_error {
 public:
  Error(levin_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  levin_status status() const { return status_; }

 private:
  levin_status status_;
};

namespace detail {

// The host that called the plugin on this thread.
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

// Runs body, which returns a levin_status or nothing, and passes any exception to host->fail.
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

// Returns `what` with the host's reason for its last failure.
inline std::string with_reason(const std::string& what) {
  const levin_host* host = calling_host();
  const std::string reason = host && LEVIN_HAS(levin_host, host, last_error) ? host->last_error(host) : "";
  if (reason.empty() || what.find(reason) != std::string::npos) return what;
  return reason.compare(0, what.size(), what) == 0 ? reason : what + ": " + reason;
}

// Throws Error with the host's reason if status is a failure.
inline void check(levin_status status, const char* what) {
  if (status < 0) throw Error(status, with_reason(what));
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
