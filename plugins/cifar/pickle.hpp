// Reads the pickles of CIFAR's Python archives. A pickle is a program; this reader builds dictionaries, lists, texts,
// numbers and arrays of bytes, and refuses everything else. Nothing in a pickle is called or imported.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cifar {

class Pickle {
 public:
  struct Value {
    enum class Kind { none, number, text, tuple, list, dict, global, array, dtype, mark } kind = Kind::none;
    int64_t number = 0;
    std::string_view text;             // of a text or global: "numpy ndarray"; of an array: its bytes; of a dtype: "u1"
    std::vector<const Value*> values;  // of a tuple or list; of a dict: keys and values in turn; of an array: its shape
  };

  // The bytes must outlive this object. Throws levin::Error that begins with `name` if they are not a pickle of
  // protocol 0 to 5, or one that would call or import anything but what makes an array.
  Pickle(const std::vector<uint8_t>& bytes, std::string name);

  // Return an entry of the dictionary that the pickle holds. Throw levin::Error if it is missing or of another kind.
  std::vector<int64_t> numbers(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  const Value& bytes(const std::string& key) const;  // an array of uint8 with two dimensions
  bool has(const std::string& key) const { return find(key) != nullptr; }

 private:
  class Reader;
  // Runs the program and returns its value.
  const Value* run(const std::vector<uint8_t>& bytes);
  [[noreturn]] void fail(const std::string& what) const;
  const Value* find(const std::string& key) const;
  const Value& list(const std::string& key) const;

  std::string name_;
  std::deque<Value> values_;       // owns every value, so that nested ones need no recursion
  std::deque<std::string> texts_;  // texts that are not in the bytes as they are
  const Value* top_ = nullptr;
};

}  // namespace cifar
