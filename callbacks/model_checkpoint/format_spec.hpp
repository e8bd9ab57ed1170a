// Python's format mini-language for one number: "02d", ".3f", ">8.3e", "+,.1%".
#pragma once
#include <string>

namespace levin::model_checkpoint {

struct Number {
  double value = 0;
  bool integral = false;  // as an int in Python: "3", not "3.0"
};

// Throws std::invalid_argument where Python raises ValueError.
std::string format_number(const Number& number, const std::string& spec);

}  // namespace levin::model_checkpoint
