#include "callbacks/gradient_accumulation_scheduler/schedule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

using namespace levin::gradient_accumulation_scheduler;
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("a schedule holds from its epoch on") {
  const Schedule schedule = parse_schedule("{\"2\": 4, \"5\":8}");
  const int64_t expected[] = {1, 1, 4, 4, 4, 8, 8};
  for (int64_t epoch = 0; epoch < 7; ++epoch) CHECK(factor_of(schedule, epoch) == expected[epoch]);
}

TEST_CASE("a schedule that makes no sense is refused") {
  for (const char* json : {"{}", "{\"-1\": 2}", "{\"1\": 0}", "{\"1\": 1.5}", "{\"x\": 2}", "[1]"})
    CHECK_THROWS_WITH(parse_schedule(json), ContainsSubstring(json));
}

TEST_CASE("gradient_accumulation_scheduler sets the trainer's number at the start of an epoch") {
  FakeHost host;
  Component c(host, "gradient_accumulation_scheduler", {{"scheduling", "{\"1\": 3}"}});
  c.send(LEVIN_HOOK_FIT_START);
  host.at(1, 4);
  c.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  CHECK(host.numbers["accumulate_grad_batches"] == 3);
  CHECK_THROWS_WITH(c.send(LEVIN_HOOK_FIT_START), ContainsSubstring("trainer.accumulate_grad_batches"));
}
