#pragma once
#include <stdexcept>

namespace gloo {
struct Exception : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace gloo
