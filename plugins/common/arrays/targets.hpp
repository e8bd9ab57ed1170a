// The targets of the rows: classes or numbers.
#pragma once
#include "array.hpp"

namespace arrays {

struct TargetForm {
  int64_t classes = 0;         // 0 = regression
  std::vector<int64_t> shape;  // of a row; empty = one class or number
};

// Returns true if the targets are classes by the task.
bool are_classes(const Array& targets, const std::string& task);

// task: "auto" (classes if the array holds one integer a row), "classification", "per_element" or "regression". The
// classes are 0 to the largest label. Throws levin::Error for a label that is no class.
TargetForm target_form(const Array& targets, const std::string& task, const std::vector<uint32_t>& rows);

// Throws levin::Error if targets of another file have another form, or a class that the training file does not have.
void check_form(const Array& targets, const TargetForm& form, const std::vector<uint32_t>& rows);

// Writes the labels of a row. Throws levin::Error unless they are in 0 to classes-1.
void read_labels(const Array& targets, int64_t row, int64_t classes, int64_t* out);

}  // namespace arrays
