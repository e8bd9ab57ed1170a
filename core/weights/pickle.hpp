// Reads a Python pickle as plain data without executing anything: classes and functions are names, and a call is kept
// as the name and its arguments. Supports protocols 0 to 5, except operations for old-style classes and for out-of-band
// references.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// One value. Values refer to others by their index in the Pickle; a list may contain itself.
struct PickleValue {
  enum class Kind : uint8_t {
    none,
    boolean,
    integer,
    real,
    text,
    bytes,
    tuple,
    list,
    set,
    dict,       // items: key, value, key, value, ...
    global,     // text: "module.name"
    call,       // items: the callable, its arguments, and, if it has one, the state to set
    persistent  // items: the id of an object outside the pickle
  };
  Kind kind = Kind::none;
  int64_t integer = 0;  // also of a boolean; integers beyond 64 bits are `bytes`, little-endian
  double real = 0;
  std::string text;  // also of bytes
  std::vector<uint32_t> items;
};

class Pickle {
 public:
  // Reads the pickle at the start of the bytes. Throws std::runtime_error that says what is wrong and at which byte.
  // Memory use is proportional to the bytes read.
  explicit Pickle(std::string_view bytes);

  uint32_t root() const { return root_; }
  const PickleValue& operator[](uint32_t index) const { return values_[index]; }
  size_t size() const { return values_.size(); }
  size_t length() const { return length_; }  // bytes of the pickle; more bytes may follow

  bool is(uint32_t index, PickleValue::Kind kind) const { return values_[index].kind == kind; }
  // Returns true if the dict has this text key, and sets `into` to its value's index.
  bool find(uint32_t dict, std::string_view key, uint32_t* into) const;

 private:
  std::vector<PickleValue> values_;
  uint32_t root_ = 0;
  size_t length_ = 0;
};

}  // namespace levin::core
