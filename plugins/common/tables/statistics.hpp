// Statistics of the columns, from the training rows. Checkpoints contain them, so that a resumed run and a prediction
// use the same encoding.
#pragma once
#include <string>
#include <vector>

#include "column_types.hpp"
#include "levin/state.hpp"
#include "times.hpp"
#include "window_options.hpp"

namespace tables {

struct ColumnStatistics {
  std::string name;
  Kind kind = Kind::number;
  double shift = 0, scale = 1;          // a number becomes (number - shift) / scale
  double fill = 0;                      // value for missing numbers
  std::vector<std::string> categories;  // "" = a missing value
  bool category() const { return kind == Kind::category; }
  size_t width() const { return category() ? categories.size() : kind == Kind::date ? 1 + cycle_numbers : 1; }
};

struct Statistics {
  std::vector<ColumnStatistics> inputs;
  std::vector<ColumnStatistics> targets;
  WindowShape window;
  int64_t rows = 0;       // number of rows of the training file
  uint64_t checksum = 0;  // of the texts of its cells

  void save(levin::Writer writer) const;
  bool load(levin::Reader reader);  // returns false if the state has none
  ColumnTypes types() const;        // the types of the columns
};
bool operator==(const Statistics& a, const Statistics& b);

// Returns the first difference that makes a model trained with `saved` unusable with `now`; "" = none.
std::string difference(const Statistics& saved, const Statistics& now);

}  // namespace tables
