#include "plugins/common/split_by.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "levin/error.hpp"

using common::RowKeys;
using common::SplitRows;

namespace {

// Rows of keys with these numbers of rows, mixed.
RowKeys keys_of(const std::vector<int64_t>& counts) {
  RowKeys keys;
  std::vector<int64_t> left = counts;
  for (size_t k = 0; k < counts.size(); ++k) keys.names.push_back("k" + std::to_string(k));
  for (bool any = true; any;) {
    any = false;
    for (size_t k = 0; k < left.size(); ++k)
      if (left[k]-- > 0) keys.of.push_back(static_cast<uint32_t>(k)), any = true;
  }
  return keys;
}

std::vector<int64_t> counts_in(const std::vector<uint32_t>& rows, const RowKeys& keys) {
  std::vector<int64_t> counts(keys.names.size());
  for (const uint32_t row : rows) ++counts[keys.of[row]];
  return counts;
}

std::set<uint32_t> keys_in(const std::vector<uint32_t>& rows, const RowKeys& keys) {
  std::set<uint32_t> found;
  for (const uint32_t row : rows) found.insert(keys.of[row]);
  return found;
}

// Every row is in one of the two sides, in ascending order.
void check_whole(const SplitRows& rows, size_t n) {
  std::vector<uint32_t> all = rows.train;
  all.insert(all.end(), rows.val.begin(), rows.val.end());
  CHECK(std::is_sorted(rows.train.begin(), rows.train.end()));
  CHECK(std::is_sorted(rows.val.begin(), rows.val.end()));
  std::sort(all.begin(), all.end());
  CHECK(all == common::all_rows(static_cast<int64_t>(n)));
}

}  // namespace

TEST_CASE("a stratified split has each class's share of rows, within one row, for any number of rows and seed") {
  for (const std::vector<int64_t>& counts :
       {std::vector<int64_t>{50, 50}, {90, 10}, {97, 2, 3}, {5, 0, 7, 11}, {2, 2, 2, 2, 2, 2, 2}, {1000, 20, 3}}) {
    const RowKeys keys = keys_of(counts);
    const auto n = static_cast<int64_t>(keys.of.size());
    const int64_t classes = std::count_if(counts.begin(), counts.end(), [](int64_t c) { return c > 0; });
    for (const int64_t n_val : {classes, n / 10, n / 3, n / 2, n - classes})
      for (const uint64_t seed : {0, 1, 2, 3}) {
        if (n_val < classes || n - n_val < classes) continue;
        const SplitRows rows = common::stratified_rows(keys, n_val, seed);
        check_whole(rows, keys.of.size());
        CHECK(static_cast<int64_t>(rows.val.size()) == n_val);
        const std::vector<int64_t> found = counts_in(rows.val, keys);
        for (size_t k = 0; k < counts.size(); ++k) {
          const double share = static_cast<double>(counts[k] * n_val) / static_cast<double>(n);
          CHECK(std::fabs(static_cast<double>(found[k]) - share) < 1);
        }
        CHECK(common::stratified_rows(keys, n_val, seed).val == rows.val);
      }
  }
  CHECK(common::stratified_rows(keys_of({50, 50}), 10, 1).val != common::stratified_rows(keys_of({50, 50}), 10, 2).val);
  CHECK(common::stratified_rows(keys_of({1, 1}), 0, 0).train.size() == 2);
}

