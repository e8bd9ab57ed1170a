// The options that select the validation and test rows, and the split that they give.
#pragma once
#include <string>

#include "option_table.hpp"
#include "split_by.hpp"

namespace common {

// The options that select the validation rows.
inline constexpr std::array<levin_option, 6> val_options = {
    levin::with(
        levin::number("val_fraction", "null",
                      "part of the training rows kept for validation; null = 0.1 unless val_rows or folds is set", 0,
                      0.9),
        LEVIN_OPT_NULLABLE),
    levin::with(levin::integer("val_rows", "null",
                               "number of training rows kept for validation, instead of val_fraction", 0, 1e9),
                LEVIN_OPT_NULLABLE),
    levin::integer("split_seed", "0", "seed that decides which rows are used for validation", 0, 9e15),
    levin::integer("folds", "0", "k of a k-fold validation, instead of val_fraction; 0 = none", 0, 1e9),
    levin::integer("fold", "0", "index of the validation fold, from 0", 0, 1e9),
    levin::flag("stratify", "false", "give each class the same share of training, validation and test rows")};

// The options that select the validation and test rows.
inline constexpr levin_option test_options[] = {
    levin::number("test_fraction", "0", "fraction of all rows used for testing, if there are no test rows", 0, 0.9)};
inline constexpr auto split_options = joined(test_options, val_options);

// Which rows validate and test: some that are drawn at random, or the last ones.
enum class Chosen { at_random, the_last };

class Splitting {
 public:
  // group: the option that gives the groups of the rows, such as "--data.group patient"; "" = none does. Throws
  // levin::Error if two options exclude each other.
  explicit Splitting(const levin::Args&, std::string group = "", Chosen chosen = Chosen::at_random);
  bool stratifies() const { return stratify_; }
  bool groups() const { return !group_.empty(); }
  // Splits the rows 0 to n-1. keys: the classes if it stratifies, the groups if it groups. Throws levin::Error if the
  // options cannot be met.
  SplitRows split(int64_t n, const RowKeys& keys = {}) const;
  // The same, after `fraction` of the rows are set aside for the test. own_val: all rows train, because the validation
  // rows come from elsewhere.
  SplitRows split_with_test(int64_t n, double fraction, bool own_val = false, const RowKeys& keys = {}) const;
  // For data whose validation rows come from `own`: throws levin::Error if an option selects or divides other rows.
  // val_rows 0 selects none.
  void refuse_beside(const std::string& own) const;
  // For data whose validation and test rows may come from files of their own, such as "--data.val_file x.csv" ("" =
  // they do not): throws levin::Error if an option selects such rows too.
  void refuse_beside_own(const std::string& val, const std::string& test, double test_fraction) const;

 private:
  SplitRows choose(int64_t n, int64_t n_val, uint64_t seed, const RowKeys& keys) const;
  SplitRows choose_fold(int64_t n, const RowKeys& keys) const;
  [[noreturn]] void refuse(int64_t n_val, int64_t n) const;
  std::string given_;  // the option that selects the validation rows, "--data.val_rows 5"; "" = none is given
  double val_fraction_;
  int64_t val_rows_;  // -1 = use val_fraction
  uint64_t seed_;
  int64_t folds_, fold_;
  bool stratify_;
  std::string group_;
  Chosen chosen_;
};

// Throws levin::Error if test_fraction is given although the test rows come from `own`.
void refuse_test_fraction(double fraction, const std::string& own);

}  // namespace common
