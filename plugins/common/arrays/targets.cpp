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

// Returns the number as a label. Throws levin::Error unless it is in 0 to classes-1.
int64_t label_of(double value, const Array& targets, int64_t row, int64_t classes) {
  const bool whole = value >= 0 && value == std::floor(value);
  if (whole && value < static_cast<double>(classes)) return static_cast<int64_t>(value);
  const std::string text = "has the label " + number(value) + " in row " + std::to_string(row);
  if (!whole) refuse(targets, text + "; classes are 0, 1, 2, ...: for numbers give --data.task regression");
  if (classes == max_classes)
    refuse(targets, text + "; at most 1000000 classes are possible: for numbers give --data.task regression");
  refuse(targets, text + "; the training rows have the classes 0 to " + std::to_string(classes - 1));
}

std::vector<int64_t> labels_of(const Array& targets, int64_t row, int64_t classes) {
  std::vector<int64_t> out(static_cast<size_t>(targets.row_size()));
  read_labels(targets, row, classes, out.data());
  return out;
}

}  // namespace

void read_labels(const Array& targets, int64_t row, int64_t classes, int64_t* out) {
  static thread_local std::vector<double> values;
  values.resize(static_cast<size_t>(targets.row_size()));
  targets.read(row, values.data());
  for (const double value : values) *out++ = label_of(value, targets, row, classes);
}

bool are_classes(const Array& targets, const std::string& task) {
  return task == "classification" || task == "per_element" ||
         (task == "auto" && targets.row_size() == 1 && targets.integer());
}

TargetForm target_form(const Array& targets, const std::string& task, const std::vector<uint32_t>& rows) {
  if (!are_classes(targets, task)) {
    std::vector<int64_t> shape = targets.row_shape();
    if (shape == std::vector<int64_t>{1}) shape.clear();
    return {0, shape};
  }
  const bool per_element = task == "per_element";
  if (targets.row_size() != 1 && !per_element)
    refuse(targets,
           "has " + std::to_string(targets.row_size()) +
               " numbers a row; a class is one: save the index of the class (numpy.argmax), or give --data.task "
               "per_element if each number is a class");
  int64_t highest = 0;
  for (const uint32_t row : rows)
    for (const int64_t label : labels_of(targets, row, max_classes)) highest = std::max(highest, label);
  return {highest + 1, per_element ? targets.row_shape() : std::vector<int64_t>()};
}

void check_form(const Array& targets, const TargetForm& form, const std::vector<uint32_t>& rows) {
  int64_t size = 1;
  for (const int64_t n : form.shape) size *= n;
  if (targets.row_size() != size)
    refuse(targets, "has " + std::to_string(targets.row_size()) + " numbers a row, and the training targets have " +
                        std::to_string(size));
  if (form.classes == 0) return;
  for (const uint32_t row : rows) labels_of(targets, row, form.classes);
}

}  // namespace arrays
