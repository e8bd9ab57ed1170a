// The options that say which rows validate and test, and what they say.
#pragma once
#include <string>

#include "levin/options.hpp"
#include "split_rows.hpp"

namespace common {

struct SplitOptions {
  static constexpr levin_option val_fraction = levin::with(
      levin::number("val_fraction", "null",
                    "part of the training rows kept for validation; null = 0.1 unless val_rows or folds is set", 0,
                    0.9),
      LEVIN_OPT_NULLABLE);
  static constexpr levin_option val_rows =
      levin::with(levin::integer("val_rows", "null",
                                 "number of training rows kept for validation, instead of val_fraction", 0, 1e9),
                  LEVIN_OPT_NULLABLE);
  static constexpr levin_option test_fraction =
      levin::number("test_fraction", "0", "fraction of all rows used for testing, if there are no test rows", 0, 0.9);
  static constexpr levin_option split_seed =
      levin::integer("split_seed", "0", "seed that decides which rows are used for validation", 0, 9e15);
  static constexpr levin_option folds =
      levin::integer("folds", "0", "k of a k-fold validation, instead of val_fraction; 0 = none", 0, 1e9);
  static constexpr levin_option fold = levin::integer("fold", "0", "index of the validation fold, from 0", 0, 1e9);
};

class Splitting {
 public:
  // Throws levin::Error where two options say which rows validate.
  explicit Splitting(const levin::Args&);
  // The rows 0 to n-1. Throws levin::Error where the options cannot be met.
  SplitRows split(int64_t n) const;
  // Before that, `fraction` of the rows are kept for the test.
  SplitRows split_with_test(int64_t n, double fraction) const;
  // For data whose validation rows are those of `own`: throws levin::Error where an option names others. val_rows 0
  // names none.
  void refuse_beside(const std::string& own) const;

 private:
  [[noreturn]] void refuse(int64_t n_val, int64_t n) const;
  std::string given_;  // the option that says which rows validate, "--data.val_rows 5"; "": none is given
  double val_fraction_;
  int64_t val_rows_;  // -1: val_fraction
  uint64_t seed_;
  int64_t folds_, fold_;
};

// Throws levin::Error where test_fraction is given beside test rows of their own.
void refuse_test_fraction(double fraction, const std::string& own);

}  // namespace common
