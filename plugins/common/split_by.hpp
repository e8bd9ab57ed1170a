// Splits rows by their classes or groups. The choice depends on the seed alone.
#pragma once
#include <string>

#include "split_rows.hpp"

namespace common {

// The class or the group of each row.
struct RowKeys {
  std::vector<uint32_t> of;  // index into names, one per row
  std::vector<std::string> names;

  // Returns the keys of some of the rows.
  RowKeys at(const std::vector<uint32_t>& rows) const;
};

// Returns the groups of rows, numbered in the order of their first rows. groups: one per row.
RowKeys keys_of(const std::vector<std::string>& groups);

// Chooses n_val rows for validation. The number of rows of each class differs by less than one from its share. Throws
// levin::Error for a class with one row, and if n_val rows or the others are fewer than the classes.
SplitRows stratified_rows(const RowKeys& classes, int64_t n_val, uint64_t seed);

// Uses one of several folds for validation. The folds share no row; in size and in the rows of each class they differ
// by at most one. Throws levin::Error for a class with fewer rows than folds.
SplitRows stratified_fold(const RowKeys& classes, int64_t folds, int64_t fold, uint64_t seed);

// Chooses whole groups for validation, in random order, of n_val rows together or of the nearest number that they
// allow; at least one group and not all. Throws levin::Error if there is one group.
SplitRows grouped_rows(const RowKeys& groups, int64_t n_val, uint64_t seed);

// Uses one of several folds of whole groups for validation. The folds share no group; each group, the largest first, is
// put into the fold with the fewest rows. Throws levin::Error if there are fewer groups than folds.
SplitRows grouped_fold(const RowKeys& groups, int64_t folds, int64_t fold, uint64_t seed);

}  // namespace common
