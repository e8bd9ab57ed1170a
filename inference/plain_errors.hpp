// Errors for programs that know none of the host's own exceptions.
#pragma once
#include <stdexcept>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"

namespace levin {

// Calls f(); what it throws becomes a std::runtime_error of one line.
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
