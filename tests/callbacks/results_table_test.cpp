#include "callbacks/results_table/table.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace results_table_test {
using namespace levin::results_table;
using levin::Stage;

namespace {

std::string rule(size_t width) {
  std::string out;
  while (width-- > 0) out += "─";
  return out + "\n";
}

}  // namespace

TEST_CASE("results are a table of metrics by loader") {
  const auto columns = columns_of({{"b", 0.5}, {"a/dataloader_idx_0", 1}, {"a/dataloader_idx_1", 2}});
  CHECK(table(columns, "test", 80) + "\n" ==
        rule(80) + "       Test metric             DataLoader 0             DataLoader 1\n" + rule(80) +
            "            a                       1.0                      2.0\n"
            "            b                       0.5\n" +
            rule(80));
}

TEST_CASE("columns that do not fit go below") {
  const auto columns = columns_of({{"a/dataloader_idx_0", 1}, {"a/dataloader_idx_1", 2}, {"a/dataloader_idx_2", 3}});
  const std::string text = table(columns, "validate", 60);
  CHECK_THAT(text, ContainsSubstring("     Validate metric           DataLoader 0\n"));
  CHECK_THAT(text, ContainsSubstring("     Validate metric           DataLoader 2\n"));
  CHECK_THAT(table(columns, "test", 10), ContainsSubstring("DataLoader 2"));
}

TEST_CASE("a long name widens the columns") {
  const std::string name(40, 'x');
  CHECK_THAT(table(columns_of({{name, 1}}), "test", 100),
             ContainsSubstring("\n" + name + std::string(18, ' ') + "1.0\n"));
}

TEST_CASE("a name of more than half the width goes on below") {
  const std::string name = std::string(10, 'a') + std::string(10, 'b') + "cd";
  CHECK_THAT(table(columns_of({{name, 1}}), "test", 20),
             ContainsSubstring("\naaaaaaaaaa   1.0\nbbbbbbbbbb   1.0\n    cd\n"));
}

TEST_CASE("a row is named after the groups that its metric lies in, without its loader") {
  CHECK(row_name({"a"}) == "a");
  CHECK(row_name({"performance", "log:1", "x/dataloader_idx_2"}) == "performance:log:1:x");
  CHECK(row_name({"a/dataloader_idx_10"}) == "a");
  CHECK(cell_text(int64_t{5}) == "5");
  CHECK(cell_text(5.0) == "5.0");
}

TEST_CASE("nothing logged, nothing shown") {
  CHECK(table({}, "test", 80).empty());
  CHECK(table({{}}, "test", 80).empty());
}

TEST_CASE("results_table ends tests and validations, not the validations of a fit") {
  levin::testing::FakeHost host;
  host.set_metric("acc", 0.75, LEVIN_METRIC_RESULTS);
  host.set_metric("train_loss", 0.5);  // not a metric of this test
  levin::testing::Component results(host, "results_table", {{"width", 60}});
  results.send(LEVIN_HOOK_SETUP, Stage::fit);
  results.send(LEVIN_HOOK_VALIDATION_END, Stage::sanity);
  results.send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  CHECK(host.printed.empty());
  results.send(LEVIN_HOOK_SETUP, Stage::validate);
  results.send(LEVIN_HOOK_VALIDATION_END, Stage::validate);
  results.send(LEVIN_HOOK_TEST_END, Stage::test);
  REQUIRE(host.printed.size() == 2);
  CHECK_THAT(host.printed[0], ContainsSubstring("Validate metric"));
  CHECK_THAT(host.printed[1], ContainsSubstring("Test metric") && ContainsSubstring("0.75"));
  CHECK_THAT(host.printed[1], !ContainsSubstring("train_loss"));
}

}  // namespace results_table_test
