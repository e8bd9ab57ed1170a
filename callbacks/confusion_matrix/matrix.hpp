// How often each class was taken for each, and the matrix as text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace levin::confusion_matrix {

class Matrix {
 public:
  bool empty() const { return total_ == 0; }
  int64_t size() const { return classes_; }
  int64_t count(int64_t target, int64_t prediction) const { return counts_[at(target, prediction)]; }
  // Classes that were not seen before make the matrix larger. Negative targets are left out, as losses ignore them.
  void add(int64_t target, int64_t prediction);
  // Makes room for so many classes at least.
  void reserve(int64_t classes);
  const std::vector<int64_t>& counts() const { return counts_; }
  void set_counts(std::vector<int64_t> counts);  // as many as there are

 private:
  size_t at(int64_t target, int64_t prediction) const { return static_cast<size_t>(target * classes_ + prediction); }
  int64_t classes_ = 0, total_ = 0;
  std::vector<int64_t> counts_;  // [target, prediction]
};

// names: of the classes; those that are missing are numbers.
std::string to_csv(const Matrix& matrix, const std::vector<std::string>& names);
// {"columns": ["target", "cat", "dog"], "rows": [["cat", 3, 1], ["dog", 0, 4]]}
std::string to_json(const Matrix& matrix, const std::vector<std::string>& names);
// For people: a row for each target, a column for each prediction, and what part of the row is right. width: of the
// terminal, where columns that do not fit come below; 0: any.
std::string to_table(const Matrix& matrix, const std::vector<std::string>& names, size_t width = 0);

}  // namespace levin::confusion_matrix
