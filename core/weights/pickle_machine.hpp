// Executes the operations of a pickle, which move values between the input, a stack and a memo.
#pragma once
#include <charconv>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/weights/pickle.hpp"

namespace levin::core {

// The machine described in https://github.com/python/cpython/blob/main/Lib/pickletools.py: a stack of values, on which
// marks begin groups, and a memo of numbered values.
class PickleMachine {
 public:
  using Kind = PickleValue::Kind;
  static constexpr size_t most = 4'000'000;  // maximum number of values

  PickleMachine(std::string_view in, std::vector<PickleValue>& values) : in_(in), values_(values) {}

  // Returns the next operation. Later failures report its position.
  unsigned char next() {
    opcode_at_ = at_;
    return static_cast<unsigned char>(take(1)[0]);
  }
  size_t position() const { return at_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("its pickle is damaged at byte " + std::to_string(opcode_at_) + ": " + what);
  }

  std::string_view take(uint64_t n) {
    if (n > in_.size() - at_) fail("it ends too early");
    const std::string_view out = in_.substr(at_, n);
    at_ += n;
    return out;
  }
  template <class T>
  T little() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view line() {
    const size_t end = in_.find('\n', at_);
    if (end == std::string_view::npos) fail("it ends too early");
    const std::string_view out = in_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }

  uint32_t add(PickleValue value) {
    if (values_.size() >= most) fail("it has more than " + std::to_string(most) + " values");
    values_.push_back(std::move(value));
    return static_cast<uint32_t>(values_.size() - 1);
  }
  void push(uint32_t value) { stack_.push_back(value); }
  void push(Kind kind, std::string_view text) { push(add({kind, 0, 0, std::string(text), {}})); }
  void push(Kind kind, std::vector<uint32_t> items = {}) { push(add({kind, 0, 0, "", std::move(items)})); }
  void push_integer(int64_t number, Kind kind = Kind::integer) { push(add({kind, number, 0, "", {}})); }
  void push_real(double number) { push(add({Kind::real, 0, number, "", {}})); }

  uint32_t pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("its stack is empty");
    const uint32_t value = stack_.back();
    stack_.pop_back();
    return value;
  }
  uint32_t top() {
    const uint32_t value = pop();
    push(value);
    return value;
  }
  std::vector<uint32_t> pop_group() {
    if (marks_.empty()) fail("there is no mark");
    std::vector<uint32_t> out(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return out;
  }
  std::vector<uint32_t> pop_last(size_t n) {
    std::vector<uint32_t> out(n);
    for (size_t i = n; i-- > 0;) out[i] = pop();
    return out;
  }

  void memoize(uint64_t number) { memo_[number] = top(); }
  void recall(uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) fail("the memo has no value " + std::to_string(number));
    push(found->second);
  }

  // Adds to a container. A call whose result is filled like a container becomes one.
  void fill(uint32_t container, Kind kind, const std::vector<uint32_t>& items) {
    PickleValue& value = values_[container];
    if (kind == Kind::dict && items.size() % 2 != 0) fail("a key has no value");
    if (value.kind == Kind::call) value.kind = kind, value.items.clear();
    if (value.kind != kind) fail("a container of another kind is filled");
    value.items.insert(value.items.end(), items.begin(), items.end());
  }

  void call() {
    const auto parts = pop_last(2);
    const PickleValue& callable = values_[parts[0]];
    const bool ordered = callable.kind == Kind::global && callable.text == "collections.OrderedDict";
    if (ordered && values_[parts[1]].items.empty())
      push(Kind::dict);
    else
      push(Kind::call, parts);
  }

  void set_state() {
    const uint32_t state = pop();
    PickleValue& value = values_[top()];
    if (value.kind == Kind::call && value.items.size() == 2) value.items.push_back(state);
  }

  void global(std::string_view module, std::string_view name) {
    push(Kind::global, std::string(module) + "." + std::string(name));
  }
  void global_of_stack() {
    const auto parts = pop_last(2);
    if (values_[parts[0]].kind != Kind::text || values_[parts[1]].kind != Kind::text) fail("a name is not text");
    const std::string module = values_[parts[0]].text;
    global(module, values_[parts[1]].text);
  }

  void long_integer(uint64_t n) {
    const std::string_view digits = take(n);
    if (n > 8) return push(Kind::bytes, digits);
    uint64_t bits = 0;
    for (size_t i = 0; i < n; ++i) bits |= static_cast<uint64_t>(static_cast<unsigned char>(digits[i])) << (8 * i);
    if (n > 0 && n < 8 && (bits >> (8 * n - 1)) != 0) bits |= ~uint64_t{0} << (8 * n);
    push_integer(static_cast<int64_t>(bits));
  }
  void big_endian_real() {
    uint64_t bits = 0;
    for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    push_real(value);
  }
  template <class T>
  T number_of_line() {
    std::string_view text = line();
    if (!text.empty() && text.back() == 'L') text.remove_suffix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail("a number is invalid");
    return value;
  }
  void integer_of_line() {
    if (in_.substr(at_, 3) == "00\n" || in_.substr(at_, 3) == "01\n")
      push_integer(number_of_line<int64_t>(), Kind::boolean);
    else
      push_integer(number_of_line<int64_t>());
  }

  void mark() { marks_.push_back(stack_.size()); }
  void number_next() { memoize(memo_.size()); }
  void protocol() {
    const int version = little<uint8_t>();
    if (version > 5) fail("protocol " + std::to_string(version) + " is not known");
  }
  void global_of_lines() {
    const std::string_view module = line();
    global(module, line());
  }
  void fill_top(Kind kind, const std::vector<uint32_t>& items) { fill(top(), kind, items); }

 private:
  std::string_view in_;
  std::vector<PickleValue>& values_;
  size_t at_ = 0, opcode_at_ = 0;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, uint32_t> memo_;
};

}  // namespace levin::core
