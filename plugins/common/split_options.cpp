#include "split_options.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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

std::string option_text(const char* name, const std::string& value) {
  return "--data." + std::string(name) + " " + value;
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
  if (const std::string list = o.text("val_list"); !list.empty()) {
    if (!given.empty()) refuse_both(given, option_text("val_list", list));
    given = option_text("val_list", list);
  }
  if (o.integer("folds") == 0 && o.integer("fold") > 0)
    throw levin::Error(LEVIN_E_INVALID,
                       option_text("fold", o.number("fold")) + " needs --data.folds, the number of folds");
  return given;
}

// Returns the rows 0 to n-1 that are in none of two lists.
std::vector<uint32_t> rest_of(int64_t n, const std::vector<uint32_t>& one, const std::vector<uint32_t>& other) {
  std::vector<uint32_t> taken, rest;
  const std::vector<uint32_t> all = all_rows(n);
  std::merge(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(taken));
  std::set_difference(all.begin(), all.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

// Replaces each place in `all` by what is there.
void replace_places(std::vector<uint32_t>& places, const std::vector<uint32_t>& all) {
  for (uint32_t& place : places) place = all[place];
}

}  // namespace

Splitting::Splitting(const levin::Args& o, std::string group, Chosen chosen, TestRows test_rows)
    : given_(way_of(o)),
      val_fraction_(o.is_null("val_fraction") ? usual_val_fraction : o.number("val_fraction")),
      test_fraction_(test_rows == TestRows::apart ? 0 : o.number("test_fraction")),
      val_rows_(o.is_null("val_rows") ? -1 : o.integer("val_rows")),
      seed_(static_cast<uint64_t>(o.integer("split_seed"))),
      folds_(o.integer("folds")),
      fold_(o.integer("fold")),
      stratify_(o.flag("stratify")),
      lists_{o.text("train_list"), o.text("val_list"), test_rows == TestRows::apart ? "" : o.text("test_list")},
      group_(std::move(group)),
      chosen_(chosen) {
  if (stratify_ && groups()) refuse_both(stratify_text, group_);
  if (!lists_.val.empty() && stratify_) refuse_both(stratify_text, given_);
  if (!lists_.val.empty() && groups()) refuse_both(group_, given_);
  if (!lists_.test.empty() && test_fraction_ > 0)
    refuse_both(option_text("test_fraction", test_fraction_), option_text("test_list", lists_.test));
  if (chosen_ == Chosen::at_random) return;
  const std::string why = "the last rows validate here: leave it out";
  if (stratify_ || folds_ > 0)
    throw levin::Error(LEVIN_E_INVALID,
                       (stratify_ ? stratify_text : option_text("folds", static_cast<double>(folds_))) + ": " + why);
  refuse_lists(why);
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

// The rows that are in no list.
SplitRows Splitting::split_rest(int64_t n, const RowKeys& keys) const {
  if (!lists_.val.empty()) return {all_rows(n), {}, {}};
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

SplitRows Splitting::split(int64_t n, const RowKeys& keys, const NamesOfRows& names) const {
  if (own_val_) return {all_rows(n), {}, {}};
  const ListedRows listed = lists_.rows(n, names);
  std::vector<uint32_t> rest = lists_.train.empty() ? rest_of(n, listed.val, listed.test) : listed.train;
  if (lists_.any() && rest.empty())
    throw levin::Error(LEVIN_E_INVALID, "the lists of validation and test rows leave no row to train");
  const auto n_rest = static_cast<int64_t>(rest.size());
  if (n_rest > 0 && part(test_fraction_, n_rest) >= n_rest)
    throw levin::Error(LEVIN_E_INVALID, option_text("test_fraction", test_fraction_) + " takes all of the " +
                                            std::to_string(n_rest) + (n_rest == 1 ? " row" : " rows") +
                                            ", and none is left to train: give less");
  SplitRows first = choose(n_rest, part(test_fraction_, n_rest), mixed(seed_), keys.at(rest));
  replace_places(first.train, rest);
  replace_places(first.val, rest);
  SplitRows rows = split_rest(static_cast<int64_t>(first.train.size()), keys.at(first.train));
  replace_places(rows.train, first.train);
  replace_places(rows.val, first.train);
  rows.test = std::move(first.val);
  if (!lists_.val.empty()) rows.val = listed.val;
  if (!lists_.test.empty()) rows.test = listed.test;
  return rows;
}

void Splitting::take_own(const std::string& val, const std::string& test) {
  if (!val.empty()) refuse_beside(val);
  if (!test.empty()) refuse_test_beside(test);
  own_val_ = !val.empty();
  if (!own_val_ || (test_fraction_ == 0 && lists_.test.empty())) return;
  throw levin::Error(LEVIN_E_INVALID, (test_fraction_ > 0 ? option_text("test_fraction", test_fraction_)
                                                          : option_text("test_list", lists_.test)) +
                                          " takes training rows, and " + val +
                                          " says that all of them train: leave out one of the two, or name a "
                                          "file of test rows");
}

void Splitting::refuse_beside(const std::string& own) const {
  if (!given_.empty() && val_rows_ != 0) refuse_both(given_, own);
  if (!lists_.train.empty()) refuse_both(option_text("train_list", lists_.train), own);
  if (stratify_) refuse_both(stratify_text, own);
  if (groups()) refuse_both(group_, own);
}

void Splitting::refuse_test_beside(const std::string& own) const {
  if (test_fraction_ > 0) refuse_both(option_text("test_fraction", test_fraction_), own);
  if (!lists_.test.empty()) refuse_both(option_text("test_list", lists_.test), own);
}

void Splitting::refuse_lists(const std::string& why) const {
  for (const auto& [option, list] :
       {std::pair{"train_list", lists_.train}, {"val_list", lists_.val}, {"test_list", lists_.test}})
    if (!list.empty()) throw levin::Error(LEVIN_E_INVALID, option_text(option, list) + ": " + why);
}

}  // namespace common
