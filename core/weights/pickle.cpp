#include "core/weights/pickle.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>
#include <unordered_map>

namespace levin::core {
namespace {

using Kind = PickleValue::Kind;
using Values = std::vector<PickleValue>;
constexpr size_t most_values = 4'000'000;

// The machine of https://github.com/python/cpython/blob/main/Lib/pickletools.py: a stack of values, on which marks
// begin groups, and a memo of values by number.
class Machine {
 public:
  Machine(std::string_view in, Values& values) : in_(in), values_(values) {}

  uint32_t run() {
    while (true) {
      opcode_at_ = at_;
      const auto opcode = static_cast<unsigned char>(take(1)[0]);
      if (opcode == '.') return pop();
      step(opcode);
    }
  }
  size_t position() const { return at_; }

 private:
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
    if (values_.size() >= most_values) fail("it has more than " + std::to_string(most_values) + " values");
    values_.push_back(std::move(value));
    return static_cast<uint32_t>(values_.size() - 1);
  }
  void push(uint32_t value) { stack_.push_back(value); }
  void push(Kind kind, std::string_view text) {
    PickleValue value;
    value.kind = kind;
    value.text = text;
    push(add(std::move(value)));
  }
  void push(Kind kind, std::vector<uint32_t> items = {}) {
    PickleValue value;
    value.kind = kind;
    value.items = std::move(items);
    push(add(std::move(value)));
  }
  void push_integer(int64_t number, Kind kind = Kind::integer) {
    PickleValue value;
    value.kind = kind;
    value.integer = number;
    push(add(std::move(value)));
  }
  void push_real(double number) {
    PickleValue value;
    value.kind = Kind::real;
    value.real = number;
    push(add(std::move(value)));
  }

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

  // Adds to a container. What a call would have made and is filled like one counts as one.
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
    if (values_[parts[0]].kind != Kind::text || values_[parts[1]].kind != Kind::text) fail("a name is no text");
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
    if (error != std::errc() || end != text.data() + text.size()) fail("a number is none");
    return value;
  }
  void integer_of_line() {
    if (in_.substr(at_, 3) == "00\n" || in_.substr(at_, 3) == "01\n")
      push_integer(number_of_line<int64_t>(), Kind::boolean);
    else
      push_integer(number_of_line<int64_t>());
  }

  void step(unsigned char opcode);
  bool step_container(unsigned char opcode);
  bool step_number(unsigned char opcode);
  bool step_text(unsigned char opcode);
  bool step_memo(unsigned char opcode);

  std::string_view in_;
  Values& values_;
  size_t at_ = 0, opcode_at_ = 0;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, uint32_t> memo_;
};

bool Machine::step_container(unsigned char opcode) {
  switch (opcode) {
    case '(':
      marks_.push_back(stack_.size());
      return true;
    case ')':
      push(Kind::tuple);
      return true;
    case 't':
      push(Kind::tuple, pop_group());
      return true;
    case 0x85:
      push(Kind::tuple, pop_last(1));
      return true;
    case 0x86:
      push(Kind::tuple, pop_last(2));
      return true;
    case 0x87:
      push(Kind::tuple, pop_last(3));
      return true;
    case ']':
      push(Kind::list);
      return true;
    case 'l':
      push(Kind::list, pop_group());
      return true;
    case '}':
      push(Kind::dict);
      return true;
    case 'd': {
      const auto items = pop_group();
      push(Kind::dict);
      fill(top(), Kind::dict, items);
      return true;
    }
    case 0x8f:
      push(Kind::set);
      return true;
    case 0x91:
      push(Kind::set, pop_group());
      return true;
    case 'a': {
      const auto item = pop_last(1);
      fill(top(), Kind::list, item);
      return true;
    }
    case 'e': {
      const auto items = pop_group();
      fill(top(), Kind::list, items);
      return true;
    }
    case 's': {
      const auto items = pop_last(2);
      fill(top(), Kind::dict, items);
      return true;
    }
    case 'u': {
      const auto items = pop_group();
      fill(top(), Kind::dict, items);
      return true;
    }
    case 0x90: {
      const auto items = pop_group();
      fill(top(), Kind::set, items);
      return true;
    }
    default:
      return false;
  }
}

