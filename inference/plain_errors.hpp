// Errors for programs that do not use the host's exception types.
#pragma once
#include <stdexcept>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"

namespace levin {

// Calls f(). Converts its exceptions to std::runtime_error with a message of one line.
template <class F>
auto with_plain_errors(const F& f) {
  try {
    return f();
  } catch (const core::Error& e) {
    throw std::runtime_error(e.what());
  } catch (const std::exception& e) {
    throw std::runtime_error(core::brief(e));
  }
}

}  // namespace levin
