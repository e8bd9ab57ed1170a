// levin::Value: the value of an option.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

class Value {
 public:
  using List = std::vector<Value>;
  using Any = std::variant<std::monostate, std::nullptr_t, bool, int64_t, double, std::string, List>;

  Value() = default;  // not set: the option keeps its default
  Value(std::nullptr_t) : any_(nullptr) {}
  Value(const char* text) : any_(std::string(text)) {}
  Value(std::string text) : any_(std::move(text)) {}
  Value(List list) : any_(std::move(list)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Value(T number) {
    if constexpr (std::is_same_v<T, bool>)
      any_ = number;
    else if constexpr (std::is_integral_v<T>)
      any_ = static_cast<int64_t>(number);
    else
      any_ = static_cast<double>(number);
  }
  const Any& any() const { return any_; }

 private:
  Any any_;
};

}  // namespace levin
#pragma GCC visibility pop
