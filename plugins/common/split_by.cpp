#include "split_by.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "levin/error.hpp"
#include "mixed.hpp"

namespace common {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw levin::Error(LEVIN_E_INVALID, what); }

int64_t size_of(const RowKeys& keys) { return static_cast<int64_t>(keys.of.size()); }

// Returns the number of rows of each key.
std::vector<int64_t> counts_of(const RowKeys& keys) {
  std::vector<int64_t> counts(keys.names.size());
  for (const uint32_t key : keys.of) ++counts[key];
  return counts;
}

void check_classes(const RowKeys& classes, int64_t least, const std::string& needs) {
  const std::vector<int64_t> counts = counts_of(classes);
  for (size_t c = 0; c < counts.size(); ++c)
    if (counts[c] > 0 && counts[c] < least)
      refuse("--data.stratify: class '" + classes.names[c] + "' has " + std::to_string(counts[c]) +
             (counts[c] == 1 ? " row" : " rows") + ", and " + needs);
}

void check_sizes(const RowKeys& classes, int64_t n_val) {
  const std::vector<int64_t> counts = counts_of(classes);
  const int64_t used = std::count_if(counts.begin(), counts.end(), [](int64_t n) { return n > 0; });
  const int64_t n_train = size_of(classes) - n_val;
  if (std::min(n_val, n_train) < used)
    refuse("--data.stratify: the split has " + std::to_string(n_train) + " and " + std::to_string(n_val) +
           " rows, and each part needs a row of each of the " + std::to_string(used) + " classes");
}

// Returns the rows class by class, in random order within a class.
std::vector<uint32_t> order_by_class(const RowKeys& classes, uint64_t seed) {
  std::vector<uint32_t> order = random_order(size_of(classes), size_of(classes), seed);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return classes.of[a] < classes.of[b]; });
  return order;
}

// Puts the chosen rows into the validation, and the others into the training.
SplitRows split_by(const std::vector<bool>& chosen) {
  SplitRows rows;
  for (uint32_t row = 0; row < chosen.size(); ++row) (chosen[row] ? rows.val : rows.train).push_back(row);
  return rows;
}

// Returns the rows whose groups are chosen.
SplitRows split_groups(const RowKeys& groups, const std::vector<bool>& chosen) {
  std::vector<bool> rows(groups.of.size());
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = chosen[groups.of[row]];
  return split_by(rows);
}

// Returns the groups that have rows, in random order.
std::vector<uint32_t> random_groups(const std::vector<int64_t>& counts, uint64_t seed) {
  const auto n = static_cast<int64_t>(counts.size());
  std::vector<uint32_t> order = random_order(n, n, seed);
  order.erase(std::remove_if(order.begin(), order.end(), [&](uint32_t g) { return counts[g] == 0; }), order.end());
  return order;
}

}  // namespace

RowKeys RowKeys::at(const std::vector<uint32_t>& rows) const {
  RowKeys some{{}, names};
  if (of.empty()) return some;
  for (const uint32_t row : rows) some.of.push_back(of[row]);
  return some;
}

RowKeys keys_of(const std::vector<std::string>& groups) {
  RowKeys keys;
  std::map<std::string, uint32_t> known;
  for (const std::string& group : groups) {
    const auto [at, is_new] = known.emplace(group, static_cast<uint32_t>(known.size()));
    if (is_new) keys.names.push_back(group);
    keys.of.push_back(at->second);
  }
  return keys;
}

// A systematic sample: of the rows in their order by class every (n / n_val)-th one is chosen.
SplitRows stratified_rows(const RowKeys& classes, int64_t n_val, uint64_t seed) {
  std::vector<bool> chosen(classes.of.size());
  if (n_val == 0) return split_by(chosen);
  check_classes(classes, 2, "needs at least 2, for both sides of a split");
  check_sizes(classes, n_val);
  const auto n = static_cast<uint64_t>(size_of(classes));
  uint64_t sum = mixed(seed) % n;
  for (const uint32_t row : order_by_class(classes, seed)) {
    sum += static_cast<uint64_t>(n_val);
    if (sum < n) continue;
    sum -= n;
    chosen[row] = true;
  }
  return split_by(chosen);
}

SplitRows stratified_fold(const RowKeys& classes, int64_t folds, int64_t fold, uint64_t seed) {
  check_classes(classes, folds, "--data.folds " + std::to_string(folds) + " needs a row of each class in each fold");
  std::vector<bool> chosen(classes.of.size());
  int64_t dealt = 0;
  for (const uint32_t row : order_by_class(classes, seed)) chosen[row] = dealt++ % folds == fold;
  return split_by(chosen);
}

SplitRows grouped_rows(const RowKeys& groups, int64_t n_val, uint64_t seed) {
  const std::vector<int64_t> counts = counts_of(groups);
  std::vector<bool> chosen(counts.size());
  if (n_val == 0) return split_groups(groups, chosen);
  const std::vector<uint32_t> order = random_groups(counts, seed);
  if (order.size() < 2) refuse("--data.group: all rows are of one group, and a split needs at least 2");
  int64_t sum = 0;
  for (const uint32_t group : order) {
    if (2 * (n_val - sum) < counts[group] || sum + counts[group] == size_of(groups)) continue;
    chosen[group] = true;
    sum += counts[group];
  }
  if (sum == 0)
    chosen[*std::min_element(order.begin(), order.end(),
                             [&](uint32_t a, uint32_t b) { return counts[a] < counts[b]; })] = true;
  return split_groups(groups, chosen);
}

SplitRows grouped_fold(const RowKeys& groups, int64_t folds, int64_t fold, uint64_t seed) {
  const std::vector<int64_t> counts = counts_of(groups);
  std::vector<uint32_t> order = random_groups(counts, seed);
  if (static_cast<int64_t>(order.size()) < folds)
    refuse("--data.folds " + std::to_string(folds) + " needs as many groups, and --data.group gives " +
           std::to_string(order.size()));
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return counts[a] > counts[b]; });
  std::vector<int64_t> sums(static_cast<size_t>(folds));
  std::vector<bool> chosen(counts.size());
  for (const uint32_t group : order) {
    const auto lightest = std::min_element(sums.begin(), sums.end());
    *lightest += counts[group];
    chosen[group] = lightest - sums.begin() == fold;
  }
  return split_groups(groups, chosen);
}

}  // namespace common
