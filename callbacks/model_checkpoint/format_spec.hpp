// Python's format mini-language for one number: "02d", ".3f", ">8.3e", "+,.1%".
#pragma once
#include <string>

namespace levin::model_checkpoint {

struct Number {
  double value = 0;
  bool integral = false;  // formatted like an int in Python: "3" and not "3.0"
};

// Throws std::invalid_argument if Python would raise ValueError.
std::string format_number(const Number& number, const std::string& spec);

}  // namespace levin::model_checkpoint
