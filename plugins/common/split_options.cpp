#include "split_options.hpp"

#include <cmath>
#include <sstream>

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
  if (n_val >= n) refuse(n_val, n);
  return split_rows(n, n_val, seed_);
}

void Splitting::refuse(int64_t n_val, int64_t n) const {
  const std::string rows = std::to_string(n) + (n == 1 ? " training row" : " training rows");
  if (val_rows_ >= 0)
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.val_rows: " + std::to_string(n_val) + " rows, but the set has only " + rows);
  std::ostringstream text;
  text << "--data.val_fraction " << val_fraction_ << " of " << rows << (n_val == 1 ? " is " : " are ") << n_val
       << ", and none is left to train: give less, or --data.val_rows";
  throw levin::Error(LEVIN_E_INVALID, text.str());
}

SplitRows Splitting::split_with_test(int64_t n, double fraction) const {
  if (n > 0 && part(fraction, n) >= n) {
    std::ostringstream text;
    text << "--data.test_fraction " << fraction << " takes all of the " << n << (n == 1 ? " row" : " rows")
         << ", and none is left to train: give less";
    throw levin::Error(LEVIN_E_INVALID, text.str());
  }
  const SplitRows first = split_rows(n, part(fraction, n), mixed(seed_));
  SplitRows rows = split(static_cast<int64_t>(first.train.size()));
  for (std::vector<uint32_t>* places : {&rows.train, &rows.val})
    for (uint32_t& row : *places) row = first.train[row];
  rows.test = first.val;
  return rows;
}

}  // namespace common