TEST_CASE("stratified folds differ by at most one row, in each class and in all") {
  for (const std::vector<int64_t>& counts : {std::vector<int64_t>{50, 50}, {91, 13, 5}, {5, 6, 7, 8, 9}})
    for (const int64_t folds : {2, 3, 5}) {
      const RowKeys keys = keys_of(counts);
      std::vector<int> validated(keys.of.size());
      for (int64_t fold = 0; fold < folds; ++fold) {
        const SplitRows rows = common::stratified_fold(keys, folds, fold, 7);
        check_whole(rows, keys.of.size());
        for (const uint32_t row : rows.val) ++validated[row];
        const auto n = static_cast<int64_t>(keys.of.size()), size = static_cast<int64_t>(rows.val.size());
        CHECK((size == n / folds || size == (n + folds - 1) / folds));
        const std::vector<int64_t> found = counts_in(rows.val, keys);
        for (size_t k = 0; k < counts.size(); ++k)
          CHECK((found[k] == counts[k] / folds || found[k] == (counts[k] + folds - 1) / folds));
      }
      CHECK(validated == std::vector<int>(keys.of.size(), 1));
    }
}

TEST_CASE("a stratified split is refused if a class has too few rows for it") {
  CHECK_THROWS_WITH(common::stratified_rows(keys_of({9, 1}), 3, 0),
                    ContainsSubstring("--data.stratify: class 'k1' has 1 row, and needs at least 2"));
  CHECK_THROWS_WITH(common::stratified_rows(keys_of({9, 9, 9}), 2, 0),
                    ContainsSubstring("has 25 and 2 rows, and each part needs a row of each of the 3 classes"));
  CHECK_THROWS_WITH(
      common::stratified_fold(keys_of({9, 3}), 5, 0, 0),
      ContainsSubstring("class 'k1' has 3 rows, and --data.folds 5 needs a row of each class in each fold"));
}

TEST_CASE("a split by groups keeps each group on one side, near the number of rows") {
  const RowKeys equal = keys_of(std::vector<int64_t>(20, 5)), uneven = keys_of({1, 30, 4, 9, 2, 2, 17});
  for (const uint64_t seed : {0, 1, 2, 3, 4, 5}) {
    CHECK(common::grouped_rows(equal, 10, seed).val.size() == 10);
    CHECK(common::grouped_rows(equal, 12, seed).val.size() == 10);
    CHECK(common::grouped_rows(equal, 1, seed).val.size() == 5);
    for (const int64_t n_val : {1, 6, 20, 40, 64}) {
      const SplitRows rows = common::grouped_rows(uneven, n_val, seed);
      check_whole(rows, uneven.of.size());
      const std::set<uint32_t> train = keys_in(rows.train, uneven), val = keys_in(rows.val, uneven);
      CHECK(train.size() + val.size() == 7);
      CHECK(!train.empty());
      CHECK(!val.empty());
    }
    CHECK(common::grouped_rows(uneven, 20, seed).val == common::grouped_rows(uneven, 20, seed).val);
  }
  CHECK(common::grouped_rows(equal, 10, 0).val != common::grouped_rows(equal, 10, 1).val);
  CHECK(common::grouped_rows(keys_of({4}), 0, 0).train.size() == 4);
  CHECK_THROWS_WITH(common::grouped_rows(keys_of({4}), 2, 0), ContainsSubstring("all rows are of one group"));
}

TEST_CASE("folds by groups share no group, and are of like size") {
  const RowKeys keys = keys_of({7, 6, 5, 5, 4, 3, 3, 2, 1});
  std::vector<int> validated(keys.of.size());
  for (int64_t fold = 0; fold < 3; ++fold) {
    const SplitRows rows = common::grouped_fold(keys, 3, fold, 1);
    check_whole(rows, keys.of.size());
    CHECK(rows.val.size() >= 11);
    CHECK(rows.val.size() <= 13);
    const std::set<uint32_t> train = keys_in(rows.train, keys);
    for (const uint32_t key : keys_in(rows.val, keys)) CHECK(train.count(key) == 0);
    for (const uint32_t row : rows.val) ++validated[row];
  }
  CHECK(validated == std::vector<int>(keys.of.size(), 1));
  CHECK_THROWS_WITH(common::grouped_fold(keys_of({4, 5}), 3, 0, 0),
                    ContainsSubstring("--data.folds 3 needs as many groups, and --data.group gives 2"));
}
