// Stratified and grouped splits of CSV files.
#include <set>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::testing::Options;

namespace {

using Row = std::vector<double>;  // its inputs, then the target

class SplitCsv {
 public:
  explicit SplitCsv(const Options& options) : data_(host_, "csv", options) {
    levin::testing::setup(data_, levin::Stage::fit);
  }
  std::vector<Row> rows(Split split) {
    const int64_t n = levin::testing::describe(data_, split).rows;
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < n; ++i) indices.push_back(i);
    const levin::testing::Rows filled = levin::testing::fill(data_, split, indices);
    const int64_t width = filled.shapes[0][1];
    std::vector<Row> rows(indices.size());
    for (int64_t i = 0; i < n * width; ++i) rows[static_cast<size_t>(i / width)].push_back(filled.at(0, i));
    for (int64_t i = 0; i < n; ++i) rows[static_cast<size_t>(i)].push_back(filled.at(1, i));
    return rows;
  }
  int of_class(Split split, double label) {
    int n = 0;
    for (const Row& row : rows(split)) n += row.back() == label;
    return n;
  }

 private:
  levin::testing::FakeHost host_;
  levin::testing::Component data_;
};

// 40 rows, of which 8 are rare; patient 0 to 9 has 4 rows.
std::string patients() {
  std::string text = "number,patient,class\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i) + ",p" + std::to_string(i % 10) + (i % 5 == 0 ? ",rare\n" : ",common\n");
  return text;
}

}  // namespace

TEST_CASE("csv gives each class the same share of training, validation and test rows") {
  const TempFolder folder;
  const std::string file = folder.write("p.csv", patients());
  for (const int seed : {0, 1, 2}) {
    SplitCsv data({{"file", file},
                   {"target", "class"},
                   {"ignore", "patient"},
                   {"stratify", true},
                   {"split_seed", seed},
                   {"test_fraction", 0.25},
                   {"val_rows", 15}});
    for (const auto& [split, of_common, of_rare] :
         {std::tuple(Split::train, 12, 3), std::tuple(Split::val, 12, 3), std::tuple(Split::test, 8, 2)}) {
      CHECK(data.of_class(split, 0) == of_common);
      CHECK(data.of_class(split, 1) == of_rare);
    }
  }
  SplitCsv fold(
      {{"file", file}, {"target", "class"}, {"ignore", "patient"}, {"stratify", true}, {"folds", 4}, {"fold", 3}});
  CHECK(fold.of_class(Split::val, 0) == 8);
  CHECK(fold.of_class(Split::val, 1) == 2);
}

TEST_CASE("csv keeps the rows of a group in one split, and the column of groups is no input") {
  const TempFolder folder;
  const std::string file = folder.write("p.csv", patients());
  const auto patients_in = [](const std::vector<Row>& rows) {
    std::set<int> found;
    for (const Row& row : rows) {
      REQUIRE(row.size() == 2);  // the number and the class
      found.insert(static_cast<int>(row[0]) % 10);
    }
    return found;
  };
  SplitCsv data({{"file", file},
                 {"target", "class"},
                 {"group", "patient"},
                 {"normalize", "none"},
                 {"test_fraction", 0.2},
                 {"val_fraction", 0.25}});
  std::multiset<int> seen;
  for (const auto& [split, n] : {std::pair(Split::train, 24), std::pair(Split::val, 8), std::pair(Split::test, 8)}) {
    const std::vector<Row> rows = data.rows(split);
    CHECK(rows.size() == static_cast<size_t>(n));
    for (const int patient : patients_in(rows)) seen.insert(patient);
  }
  CHECK(seen == std::multiset<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  SplitCsv fold({{"file", file}, {"target", "class"}, {"group", "1"}, {"normalize", "none"}, {"folds", 5}});
  CHECK(patients_in(fold.rows(Split::val)).size() == 2);
}

TEST_CASE("csv takes the rows that lists number") {
  const TempFolder folder;
  const std::string file = folder.write("n.csv", "x,y\n0,1\n,1\n2,1\n3,1\n4,1\n");
  const auto options_of = [&](std::initializer_list<Options::Item> more) {
    Options options(
        {{"file", file}, {"target", "y"}, {"task", "regression"}, {"normalize", "none"}, {"normalize_target", false}});
    for (const Options::Item& item : more) options.set(item);
    return options;
  };
  SplitCsv data(options_of({{"missing_numbers", "drop"}, {"val_list", folder.write("val", "3\n2\n")}}));
  CHECK(data.rows(Split::val) == std::vector<Row>{{2, 1}, {3, 1}});
  CHECK(data.rows(Split::train) == std::vector<Row>{{0, 1}, {4, 1}});
  CHECK_THROWS_WITH(SplitCsv(options_of({{"missing_numbers", "drop"}, {"val_list", folder.write("val", "1\n")}})),
                    ContainsSubstring("val:1: there is no row 1, or it is left out"));
  CHECK_THROWS_WITH(SplitCsv(options_of({{"window", 2}, {"val_list", folder.write("val", "0\n")}})),
                    ContainsSubstring("--data.val_list " + folder.file("val") + ": "));
  const std::string ragged = folder.write("r.csv", "x,y\n0,1\n1\n2,1\n3,1\n");
  CHECK_THROWS_WITH(
      SplitCsv(options_of({{"file", ragged}, {"damaged", "skip"}, {"val_list", folder.write("val", "0\n")}})),
      ContainsSubstring("the rows have no sure numbers, because ") && ContainsSubstring("r.csv:3"));
}

TEST_CASE("csv refuses a split by classes or groups that the file does not allow") {
  const TempFolder folder;
  const std::string file = folder.write("p.csv", patients());
  const auto refused = [&](std::initializer_list<Options::Item> more) {
    Options options({{"file", file}, {"target", "class"}});
    for (const Options::Item& item : more) options.set(item);
    return SplitCsv(options);
  };
  CHECK_THROWS_WITH(refused({{"stratify", true}, {"folds", 9}}),
                    ContainsSubstring("class 'rare' has 8 rows, and --data.folds 9 needs"));
  CHECK_THROWS_WITH(refused({{"group", "person"}}),
                    ContainsSubstring("--data.group: ") &&
                        ContainsSubstring("has no column 'person'; its columns are number, patient, class"));
  CHECK_THROWS_WITH(refused({{"group", "class"}}), ContainsSubstring("--data.group class is the target"));
  CHECK_THROWS_WITH(refused({{"group", "patient"}, {"folds", 11}}),
                    ContainsSubstring("--data.folds 11 needs as many groups, and --data.group gives 10"));
  CHECK_THROWS_WITH(refused({{"group", "patient"}, {"stratify", true}}),
                    ContainsSubstring("--data.stratify true and --data.group patient exclude each other"));
  CHECK_THROWS_WITH(refused({{"group", "patient"}, {"val_file", file}}),
                    ContainsSubstring("--data.group patient and --data.val_file " + file + " exclude each other"));
  CHECK_THROWS_WITH(refused({{"stratify", true}, {"target", "number"}}),
                    ContainsSubstring("--data.stratify needs classes, and the target 'number' is a number"));
  CHECK_THROWS_WITH(
      SplitCsv({{"file", folder.write("g.csv", "x,g,y\n1,a,p\n2,,q\n")}, {"target", "y"}, {"group", "g"}}),
      ContainsSubstring("g.csv:3: the column 'g' of --data.group has no value"));
}
