#include "callbacks/metrics_table/table.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace metrics_table_test {
using levin::metrics_table::Metrics;
using levin::metrics_table::of_the_epoch;
using levin::metrics_table::Table;
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("the table shows what was logged by epoch") {
  const Metrics all = {{"loss_step", 1}, {"loss_epoch", 2}, {"lr_step", 3},
                       {"acc", 4},       {"acc_epoch", 4},  {"acc_step", 5}};
  CHECK(of_the_epoch(all) == Metrics{{"loss_epoch", 2}, {"lr_step", 3}, {"acc", 4}});
}

TEST_CASE("the head comes first, every few rows and when the columns change") {
  Table table(2);
  CHECK(table.row(0, 1.25, {{"val_loss", 0.5}}) ==
        " epoch   seconds    val_loss\n"
        "     0       1.2         0.5");
  CHECK(table.row(1, 1, {{"val_loss", 0.25}}) == "     1       1.0        0.25");
  CHECK_THAT(table.row(2, 1, {{"val_loss", 0.25}}), ContainsSubstring("epoch"));
  CHECK_THAT(table.row(3, 1, {{"val_acc", 0.25}}), ContainsSubstring("val_acc"));
}

TEST_CASE("a row that is longer than the terminal is wide takes several lines, as its head does") {
  Table table(2);
  CHECK(table.row(1, 1.25, {{"train_loss", 0.5}, {"val_loss", 0.25}}, 39) ==
        " epoch   seconds  train_loss\n"
        "         val_loss\n"
        "     1       1.2         0.5\n"
        "             0.25");
}

TEST_CASE("metrics_table prints one row an epoch") {
  FakeHost host;
  Component c(host, "metrics_table");
  host.set_metric("val_loss", 0.5);
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    host.at(epoch, epoch);
    c.send(LEVIN_HOOK_TRAIN_EPOCH_START);
    c.send(LEVIN_HOOK_TRAIN_EPOCH_END);
  }
  REQUIRE(host.printed.size() == 2);
  CHECK_THAT(host.printed[0],
             ContainsSubstring("val_loss") && ContainsSubstring("\n     1 ") && ContainsSubstring("0.5"));
  CHECK_THAT(host.printed[1], !ContainsSubstring("val_loss"));
}

TEST_CASE("a fit that goes on inside an epoch shows the seconds since it went on") {
  FakeHost host;
  Component c(host, "metrics_table");
  host.numbers["time_train_seconds"] = 100;
  c.send(LEVIN_HOOK_TRAIN_START);
  host.numbers["time_train_seconds"] = 102.5;
  c.send(LEVIN_HOOK_TRAIN_EPOCH_END);
  REQUIRE(host.printed.size() == 1);
  CHECK_THAT(host.printed[0], ContainsSubstring(" 2.5"));
}

}  // namespace metrics_table_test
