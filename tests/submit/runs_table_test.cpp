#include "host/runs/runs_table.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

namespace {

RunRow row(const std::string& name, const std::string& lr, double loss) {
  RunRow out;
  out.name = name;
  out.state = RunState::done;
  out.values = {{"model.lr", lr}};
  out.metrics = {{"val_loss", loss}};
  out.best = loss;
  out.monitor = "val_loss";
  return out;
}

std::string order(const std::vector<RunRow>& rows) {
  std::string out;
  for (const RunRow& r : rows) out += r.name;
  return out;
}

}  // namespace

TEST_CASE("runs are sorted by any column, those without a value last") {
  std::vector<RunRow> rows = {row("a", "0.1", 3), row("b", "0.01", 20), row("c", "1e-3", 1)};
  RunRow waiting;
  waiting.name = "w";
  waiting.state = RunState::waiting;
  rows.insert(rows.begin(), waiting);
  sort_runs(rows, "val_loss");
  CHECK(order(rows) == "cabw");
  sort_runs(rows, "model.lr");
  CHECK(order(rows) == "cbaw");
  for (RunRow& r : rows) r.larger_is_better = true;
  sort_runs(rows, "best");
  CHECK(order(rows) == "bacw");
  CHECK_THROWS_WITH(sort_runs(rows, "val_los"), ContainsSubstring("did you mean 'val_loss'?"));
}

TEST_CASE("a table has the grid's options, and a line for what went wrong") {
  std::vector<RunRow> rows = {row("version_0", "0.1", 0.5), row("version_1", "0.01", 0.25)};
  rows[1].state = RunState::failed;
  rows[1].problem = "the loss is nan\nmore";
  CHECK(runs_table(rows, "") ==
        "run        state   model.lr  epoch  step  best val_loss  val_loss\n"
        "version_0  done    0.1                    0.5            0.5\n"
        "version_1  failed  0.01                   0.25           0.25\n"
        "version_1: failed: the loss is nan\n");
  rows[1].folder = "levin_logs/version_1";
  rows[1].checkpoint = "levin_logs/version_1/checkpoints/last.ckpt";
  CHECK_THAT(runs_table(rows, ""),
             ContainsSubstring("version_1: failed: the loss is nan; host resume levin_logs/version_1 "
                               "continues from its last checkpoint\n"));
}

TEST_CASE("a table fits a narrow terminal, and says which columns it has no room for") {
  std::vector<RunRow> rows = {row("version_0", "0.1", 0.5)};
  rows[0].epoch = 2;
  rows[0].step = 12;
  CHECK(runs_table(rows, "", 60) ==
        "run        state  model.lr  epoch  step  best val_loss\n"
        "version_0  done   0.1       3      12    0.5\n"
        "No room for: val_loss; --json has all\n");
  CHECK(runs_table(rows, "val_loss", 40) ==
        "run        state  best val_loss  val_loss\n"
        "version_0  done   0.5            0.5\n"
        "No room for: model.lr, epoch, step; --json has all\n");
  CHECK(runs_table(rows, "", 0) ==
        "run        state  model.lr  epoch  step  best val_loss  val_loss\n"
        "version_0  done   0.1       3      12    0.5            0.5\n");
}
