#include "targets.hpp"

#include <algorithm>
#include <cmath>

#include "levin/error.hpp"

namespace arrays {
namespace {

constexpr int64_t max_classes = 1000000;

[[noreturn]] void refuse(const Array& targets, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, targets.name() + " " + what);
}

std::string number(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15) return std::to_string(static_cast<int64_t>(value));
  return std::to_string(value);
}

}  // namespace

int64_t label_of(const Array& targets, int64_t row, int64_t classes) {
  double value = 0;
  targets.read(row, &value);
  const bool whole = value >= 0 && value == std::floor(value);
  if (whole && value < static_cast<double>(classes)) return static_cast<int64_t>(value);
  const std::string text = "has the label " + number(value) + " in row " + std::to_string(row);
  if (!whole) refuse(targets, text + "; classes are 0, 1, 2, ...: for numbers give --data.task regression");
  if (classes == max_classes)
    refuse(targets, text + "; at most 1000000 classes are possible: for numbers give --data.task regression");
  refuse(targets, text + "; the training rows have the classes 0 to " + std::to_string(classes - 1));
}

bool are_classes(const Array& targets, const std::string& task) {
  return task == "classification" || (task == "auto" && targets.row_size() == 1 && targets.integer());
}

TargetForm target_form(const Array& targets, const std::string& task, const std::vector<uint32_t>& rows) {
  if (!are_classes(targets, task)) {
    std::vector<int64_t> shape = targets.row_shape();
    if (shape == std::vector<int64_t>{1}) shape.clear();
    return {0, shape};
  }
  if (targets.row_size() != 1)
    refuse(targets, "has " + std::to_string(targets.row_size()) +
                        " numbers a row; a class is one: save the index of the class (numpy.argmax)");
  int64_t highest = 0;
  for (const uint32_t row : rows) highest = std::max(highest, label_of(targets, row, max_classes));
  return {highest + 1, {}};
}

void check_form(const Array& targets, const TargetForm& form, const std::vector<uint32_t>& rows) {
  int64_t size = 1;
  for (const int64_t n : form.shape) size *= n;
  if (targets.row_size() != size)
    refuse(targets, "has " + std::to_string(targets.row_size()) + " numbers a row, and the training targets have " +
                        std::to_string(size));
  if (form.classes == 0) return;
  for (const uint32_t row : rows) label_of(targets, row, form.classes);
}

}  // namespace arrays
