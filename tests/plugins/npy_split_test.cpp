// Stratified and grouped splits of NumPy arrays.
#include <set>

#include "catch.hpp"
#include "data_driver.hpp"
#include "npy_files.hpp"
#include "temp_folder.hpp"

using levin::testing::Options;

namespace {

// 30 rows of one input, the row; 24 of class 0 and 6 of class 1; groups of 3 rows.
struct SplitFiles {
  TempFolder folder;
  std::vector<int64_t> numbers, labels, groups;
  std::string x, y, g;
  SplitFiles() {
    for (int64_t i = 0; i < 30; ++i) {
      numbers.push_back(i);
      labels.push_back(i % 5 == 0);
      groups.push_back(100 + i / 3);
    }
    x = folder.write("x.npy", npy_file("<i8", "(30,)", numbers));
    y = folder.write("y.npy", npy_file("<i8", "(30,)", labels));
    g = folder.write("g.npy", npy_file("<i8", "(30,)", groups));
  }
  Options options(std::initializer_list<Options::Item> more) const {
    Options options({{"inputs", x}, {"targets", y}});
    for (const Options::Item& item : more) options.set(item);
    return options;
  }
};

}  // namespace

TEST_CASE("npy gives each class the same share of training, validation and test rows") {
  const SplitFiles files;
  const auto rare = [](DataDriver& data, uint32_t split) {
    int64_t n = 0;
    for (const int64_t label : data.fill(split, data.all(split)).y) n += label;
    return n;
  };
  DataDriver data("npy", files.options({{"stratify", true}, {"test_fraction", 1.0 / 3}, {"val_rows", 10}}));
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST}) {
    CHECK(data.rows(split) == 10);
    CHECK(rare(data, split) == 2);
  }
  DataDriver fold("npy", files.options({{"stratify", true}, {"folds", 6}, {"fold", 5}}));
  CHECK(rare(fold, LEVIN_VAL) == 1);
}

TEST_CASE("npy keeps the rows of a group in one split") {
  const SplitFiles files;
  std::multiset<int> seen;
  DataDriver data("npy", files.options({{"group", files.g}, {"test_fraction", 0.2}, {"val_rows", 9}}));
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST}) {
    std::set<int> groups;
    for (const float row : data.fill(split, data.all(split)).x) groups.insert(static_cast<int>(row) / 3);
    seen.insert(groups.begin(), groups.end());
  }
  CHECK(data.rows(LEVIN_VAL) == 9);
  CHECK(data.rows(LEVIN_TEST) == 6);
  CHECK(seen == std::multiset<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("npy refuses a split by classes or groups that the arrays do not allow") {
  const SplitFiles files;
  const auto refused = [&](std::initializer_list<Options::Item> more) { DataDriver("npy", files.options(more)); };
  CHECK_THROWS_WITH(refused({{"stratify", true}, {"folds", 7}}),
                    ContainsSubstring("class '1' has 6 rows, and --data.folds 7 needs"));
  CHECK_THROWS_WITH(
      refused({{"stratify", true}, {"task", "regression"}}),
      ContainsSubstring("--data.stratify needs classes, and the targets") && ContainsSubstring("y.npy are numbers"));
  CHECK_THROWS_WITH(refused({{"group", files.folder.file("none.npy")}}),
                    ContainsSubstring("none.npy cannot be opened"));
  CHECK_THROWS_WITH(refused({{"group", files.folder.write("s.npy", npy_file<int64_t>("<i8", "(2,)", {1, 2}))}}),
                    ContainsSubstring("s.npy is 2 of int64; groups are one number for each of the 30 rows"));
  std::vector<double> numbers(30);
  numbers[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(refused({{"group", files.folder.write("n.npy", npy_file("<f8", "(30,)", numbers))}}),
                    ContainsSubstring("has a group in row 4 that is NaN, infinite or beyond 2^53"));
  CHECK_THROWS_WITH(refused({{"group", files.g}, {"val_inputs", files.x}, {"val_targets", files.y}}),
                    ContainsSubstring("--data.group " + files.g + " and --data.val_inputs"));
}
