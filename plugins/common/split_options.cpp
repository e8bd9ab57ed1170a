#include "split_options.hpp"

#include <cmath>
#include <sstream>

#include "mixed.hpp"

namespace common {
namespace {

constexpr double usual_val_fraction = 0.1;
constexpr const char* stratify_text = "--data.stratify true";

int64_t part(double fraction, int64_t n) { return std::llround(fraction * static_cast<double>(n)); }

std::string option_text(const char* name, double value) {
  std::ostringstream text;
  text << "--data." << name << ' ' << value;
  return text.str();
}

[[noreturn]] void refuse_both(const std::string& one, const std::string& other) {
  throw levin::Error(LEVIN_E_INVALID, one + " and " + other + " exclude each other: give one of them");
}

// Returns the option that selects the validation rows; "" = none is given. Throws levin::Error if there are two.
std::string way_of(const levin::Args& o) {
  std::string given;
  const auto take = [&](const char* name, bool is_given) {
    if (!is_given) return;
    const std::string text = option_text(name, o.number(name));
    if (!given.empty()) refuse_both(given, text);
    given = text;
  };
  take("val_fraction", !o.is_null("val_fraction"));
  take("val_rows", !o.is_null("val_rows"));
  take("folds", o.integer("folds") > 0);
  if (o.integer("folds") == 0 && o.integer("fold") > 0)
    throw levin::Error(LEVIN_E_INVALID,
                       option_text("fold", o.number("fold")) + " needs --data.folds, the number of folds");
  return given;
}

}  // namespace

Splitting::Splitting(const levin::Args& o, std::string group, Chosen chosen)
    : given_(way_of(o)),
      val_fraction_(o.is_null("val_fraction") ? usual_val_fraction : o.number("val_fraction")),
      val_rows_(o.is_null("val_rows") ? -1 : o.integer("val_rows")),
      seed_(static_cast<uint64_t>(o.integer("split_seed"))),
      folds_(o.integer("folds")),
      fold_(o.integer("fold")),
      stratify_(o.flag("stratify")),
      group_(std::move(group)),
      chosen_(chosen) {
  if (stratify_ && groups()) refuse_both(stratify_text, group_);
  if (chosen_ == Chosen::at_random || (!stratify_ && folds_ == 0)) return;
  throw levin::Error(LEVIN_E_INVALID, (stratify_ ? stratify_text : option_text("folds", static_cast<double>(folds_))) +
                                          std::string(": the last rows validate here: leave it out"));
}

SplitRows Splitting::choose(int64_t n, int64_t n_val, uint64_t seed, const RowKeys& keys) const {
  if (stratify_) return stratified_rows(keys, n_val, seed);
  if (groups()) return grouped_rows(keys, n_val, seed);
  if (chosen_ == Chosen::at_random) return split_rows(n, n_val, seed);
  SplitRows rows{all_rows(n), {}, {}};
  rows.val.assign(rows.train.end() - n_val, rows.train.end());
  rows.train.resize(static_cast<size_t>(n - n_val));
  return rows;
}

SplitRows Splitting::choose_fold(int64_t n, const RowKeys& keys) const {
  if (stratify_) return stratified_fold(keys, folds_, fold_, seed_);
  return groups() ? grouped_fold(keys, folds_, fold_, seed_) : fold_rows(n, folds_, fold_, seed_);
}

SplitRows Splitting::split(int64_t n, const RowKeys& keys) const {
  if (folds_ > 0) {
    if (folds_ < 2 || folds_ > n || fold_ >= folds_)
      throw levin::Error(LEVIN_E_INVALID, "--data.fold: fold " + std::to_string(fold_) + " of " +
                                              std::to_string(folds_) + " does not exist: there are 2 to " +
                                              std::to_string(n) + " folds, counted from 0");
    return choose_fold(n, keys);
  }
  const int64_t n_val = val_rows_ >= 0 ? val_rows_ : part(val_fraction_, n);
  if (n_val >= n) refuse(n_val, n);
  return choose(n, n_val, seed_, keys);
}

void Splitting::refuse(int64_t n_val, int64_t n) const {
  const std::string rows = std::to_string(n) + (n == 1 ? " training row" : " training rows");
  if (val_rows_ >= 0)
    throw levin::Error(LEVIN_E_INVALID,
                       "--data.val_rows: " + std::to_string(n_val) + " rows, but the set has only " + rows);
  throw levin::Error(LEVIN_E_INVALID, option_text("val_fraction", val_fraction_) + " of " + rows +
                                          (n_val == 1 ? " is " : " are ") + std::to_string(n_val) +
                                          ", and none is left to train: give less, or --data.val_rows");
}

SplitRows Splitting::split_with_test(int64_t n, double fraction, bool own_val, const RowKeys& keys) const {
  if (own_val) return {all_rows(n), {}, {}};
  if (n > 0 && part(fraction, n) >= n)
    throw levin::Error(LEVIN_E_INVALID, option_text("test_fraction", fraction) + " takes all of the " +
                                            std::to_string(n) + (n == 1 ? " row" : " rows") +
                                            ", and none is left to train: give less");
  const SplitRows first = choose(n, part(fraction, n), mixed(seed_), keys);
  SplitRows rows = split(static_cast<int64_t>(first.train.size()), keys.at(first.train));
  for (std::vector<uint32_t>* places : {&rows.train, &rows.val})
    for (uint32_t& row : *places) row = first.train[row];
  rows.test = first.val;
  return rows;
}

void Splitting::refuse_beside(const std::string& own) const {
  if (!given_.empty() && val_rows_ != 0) refuse_both(given_, own);
  if (stratify_) refuse_both(stratify_text, own);
  if (groups()) refuse_both(group_, own);
}

void Splitting::refuse_beside_own(const std::string& val, const std::string& test, double test_fraction) const {
  if (!val.empty()) refuse_beside(val);
  if (!test.empty()) refuse_test_fraction(test_fraction, test);
  if (!val.empty() && test_fraction > 0)
    throw levin::Error(LEVIN_E_INVALID, option_text("test_fraction", test_fraction) + " takes training rows, and " +
                                            val +
                                            " says that all of them train: leave out one of the two, or name a "
                                            "file of test rows");
}

void refuse_test_fraction(double fraction, const std::string& own) {
  if (fraction > 0) refuse_both(option_text("test_fraction", fraction), own);
}

}  // namespace common
