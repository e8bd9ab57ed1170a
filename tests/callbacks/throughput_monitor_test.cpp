#include <chrono>
#include <thread>

#include "callbacks/throughput_monitor/throughput.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace throughput_monitor_test {
using namespace levin::throughput_monitor;

namespace {

double rate(const Rates& rates, const std::string& name) {
  for (const auto& [key, value] : rates)
    if (key == name) return value;
  return -1;
}

}  // namespace

TEST_CASE("rates are those of the window") {
  Throughput throughput({100.0, 4, 2, "/"});
  throughput.update({2, 1, 2, 10, 20.0});
  CHECK(rate(throughput.compute(), "device/batches_per_sec") == -1);
  throughput.update({4, 2, 4, 20, 20.0});
  const Rates rates = throughput.compute();
  CHECK(rate(rates, "device/batches_per_sec") == 0.5);
  CHECK(rate(rates, "samples_per_sec") == 4);
  CHECK(rate(rates, "items_per_sec") == 20);
  CHECK(rate(rates, "device/mfu") == Approx(0.1));
}

TEST_CASE("totals only grow") {
  Throughput throughput({});
  throughput.update({2, 1, 2, {}, {}});
  CHECK_THROWS(throughput.update({1, 2, 4, {}, {}}));
  CHECK_THROWS(throughput.update({3, 2, 4, 10, {}}));
  CHECK_THROWS(Throughput({{}, 1, 1, "/"}));
}

TEST_CASE("a validation is no training time") {
  using levin::testing::Component;
  levin::testing::FakeHost host;
  Component c(host, "throughput_monitor");
  const levin_batch batch{sizeof batch, 0, nullptr, nullptr, 8, nullptr};
  levin_event event = host.event(LEVIN_HOOK_TRAIN_BATCH_END);
  event.batch = &batch;
  c.send(LEVIN_HOOK_TRAIN_START);
  c.send(LEVIN_HOOK_VALIDATION_START, levin::Stage::validate);
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  c.send(LEVIN_HOOK_VALIDATION_END, levin::Stage::validate);
  const std::chrono::duration<double> validated = std::chrono::steady_clock::now() - start;
  c.send(event);
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  CHECK(host.calls == std::vector<std::string>{"synchronize"});  // before the clock is read
  REQUIRE(host.logged_now.size() == 1);
  CHECK(host.logged_now[0].values.at("train/time") > 0);
  CHECK(host.logged_now[0].values.at("train/time") < all.count() - validated.count() + 0.1);
}

TEST_CASE("totals and rates go on after a resume") {
  using levin::testing::Component;
  levin::testing::FakeHost host;
  const levin_batch batch{sizeof batch, 0, nullptr, nullptr, 8, nullptr};
  levin_event event = host.event(LEVIN_HOOK_TRAIN_BATCH_END);
  event.batch = &batch;
  Component first(host, "throughput_monitor", {{"window_size", 3}});
  first.send(LEVIN_HOOK_TRAIN_START);
  for (int i = 0; i < 4; ++i) first.send(event);
  const auto state = first.save();
  Component second(host, "throughput_monitor", {{"window_size", 3}});
  second.load(state);
  CHECK(second.save().bytes == state.bytes);
  second.send(LEVIN_HOOK_TRAIN_START);
  second.send(event);
  const auto& values = host.logged_now.back().values;
  CHECK(values.at("train/batches") == 5);
  CHECK(values.at("train/samples") == 40);
  CHECK(values.count("train/device/batches_per_sec") == 1);
}

}  // namespace throughput_monitor_test
