#include "split_options.hpp"

#include <cmath>

#include "mixed.hpp"

namespace common {
namespace {

int64_t part(double fraction, int64_t n) { return std::llround(fraction * static_cast<double>(n)); }

}  // namespace

Splitting::Splitting(const levin::Args& o)
    : val_fraction_(o.number("val_fraction")),
      val_rows_(o.is_null("val_rows") ? -1 : o.integer("val_rows")),
      seed_(static_cast<uint64_t>(o.integer("split_seed"))),
      folds_(o.integer("folds")),
      fold_(o.integer("fold")) {}

SplitRows Splitting::split(int64_t n) const {
  if (folds_ > 0) {
    if (folds_ < 2 || folds_ > n || fold_ >= folds_)
      throw levin::Error(LEVIN_E_INVALID, "--data.fold: fold " + std::to_string(fold_) + " of " +
                                              std::to_string(folds_) + " does not exist: there are 2 to " +
                                              std::to_string(n) + " folds, counted from 0");
    return fold_rows(n, folds_, fold_, seed_);
  }
  const int64_t n_val = val_rows_ >= 0 ? val_rows_ : part(val_fraction_, n);
  if (n_val >= n)
    throw levin::Error(LEVIN_E_INVALID, "--data.val_rows: " + std::to_string(n_val) + " rows, but the set has only " +
                                            std::to_string(n) + " training rows");
  return split_rows(n, n_val, seed_);
}

SplitRows Splitting::split_with_test(int64_t n, double fraction) const {
  const SplitRows first = split_rows(n, part(fraction, n), mixed(seed_));
  SplitRows rows = split(static_cast<int64_t>(first.train.size()));
  for (std::vector<uint32_t>* places : {&rows.train, &rows.val})
    for (uint32_t& row : *places) row = first.train[row];
  rows.test = first.val;
  return rows;
}

}  // namespace common
