// The settings of speed that are tried, in this order.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace levin::autotune {

// What decides which values make sense.
struct Situation {
  bool images = false;  // the training data has a field of three dimensions
  bool stream = false;  // it has no rows that several threads could read
  bool gpu = false;
};

struct Setting {
  const char* name;    // a number of the trainer
  const char* option;  // the run's option
  // Returns the values to try beside the present one.
  std::vector<int64_t> (*candidates)(int64_t now, const Situation&);
  const char* without;                 // why there may be no candidates
  std::string (*json)(int64_t value);  // as the value of the option
};

const std::vector<Setting>& settings();

}  // namespace levin::autotune
