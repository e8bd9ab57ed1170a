// Writes a pickle of protocol 2, operation by operation. See pickletools.py.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

class PickleWriter {
 public:
  PickleWriter();

  void text(std::string_view utf8);
  void integer(int64_t number);
  void boolean(bool value);
  void real(double number);
  void none();
  void global(std::string_view module, std::string_view name);
  void mark();                                          // begins a group
  void tuple();                                         // of the group
  void call();                                          // with a callable and a tuple
  void persistent();                                    // with the id of an object outside the pickle
  void set_items();                                     // adds the group's keys and values to the dict before it
  void integers(const std::vector<uint64_t>& numbers);  // as a tuple
  void ordered_dict();                                  // an empty one
  void dict();                                          // an empty one
  void list();                                          // an empty one
  void append_items();                                  // adds the group to the list before it
  std::string take();                                   // ends the pickle and returns it

 private:
  std::string bytes_;
};

}  // namespace levin::core
