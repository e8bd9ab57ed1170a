// Rows of CSV files that cannot be used.
#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::testing::Options;

namespace {

// Lines 3, 4 and 6 are damaged.
constexpr const char* damaged_text =
    "number,kind,class\n1,a,p\n2,a\n3,\"a\"b,q\n4,b,q\noops,a,p\n6,b,q\n7,a,p\n8,b,p\n";

struct DamagedCsv {
  levin::testing::FakeHost host;
  levin::testing::Component data;
  explicit DamagedCsv(const Options& options) : data(host, "csv", options) {
    levin::testing::setup(data, levin::Stage::fit);
  }
  std::vector<double> numbers(Split split) {
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < levin::testing::describe(data, split).rows; ++i) indices.push_back(i);
    const levin::testing::Rows filled = levin::testing::fill(data, split, indices);
    std::vector<double> numbers;
    for (const int64_t i : indices) numbers.push_back(filled.at(0, i * filled.shapes[0][1]));
    return numbers;
  }
  std::string said() const {
    std::string text;
    for (const auto& message : host.messages) text += message.second + "\n";
    return text;
  }
};

}  // namespace

TEST_CASE("csv leaves damaged rows out, counts them and lists the first") {
  const TempFolder folder;
  const std::string file = folder.write("d.csv", damaged_text);
  const Options options(
      {{"file", file}, {"target", "class"}, {"normalize", "none"}, {"val_rows", 0}, {"damaged", "skip"}});
  DamagedCsv data(options);
  CHECK(data.numbers(Split::train) == std::vector<double>{1, 4, 6, 7, 8});
  CHECK_THAT(data.said(),
             ContainsSubstring("left out: 3 of 8 rows cannot be used:\n  " + file + ":3: 2 fields, where") &&
                 ContainsSubstring(file + ":4: text behind a closing quote") &&
                 ContainsSubstring(file + ":6: column 'number' is 'oops'"));
  Options with_test = options;
  with_test.set({"test_file", folder.write("t.csv", "number,kind,class\n1,a,p\n2,b,q,q\n3,a,q\n")});
  DamagedCsv both(with_test);
  CHECK(both.numbers(Split::test) == std::vector<double>{1, 3});
  CHECK_THAT(both.said(), ContainsSubstring("4 of 11 rows") && ContainsSubstring("t.csv:3: 4 fields"));

  std::string many = "number,class\n1,p\n2,q\n";
  for (int i = 0; i < 30; ++i) many += "cut\n";
  DamagedCsv long_list(
      {{"file", folder.write("m.csv", many)}, {"target", "class"}, {"val_rows", 0}, {"damaged", "skip"}});
  CHECK_THAT(long_list.said(), ContainsSubstring("30 of 32 rows") && ContainsSubstring("and 10 more"));
}

TEST_CASE("csv stops at the first damaged row, or after a check of all rows") {
  const TempFolder folder;
  const std::string file = folder.write("d.csv", damaged_text);
  const auto made = [&](const char* damaged) {
    DamagedCsv({{"file", file}, {"target", "class"}, {"damaged", damaged}});
  };
  CHECK_THROWS_WITH(made("stop"), ContainsSubstring("d.csv:3: 2 fields") && !ContainsSubstring("oops"));
  CHECK_THROWS_WITH(made("check"), ContainsSubstring("3 of 8 rows cannot be used") && ContainsSubstring("'oops'"));
  CHECK_THROWS_WITH(DamagedCsv({{"file", folder.write("o.csv", "x,y\n1,p\noops,q\n3,p\n4,q\n")}, {"target", "y"}}),
                    ContainsSubstring("--data.damaged skip leaves such rows out"));
  CHECK_THROWS_WITH(
      DamagedCsv({{"file", folder.write("q.csv", "x,y\n1,p\n2,\"q\n")}, {"target", "y"}, {"damaged", "skip"}}),
      ContainsSubstring("q.csv:3: a quote is opened here and never closed"));
}