bool Machine::step_number(unsigned char opcode) {
  switch (opcode) {
    case 'N':
      push(Kind::none);
      return true;
    case 0x88:
      push_integer(1, Kind::boolean);
      return true;
    case 0x89:
      push_integer(0, Kind::boolean);
      return true;
    case 'J':
      push_integer(little<int32_t>());
      return true;
    case 'K':
      push_integer(little<uint8_t>());
      return true;
    case 'M':
      push_integer(little<uint16_t>());
      return true;
    case 'I':
      integer_of_line();
      return true;
    case 'L':
      push_integer(number_of_line<int64_t>());
      return true;
    case 'F':
      push_real(number_of_line<double>());
      return true;
    case 'G':
      big_endian_real();
      return true;
    case 0x8a:
      long_integer(little<uint8_t>());
      return true;
    case 0x8b:
      long_integer(little<uint32_t>());
      return true;
    default:
      return false;
  }
}

bool Machine::step_text(unsigned char opcode) {
  switch (opcode) {
    case 'X':
      push(Kind::text, take(little<uint32_t>()));
      return true;
    case 0x8c:
      push(Kind::text, take(little<uint8_t>()));
      return true;
    case 0x8d:
      push(Kind::text, take(little<uint64_t>()));
      return true;
    case 'V':
      push(Kind::text, line());
      return true;
    case 'U':
      push(Kind::text, take(little<uint8_t>()));
      return true;
    case 'T':
      push(Kind::text, take(little<uint32_t>()));
      return true;
    case 'B':
      push(Kind::bytes, take(little<uint32_t>()));
      return true;
    case 'C':
      push(Kind::bytes, take(little<uint8_t>()));
      return true;
    case 0x8e:
    case 0x96:
      push(Kind::bytes, take(little<uint64_t>()));
      return true;
    default:
      return false;
  }
}

bool Machine::step_memo(unsigned char opcode) {
  switch (opcode) {
    case 'q':
      memoize(little<uint8_t>());
      return true;
    case 'r':
      memoize(little<uint32_t>());
      return true;
    case 'p':
      memoize(number_of_line<uint64_t>());
      return true;
    case 0x94:
      memoize(memo_.size());
      return true;
    case 'h':
      recall(little<uint8_t>());
      return true;
    case 'j':
      recall(little<uint32_t>());
      return true;
    case 'g':
      recall(number_of_line<uint64_t>());
      return true;
    case '0':
      pop();
      return true;
    case '1':
      pop_group();
      return true;
    case '2':
      push(top());
      return true;
    default:
      return false;
  }
}

void Machine::step(unsigned char opcode) {
  if (step_memo(opcode) || step_text(opcode) || step_container(opcode) || step_number(opcode)) return;
  switch (opcode) {
    case 0x80: {  // the protocol
      const int version = little<uint8_t>();
      if (version > 5) fail("protocol " + std::to_string(version) + " is not known");
      return;
    }
    case 0x95:
      take(8);
      return;  // the length of a frame, which only helps to read ahead
    case 'c': {
      const std::string_view module = line();
      return global(module, line());
    }
    case 0x93:
      return global_of_stack();
    case 'R':
    case 0x81:
      return call();  // a call, or a new object
    case 0x92:
      pop();
      return call();  // with arguments by name, which are dropped
    case 'b':
      return set_state();
    case 'Q':
      push(Kind::persistent, pop_last(1));
      return;
    default:
      fail("operation " + std::to_string(opcode) + " is not known");
  }
}

}  // namespace

Pickle::Pickle(std::string_view bytes) {
  Machine machine(bytes, values_);
  root_ = machine.run();
  length_ = machine.position();
}

bool Pickle::find(uint32_t dict, std::string_view key, uint32_t* into) const {
  const PickleValue& value = values_[dict];
  if (value.kind != Kind::dict) return false;
  for (size_t i = 0; i + 1 < value.items.size(); i += 2) {
    const PickleValue& name = values_[value.items[i]];
    if (name.kind != Kind::text || name.text != key) continue;
    *into = value.items[i + 1];
    return true;
  }
  return false;
}

}  // namespace levin::core
