// The options that select the validation and test rows, and the split that they give.
#pragma once
#include <string>

#include "option_table.hpp"
#include "split_by.hpp"
#include "split_lists.hpp"

namespace common {

// The options that select the validation rows.
inline constexpr std::array<levin_option, 8> val_options = {
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
    levin::flag("stratify", "false", "give each class the same share of training, validation and test rows"),
    levin::path("train_list", "\"\"",
                "text file with the names of the training rows, one a line (paths in the folder of the data, or "
                "numbers from 0); empty = all that are in no other list"),
    levin::path("val_list", "\"\"", "text file with the names of the validation rows, instead of val_fraction")};

// The options that select the validation and test rows.
inline constexpr levin_option test_options[] = {
    levin::number("test_fraction", "0", "fraction of all rows used for testing, if there are no test rows", 0, 0.9),
    levin::path("test_list", "\"\"", "text file with the names of the test rows, instead of test_fraction")};
inline constexpr auto split_options = joined(test_options, val_options);

// Which rows validate and test: some that are drawn at random, or the last ones.
enum class Chosen { at_random, the_last };
// Where the test rows are: among the others, by split_options, or in files of their own, by val_options.
enum class TestRows { among_others, apart };

class Splitting {
 public:
  // group: the option that gives the groups of the rows, such as "--data.group patient"; "" = none does. Throws
  // levin::Error if two options exclude each other.
  explicit Splitting(const levin::Args&, std::string group = "", Chosen chosen = Chosen::at_random,
                     TestRows test_rows = TestRows::among_others);
  bool stratifies() const { return stratify_; }
  bool groups() const { return !group_.empty(); }
  // Splits the rows 0 to n-1. keys: the classes if it stratifies, the groups if it groups. names: by which
  // lists know the rows. Throws levin::Error if the options cannot be met.
  SplitRows split(int64_t n, const RowKeys& keys = {}, const NamesOfRows& names = {}) const;
  // For data whose validation and test rows come from elsewhere, such as "--data.val_file x.csv" ("" = they do not):
  // throws levin::Error if an option selects such rows too. With validation rows from elsewhere, split() lets all rows
  // train.
  void take_own(const std::string& val, const std::string& test);
  // Throws levin::Error if an option selects or divides validation rows, which come from `own`. val_rows 0 selects
  // none.
  void refuse_beside(const std::string& own) const;
  // Throws levin::Error if an option selects test rows, which come from `own`.
  void refuse_test_beside(const std::string& own) const;
  // Throws levin::Error "OPTION: WHY" if there are lists.
  void refuse_lists(const std::string& why) const;

 private:
  SplitRows split_rest(int64_t n, const RowKeys& keys) const;
  SplitRows choose(int64_t n, int64_t n_val, uint64_t seed, const RowKeys& keys) const;
  SplitRows choose_fold(int64_t n, const RowKeys& keys) const;
  [[noreturn]] void refuse(int64_t n_val, int64_t n) const;
  std::string given_;  // the option that selects the validation rows, "--data.val_rows 5"; "" = none is given
  double val_fraction_, test_fraction_;
  int64_t val_rows_;  // -1 = use val_fraction
  uint64_t seed_;
  int64_t folds_, fold_;
  bool stratify_, own_val_ = false;
  RowLists lists_;
  std::string group_;
  Chosen chosen_;
};

}  // namespace common
