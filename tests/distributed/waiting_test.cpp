// How a process waits for others.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "core/distributed/pending_work.hpp"
#include "core/distributed/store/time_limit.hpp"

using namespace levin::core;
using std::chrono::milliseconds;

TEST_CASE("time in which the process did not look does not count as waiting") {
  TimeLimit limit(milliseconds(1000));
  std::this_thread::sleep_for(milliseconds(1100));  // as if the process had been stopped
  CHECK_FALSE(limit.is_over());
  while (!limit.is_over()) std::this_thread::sleep_for(milliseconds(20));
  limit.begin();
  CHECK_FALSE(limit.is_over());
}

TEST_CASE("a call that cannot be ended is left to itself when the process has to go on") {
  int answer = 0;
  watched_call([&] { answer = 42; }, [] {});
  CHECK(answer == 42);
  CHECK_THROWS_WITH(watched_call([] { throw std::runtime_error("of the call"); }, [] {}), "of the call");
  static std::atomic<bool> released{false}, ended{false};
  const auto endless = [] {
    while (!released) std::this_thread::yield();
    ended = true;
  };
  CHECK_THROWS_WITH(watched_call(endless, [] { throw std::runtime_error("of the look"); }), "of the look");
  CHECK_FALSE(ended);
  released = true;
  while (!ended) std::this_thread::yield();
}
