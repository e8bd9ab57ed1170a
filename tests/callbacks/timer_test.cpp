#include <cstring>

#include "callbacks/timer/stopwatch.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace timer_test {
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::timer::Stopwatch;

TEST_CASE("a stopwatch measures what lies between start and stop, over several runs") {
  Stopwatch watch(10.0);
  CHECK_FALSE(watch.expired(1000));
  watch.start(100);
  CHECK(watch.elapsed(104) == 4);
  CHECK(watch.remaining(104) == 6.0);
  watch.stop(105);
  CHECK(watch.elapsed(1000) == 5);
  watch.add(2);
  watch.start(1000);
  CHECK_FALSE(watch.expired(1002));
  CHECK(watch.expired(1003));
  CHECK_FALSE(Stopwatch({}).expired(1e9));
  CHECK_FALSE(Stopwatch({}).remaining(0).has_value());
}

TEST_CASE("timer stops once when its time is over, after a step or an epoch") {
  struct Case {
    const char* interval;
    uint32_t early, due;
  };
  for (const Case& c : {Case{"step", LEVIN_HOOK_TRAIN_EPOCH_END, LEVIN_HOOK_TRAIN_BATCH_END},
                        Case{"epoch", LEVIN_HOOK_TRAIN_BATCH_END, LEVIN_HOOK_TRAIN_EPOCH_END}}) {
    FakeHost host;
    Component timer(host, "timer", {{"duration", "\"00:00:00:00\""}, {"interval", c.interval}});
    timer.send(LEVIN_HOOK_TRAIN_START);
    timer.send(c.early);
    CHECK(host.stopped.empty());
    timer.send(c.due);
    timer.send(c.due);
    REQUIRE(host.stopped.size() == 1);
    CHECK_THAT(host.stopped[0], ContainsSubstring("Time limit of 0 s"));
  }
}

TEST_CASE("a resumed run has only the time that is left") {
  FakeHost host;
  levin::testing::State state;
  const double spent = 60;
  state.bytes["train_seconds"] = std::string(reinterpret_cast<const char*>(&spent), sizeof spent);
  Component timer(host, "timer", {{"duration", "{\"minutes\": 1}"}, {"verbose", false}});
  timer.send(LEVIN_HOOK_FIT_START);
  CHECK(host.stopped.empty());
  timer.load(state);
  timer.send(LEVIN_HOOK_FIT_START);
  REQUIRE(host.stopped.size() == 1);
  CHECK(host.stopped[0].empty());
}

TEST_CASE("timer keeps the time it has seen, and without a limit only measures") {
  FakeHost host;
  Component timer(host, "timer");
  timer.send(LEVIN_HOOK_FIT_START);
  timer.send(LEVIN_HOOK_TRAIN_START);
  timer.send(LEVIN_HOOK_TRAIN_BATCH_END);
  timer.send(LEVIN_HOOK_TRAIN_END);
  CHECK(host.stopped.empty());
  double seconds = -1;
  std::memcpy(&seconds, timer.save().bytes.at("train_seconds").data(), sizeof seconds);
  CHECK(seconds >= 0);
}

TEST_CASE("a duration that cannot be read is refused") {
  FakeHost host;
  CHECK_THROWS_WITH(Component(host, "timer", {{"duration", "\"soon\""}}), ContainsSubstring("DD:HH:MM:SS"));
}

}  // namespace timer_test
