// The queue of a job's driver: order by weight, and results that come before their task is handed out.
#include "tasks/driver/waiting_tasks.hpp"

#include "catch.hpp"

using namespace levin::core::tasks;

namespace {

WaitingTask task(uint64_t index, double weight = 1, uint32_t needs = 0) { return {index, weight, 0, {}, needs}; }

std::vector<uint64_t> drained(WaitingTasks& tasks) {
  std::vector<uint64_t> out;
  for (auto groups = tasks.in_order(); !groups.empty(); groups = tasks.in_order())
    out.push_back(WaitingTasks::take_next(*groups.front()).index);
  return out;
}

}  // namespace

TEST_CASE("the heaviest task of all groups starts first, and the first of equal weights") {
  WaitingTasks tasks({"", "cpus=1 gpus=1"}, {task(3, 5), task(0), task(2), task(1, 7, 1), task(4, 1, 1)});
  CHECK(drained(tasks) == std::vector<uint64_t>{1, 3, 0, 2, 4});
  CHECK(tasks.empty());
}

TEST_CASE("a task whose result has come is not handed out") {
  WaitingTasks tasks({""}, {task(0), task(1), task(2)});
  tasks.add_at(WaitingTasks::Clock::now() + std::chrono::hours(1), task(3));
  CHECK(tasks.remove(1)->index == 1);
  CHECK_FALSE(tasks.remove(1));
  CHECK(tasks.remove(3)->index == 3);
  CHECK(tasks.remove(0)->index == 0);
  CHECK(tasks.groups()[0].tasks.back().index == 2);
  CHECK(drained(tasks) == std::vector<uint64_t>{2});
  CHECK(tasks.empty());
}

TEST_CASE("a task waits for the time of its next attempt, and counts as waiting until then") {
  WaitingTasks tasks({""}, {});
  tasks.add_at(WaitingTasks::Clock::now() - std::chrono::seconds(1), task(5));
  tasks.add_at(WaitingTasks::Clock::now() + std::chrono::hours(1), task(6));
  tasks.add_due();
  CHECK(drained(tasks) == std::vector<uint64_t>{5});
  CHECK_FALSE(tasks.empty());
}

TEST_CASE("all tasks of a group are taken at once, without those that were removed") {
  WaitingTasks tasks({""}, {task(0), task(1), task(2)});
  tasks.remove(1);
  const std::vector<WaitingTask> taken = WaitingTasks::take_all(tasks.groups()[0]);
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].index == 2);
  CHECK(taken[1].index == 0);
  CHECK(tasks.empty());
}
