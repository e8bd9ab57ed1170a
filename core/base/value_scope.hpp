// Sets a variable to another value for the lifetime of a scope.
#pragma once
#include <utility>

namespace levin::core {

template <class T>
class ValueScope {
 public:
  ValueScope(T& variable, T value) : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~ValueScope() { variable_ = std::move(before_); }
  ValueScope(const ValueScope&) = delete;
  ValueScope& operator=(const ValueScope&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace levin::core
