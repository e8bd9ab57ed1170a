// A confusion matrix, and its text forms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "levin/util/figure.hpp"

namespace levin::confusion_matrix {

class Matrix {
 public:
  bool empty() const { return total_ == 0; }
  int64_t size() const { return classes_; }
  int64_t count(int64_t target, int64_t prediction) const { return counts_[at(target, prediction)]; }
  // Counts one sample. New classes enlarge the matrix. Negative targets are ignored, as in the losses.
  void add(int64_t target, int64_t prediction);
  // Enlarges the matrix to at least this number of classes.
  void reserve(int64_t classes);
  const std::vector<int64_t>& counts() const { return counts_; }
  void set_counts(std::vector<int64_t> counts);  // size() * size() counts

 private:
  size_t at(int64_t target, int64_t prediction) const { return static_cast<size_t>(target * classes_ + prediction); }
  int64_t classes_ = 0, total_ = 0;
  std::vector<int64_t> counts_;  // [target, prediction]
};

// names: the class names. A class without a name is shown as its number.
std::string to_csv(const Matrix& matrix, const std::vector<std::string>& names);
// {"columns": ["target", "cat", "dog"], "rows": [["cat", 3, 1], ["dog", 0, 4]]}
std::string to_json(const Matrix& matrix, const std::vector<std::string>& names);
// A table for the terminal: one row per target, one column per prediction, and the fraction of correct predictions in
// each row. width: the width of the terminal, 0 = unlimited; columns that do not fit are placed below.
std::string to_table(const Matrix& matrix, const std::vector<std::string>& names, size_t width = 0);
// A heat map of the fraction of each target that was predicted as each class, with the rows of to_csv.
Figure to_figure(const Matrix& matrix, const std::vector<std::string>& names);

}  // namespace levin::confusion_matrix
