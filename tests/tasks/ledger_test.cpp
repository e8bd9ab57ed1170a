// The ledger of a job: states of tasks, late duplicates, and what a killed driver leaves.
#include "tasks/ledger/ledger.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tasks/driver/progress.hpp"
#include "temp_folder.hpp"

using namespace levin::core::tasks;

namespace {

void add_tasks(Ledger& ledger, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) ledger.add(i, {"t" + std::to_string(i), "", i == 2 ? 9.0 : 1.0}, {i * 10, 10});
}

}  // namespace

TEST_CASE("tasks wait, heaviest first, until they are done") {
  const TempFolder folder;
  Ledger ledger(folder.path() / "ledger.db");
  add_tasks(ledger, 4);
  const auto waiting = ledger.waiting();
  REQUIRE(waiting.size() == 4);
  CHECK((waiting[0].index == 2 && waiting[1].index == 0 && waiting[3].index == 3));
  CHECK((waiting[1].data.offset == 0 && waiting[3].data.offset == 30));
  CHECK(ledger.finish({1, 1, "w", 0.5}, {100, 5}));
  ledger.fail({0, 1, "w", 0}, "it failed", false);
  ledger.fail({3, 3, "w", 0}, "poison", true);
  CHECK(ledger.waiting().size() == 2);
  const TaskCounts counts = ledger.counts();
  CHECK((counts.all == 4 && counts.done == 1 && counts.failed == 1 && counts.weight == 12 && counts.weight_done == 1));
  CHECK(ledger.results_end() == 105);
  ledger.retry_failed();
  CHECK(ledger.waiting().size() == 3);
  CHECK(ledger.waiting().back().attempts == 0);
}

TEST_CASE("a late duplicate changes nothing") {
  const TempFolder folder;
  Ledger ledger(folder.path() / "ledger.db");
  add_tasks(ledger, 1);
  CHECK(ledger.finish({0, 1, "first", 1}, {0, 5}));
  CHECK_FALSE(ledger.finish({0, 2, "second", 2}, {5, 7}));
  ledger.fail({0, 2, "second", 0}, "late", true);
  int results = 0;
  ledger.each_result([&](uint64_t index, Place, Place result) {
    ++results;
    CHECK((index == 0 && result.offset == 0 && result.size == 5));
  });
  CHECK(results == 1);
  ledger.each_task([](const TaskRow& task) {
    CHECK((task.state == TaskState::done && task.worker == "first" && task.error.empty() && task.name == "t0"));
  });
}

TEST_CASE("tasks with the same needs have the same place") {
  const TempFolder folder;
  Ledger ledger(folder.path() / "ledger.db");
  ledger.add(0, {"a", "", 1, "gpus=1"}, {});
  ledger.add(1, {"b", "", 2, ""}, {});
  ledger.add(2, {"c", "", 3, "gpus=1"}, {});
  CHECK(ledger.needs() == std::vector<std::string>{"", "gpus=1"});
  const auto waiting = ledger.waiting();
  REQUIRE(waiting.size() == 3);
  CHECK((waiting[0].needs == 1 && waiting[1].needs == 0 && waiting[2].needs == 1));
  ledger.note_waiting("gpus=1", "no worker has it");
  ledger.finish({0, 1, "w", 1}, {0, 1});
  ledger.each_task([](const TaskRow& task) { CHECK((task.error.empty() != (task.index == 2))); });
}

TEST_CASE("changes that were not committed are gone, and the others stay") {
  const TempFolder folder;
  const auto path = folder.path() / "ledger.db";
  {
    Ledger ledger(path);
    add_tasks(ledger, 2);
    ledger.set("state", "running");
    ledger.begin();
    ledger.finish({0, 1, "w", 1}, {0, 5});
    ledger.commit();
    ledger.begin();
    ledger.finish({1, 1, "w", 1}, {5, 5});
  }
  Ledger reader(path, true);
  CHECK(reader.counts().done == 1);
  CHECK(reader.get("state") == "running");
  CHECK(reader.get("other").empty());
  CHECK_THROWS_WITH(Ledger(folder.path() / "no" / "ledger.db"), ContainsSubstring("cannot be opened"));
}

TEST_CASE("the line of progress fits into 79 columns") {
  TaskCounts now;
  now.all = 12345678901;
  now.weight = 1e12;
  Progress progress(now, false);
  now.done = 1234567890, now.failed = 123456789, now.weight_done = 1;
  CHECK(progress.line(now, 100000).size() <= 79);
  CHECK(progress.line({100, 0, 0, 100, 0}, 2) == "tasks 0/100, 2 running, 0 failed");
}
