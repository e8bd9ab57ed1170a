#include <algorithm>

#include "levin/error.hpp"
#include "pickle.hpp"

namespace cifar {
namespace {

using Value = Pickle::Value;
using Kind = Value::Kind;

// Returns the Latin-1 bytes of a text in UTF-8, as Python 3 writes bytes in protocol 2. Returns false for other texts.
bool to_latin1(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (c < 0x80) {
      out += text[i];
      continue;
    }
    if ((c != 0xc2 && c != 0xc3) || ++i == text.size() || (static_cast<uint8_t>(text[i]) & 0xc0) != 0x80) return false;
    out += static_cast<char>((c & 3) << 6 | (text[i] & 0x3f));
  }
  return true;
}

}  // namespace

// Runs the opcodes that these files have. Their meaning is specified in Python's pickletools.py.
class Pickle::Reader {
 public:
  Reader(Pickle& out, const std::vector<uint8_t>& bytes)
      : out_(out), at_(reinterpret_cast<const char*>(bytes.data())), left_(bytes.size()) {}

  const Value* run() {
    for (;;) {
      const char op = take(1)[0];
      if (op == '.') break;
      step(op);
    }
    if (stack_.size() != 1 || left_ != 0) fail("it does not end with one value");
    return stack_[0];
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { out_.fail("is damaged, or no pickle of CIFAR: " + what); }

  void step(char op) {
    switch (op) {
      case '\x80':  // PROTO
        if (number(1) > 5) fail("its protocol is newer than 5");
        return;
      case '\x95':  // FRAME: the following bytes may be read at once
        take(8);
        return;
      case '(':
        return push(make(Kind::mark));
      case '}':
        return push(make(Kind::dict));
      case ']':
        return push(make(Kind::list));
      case ')':
        return push(make(Kind::tuple));
      case 'N':
        return push(make(Kind::none));
      case '\x88':
        return push_number(1);  // NEWTRUE
      case '\x89':
        return push_number(0);  // NEWFALSE
      case 'K':
        return push_number(static_cast<int64_t>(number(1)));
      case 'M':
        return push_number(static_cast<int64_t>(number(2)));
      case 'J':
        return push_number(static_cast<int32_t>(number(4)));
      case 'U':
      case 'C':
      case '\x8c':
        return push_text(number(1));
      case 'T':
      case 'X':
      case 'B':
        return push_text(number(4));
      case '\x8d':
      case '\x8e':
      case '\x96':
        return push_text(number(8));
      case '\x94':  // MEMOIZE
        return keep(kept_.size());
      case 'q':
        return keep(number(1));
      case 'r':
        return keep(number(4));
      case 'h':
        return push_kept(number(1));
      case 'j':
        return push_kept(number(4));
      case '\x85':
        return push_tuple(1);
      case '\x86':
        return push_tuple(2);
      case '\x87':
        return push_tuple(3);
      case 't':
        return push_tuple(since_mark());
      case 'a':
        return add_to(Kind::list, 1);
      case 'e':
        return add_to(Kind::list, since_mark());
      case 's':
        return add_to(Kind::dict, 2);
      case 'u':
        return add_to(Kind::dict, since_mark());
      case 'c': {
        const std::string_view module = line();
        return push_global(module, line());
      }
      case '\x93': {  // STACK_GLOBAL
        const Value *function = pop(), *module = pop();
        if (function->kind != Kind::text || module->kind != Kind::text) fail("a function has no name");
        return push_global(module->text, function->text);
      }
      case 'R':
        return reduce();
      case 'b':
        return build();
      default:
        break;
    }
    fail("the opcode " + std::to_string(static_cast<uint8_t>(op)) + " is in no such file; it was not executed");
  }

  std::string_view take(uint64_t n) {
    if (n > left_) fail("it ends too early");
    const std::string_view out(at_, n);
    at_ += n, left_ -= n;
    return out;
  }
  uint64_t number(size_t bytes) {
    const std::string_view from = take(bytes);
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<uint8_t>(from[i]);
    return value;
  }
  std::string_view line() {
    const size_t end = std::string_view(at_, left_).find('\n');
    if (end == std::string_view::npos) fail("it ends too early");
    const std::string_view out = take(end);
    take(1);
    return out;
  }

  Value* make(Kind kind) {
    out_.values_.emplace_back().kind = kind;
    return &out_.values_.back();
  }
  void push(Value* value) { stack_.push_back(value); }
  Value* pop() {
    if (stack_.empty()) fail("a value is missing");
    Value* const value = stack_.back();
    stack_.pop_back();
    return value;
  }
  void push_number(int64_t n) {
    Value* const value = make(Kind::number);
    value->number = n;
    push(value);
  }
  void push_text(uint64_t n) {
    Value* const value = make(Kind::text);
    value->text = take(n);
    push(value);
  }
  void keep(uint64_t i) {
    if (stack_.empty()) fail("a value is missing");
    kept_[i] = stack_.back();
  }
  void push_kept(uint64_t i) {
    const auto found = kept_.find(i);
    if (found == kept_.end()) fail("a value is used before it is made");
    push(found->second);
  }
  // Removes the last mark and returns the number of values above it.
  size_t since_mark() {
    const auto mark =
        std::find_if(stack_.rbegin(), stack_.rend(), [](const Value* value) { return value->kind == Kind::mark; });
    if (mark == stack_.rend()) fail("a mark is missing");
    const auto n = static_cast<size_t>(mark - stack_.rbegin());
    stack_.erase(stack_.end() - static_cast<ptrdiff_t>(n) - 1);
    return n;
  }
  // Moves the last n values to the end of `to`.
  void move_values(size_t n, std::vector<const Value*>& to) {
    if (n > stack_.size()) fail("a value is missing");
    const auto begin = stack_.end() - static_cast<ptrdiff_t>(n);
    if (std::any_of(begin, stack_.end(), [](const Value* value) { return value->kind == Kind::mark; }))
      fail("a value is missing");
    to.insert(to.end(), begin, stack_.end());
    stack_.erase(begin, stack_.end());
  }
  void push_tuple(size_t n) {
    Value* const value = make(Kind::tuple);
    move_values(n, value->values);
    push(value);
  }
  void add_to(Kind kind, size_t n) {
    std::vector<const Value*> values;
    move_values(n, values);
    if (stack_.empty() || stack_.back()->kind != kind || (kind == Kind::dict && n % 2 != 0))
      fail("a value is added to something else than a list or dictionary");
    stack_.back()->values.insert(stack_.back()->values.end(), values.begin(), values.end());
  }

  // The functions that make arrays and, from Python 3, bytes. They are names here; nothing is imported.
  void push_global(std::string_view module, std::string_view function) {
    Value* const value = make(Kind::global);
    out_.texts_.push_back(std::string(module) + " " + std::string(function));
    value->text = out_.texts_.back();
    for (const char* known :
         {"numpy.core.multiarray _reconstruct", "numpy._core.multiarray _reconstruct", "numpy ndarray", "numpy dtype",
          "_codecs encode", "numpy.core.numeric _frombuffer", "numpy._core.numeric _frombuffer"})
      if (value->text == known) return push(value);
    out_.fail("would call " + std::string(module.substr(0, 60)) + "." + std::string(function.substr(0, 60)) +
              ", which no file of CIFAR does: it was not executed; do not trust this file");
  }
  void reduce() {
    const Value *arguments = pop(), *function = pop();
    if (function->kind != Kind::global || arguments->kind != Kind::tuple) fail("a call is not one of an array");
    const std::vector<const Value*>& values = arguments->values;
    if (function->text == "numpy dtype" && !values.empty() && values[0]->kind == Kind::text) {
      Value* const value = make(Kind::dtype);
      value->text = values[0]->text;
      return push(value);
    }
    if (function->text == "_codecs encode" && values.size() == 2 && values[0]->kind == Kind::text) {
      std::string& bytes = out_.texts_.emplace_back();
      if (!to_latin1(values[0]->text, bytes)) fail("a text is not in Latin-1");
      Value* const value = make(Kind::text);
      value->text = bytes;
      return push(value);
    }
    const std::string_view name = function->text.substr(function->text.rfind(' ') + 1);
    Value* const value = make(Kind::array);
    if (name == "_frombuffer" && values.size() >= 4)  // bytes, dtype, shape, order: from protocol 5 on
      fill(*value, values[2], values[1], values[3]->text == "C", values[0]);
    else if (name != "_reconstruct")
      fail("a call is not one of an array");
    push(value);
  }
  void fill(Value& value, const Value* shape, const Value* dtype, bool c_order, const Value* bytes) {
    if (shape->kind != Kind::tuple || dtype->kind != Kind::dtype || bytes->kind != Kind::text)
      fail("an array has a state that is none");
    if (dtype->text != "u1" || !c_order) fail("an array is not one of bytes in C order");
    value.values = shape->values;
    value.text = bytes->text;
  }
  // The state of an array is (version, shape, dtype, Fortran order, bytes). That of a dtype is not needed.
  void build() {
    const Value* const state = pop();
    if (stack_.empty()) fail("a value is missing");
    Value* const value = stack_.back();
    if (value->kind == Kind::dtype) return;
    const auto& parts = state->values;
    if (value->kind != Kind::array || state->kind != Kind::tuple || parts.size() != 5)
      fail("an array has a state that is none");
    fill(*value, parts[1], parts[2], parts[3]->number == 0, parts[4]);
  }

  Pickle& out_;
  const char* at_;
  uint64_t left_;
  std::vector<Value*> stack_;
  std::map<uint64_t, Value*> kept_;
};

const Value* Pickle::run(const std::vector<uint8_t>& bytes) { return Reader(*this, bytes).run(); }

}  // namespace cifar
