// What is known of the columns from the training rows. It is kept in checkpoints, so that a resumed run and a
// prediction work with the same numbers.
#pragma once
#include <string>
#include <vector>

#include "column_types.hpp"
#include "levin/state.hpp"

namespace csv_data {

struct ColumnStatistics {
  std::string name;
  bool category = false;
  double shift = 0, scale = 1;          // a number becomes (number - shift) / scale
  double fill = 0;                      // for numbers that are missing
  std::vector<std::string> categories;  // "": a missing value
  size_t width() const { return category ? categories.size() : 1; }
};

struct Statistics {
  std::vector<ColumnStatistics> inputs;
  ColumnStatistics target;
  int64_t rows = 0;       // of the file with the training rows
  uint64_t checksum = 0;  // of its bytes

  void save(levin::Writer writer) const;
  bool load(levin::Reader reader);  // false: the state has none
  ColumnTypes types() const;        // of the columns that they are about
};
bool operator==(const Statistics& a, const Statistics& b);

// What is different, such that a model that was trained with the one cannot work with the other; "": nothing.
std::string difference(const Statistics& saved, const Statistics& now);

}  // namespace csv_data
