#include "callbacks/gradient_accumulation_scheduler/schedule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace gradient_accumulation_scheduler_test {
using namespace levin::gradient_accumulation_scheduler;
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("a schedule holds from its epoch on") {
  const Schedule schedule = parse_schedule("{\"2\": 4, \"5\":8}");
  const int64_t expected[] = {1, 1, 4, 4, 4, 8, 8};
  for (int64_t epoch = 0; epoch < 7; ++epoch) CHECK(factor_of(schedule, epoch) == expected[epoch]);
}

TEST_CASE("a schedule that makes no sense is refused") {
  for (const char* json :
       {"{}", "{\"-1\": 2}", "{\"1\": 0}", "{\"1\": 1.5}", "{\"x\": 2}", "[1]", "{\"1\": \"2\"}", "{\"1\": 2"})
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

TEST_CASE("a fit that goes on inside an epoch has that epoch's count") {
  FakeHost host;
  Component c(host, "gradient_accumulation_scheduler", {{"scheduling", "{\"1\": 3}"}});
  c.send(LEVIN_HOOK_FIT_START);
  host.at(2, 9);
  c.send(LEVIN_HOOK_TRAIN_START);
  CHECK(host.numbers["accumulate_grad_batches"] == 3);
}

TEST_CASE("several counts and a schedule by step do not go together") {
  struct Case {
    const char *scheduling, *interval;
    bool warned;
  };
  for (const Case& t : {Case{"{\"1\": 3}", "step", true}, Case{"{\"1\": 3}", "epoch", false},
                        Case{"{\"0\": 3}", "step", false}, Case{"{\"0\": 1, \"4\": 1.0}", "step", false}}) {
    FakeHost host;
    host.schedulers.push_back({0, "", t.interval});
    Component c(host, "gradient_accumulation_scheduler", {{"scheduling", t.scheduling}});
    c.send(LEVIN_HOOK_FIT_START);
    CHECK(host.messages.size() == t.warned);
    if (t.warned) CHECK_THAT(host.messages[0].second, ContainsSubstring("trainer.accumulate_grad_batches"));
  }
}

}  // namespace gradient_accumulation_scheduler_test
