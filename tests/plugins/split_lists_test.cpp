// Splits by lists of rows: RowLists, and what each kind of data calls its rows.
#include "plugins/common/split_lists.hpp"

#include "catch.hpp"
#include "data_driver.hpp"
#include "levin/error.hpp"
#include "npy_files.hpp"
#include "temp_folder.hpp"

using common::ListedRows;
using common::RowLists;
using common::RowNames;
using levin::testing::Options;
using Places = std::vector<uint32_t>;

TEST_CASE("a list names rows by number, in any order, with blank lines and repetitions") {
  const TempFolder folder;
  const RowLists lists{"", folder.write("val", "3\n\n 1 \r\n3\n"), folder.write("test", "0")};
  const ListedRows rows = lists.rows(5, {});
  CHECK(rows.train.empty());
  CHECK(rows.val == Places{1, 3});
  CHECK(rows.test == Places{0});
  CHECK(lists.rows(3, [] { return RowNames{{}, {0, 1, 3}}; }).val == Places{1, 2});  // row 2 is left out
}

TEST_CASE("a list names rows by path, with or without the ending") {
  const TempFolder folder;
  struct File {
    std::string path;
  };
  const std::vector<File> files = {{"/data/a/1.png"}, {"/data/a/1"}, {"/data/b/2.x.jpg"}, {"/data/c.jpg"}};
  const auto names = [&] { return common::names_below("/data", files, &File::path); };
  const auto of = [&](const std::string& text) {
    return RowLists{folder.write("l", text), "", ""}.rows(4, names).train;
  };
  CHECK(of("b/2.x\n./c.jpg") == Places{2, 3});
  CHECK(of("a/1") == Places{1});  // a whole name is meant first
  CHECK(of("a//1.png") == Places{0});
}

TEST_CASE("what no list can say is refused with its line") {
  const TempFolder folder;
  const RowNames names{{"a/1.png", "a/1.jpg", "b.png"}, {}};
  const auto refused = [&](const std::string& text, const RowNames& of, const std::string& message) {
    CHECK_THROWS_WITH((RowLists{"", folder.write("l", text), ""}.rows(3, [&of = of] { return of; })),
                      ContainsSubstring(message));
  };
  refused("b\nc\n", names,
          "/l:2: no row is named 'c'; a row is named by its path in the folder of the data, such as 'a/1.png'");
  refused("a/1\n", names, "/l:1: 'a/1' names several rows");
  refused("3\n", {}, "/l:1: there is no row 3; the rows are numbered from 0 to 2");
  refused("99999999999\n", {}, "/l:1: '99999999999' is no number of a row");
  refused("-1\n", {}, "/l:1: '-1' is no number of a row");
  refused("1 2\n", {}, "/l:1: '1 2' is no number of a row");
  refused("2\n", {{}, {0, 1, 3}}, "/l:1: there is no row 2, or it is left out");
  refused("\n\n", {}, "/l names no row");
  const RowLists twice{"", folder.write("v", "0\n1\n"), folder.write("t", "2\n1\n")};
  CHECK_THROWS_WITH(twice.rows(3, {}), ContainsSubstring("/t:2: this row is also in " + folder.file("v") + ":2"));
  CHECK_THROWS_WITH((RowLists{folder.file("none"), "", ""}.rows(3, {})), ContainsSubstring("cannot open the list"));
}

TEST_CASE("lists choose rows of arrays, beside fractions of the others") {
  const TempFolder folder;
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < 30; ++i) numbers.push_back(i);
  const std::string x = folder.write("x.npy", npy_file("<i8", "(30,)", numbers));
  const std::string few = folder.write("few", "29\n7\n"),
                    some = folder.write("some", "0\n1\n2\n3\n4\n5\n6\n8\n9\n10\n");
  const auto opened = [&](std::initializer_list<Options::Item> more) {
    Options options({{"inputs", x}, {"targets", x}, {"task", "regression"}, {"mean", 0.0}, {"std", 1.0}});
    for (const Options::Item& item : more) options.set(item);
    return DataDriver("npy", options);
  };
  const auto of = [](DataDriver& data, uint32_t split) { return data.fill(split, data.all(split)).x; };
  DataDriver one = opened({{"val_list", few}});
  CHECK(of(one, LEVIN_VAL) == std::vector<float>{7, 29});
  CHECK(one.rows(LEVIN_TRAIN) == 28);
  DataDriver two = opened({{"val_list", few}, {"test_fraction", 0.25}});
  CHECK((two.rows(LEVIN_TRAIN) == 21 && two.rows(LEVIN_TEST) == 7));
  for (const float row : of(two, LEVIN_TEST)) CHECK((row != 7 && row != 29));
  DataDriver three = opened({{"train_list", some}, {"test_list", few}, {"val_fraction", 0.2}});
  CHECK(of(three, LEVIN_TEST) == std::vector<float>{7, 29});
  CHECK((three.rows(LEVIN_TRAIN) == 8 && three.rows(LEVIN_VAL) == 2));
  for (const float row : of(three, LEVIN_VAL)) CHECK((row <= 10 && row != 7));

  const std::string all = folder.write(
      "all",
      "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n");
  CHECK_THROWS_WITH(opened({{"val_list", all}}), ContainsSubstring("leave no row to train"));
  CHECK_THROWS_WITH(opened({{"val_list", few}, {"val_rows", 3}}),
                    ContainsSubstring("--data.val_rows 3 and --data.val_list " + few + " exclude each other"));
  CHECK_THROWS_WITH(opened({{"val_list", few}, {"stratify", true}}), ContainsSubstring("exclude each other"));
  CHECK_THROWS_WITH(opened({{"test_list", few}, {"test_fraction", 0.5}}), ContainsSubstring("exclude each other"));
  CHECK_THROWS_WITH(opened({{"train_list", few}, {"val_inputs", x}}), ContainsSubstring("exclude each other"));
  CHECK_THROWS_WITH(opened({{"test_list", few}, {"val_inputs", x}}), ContainsSubstring("takes training rows"));
}
