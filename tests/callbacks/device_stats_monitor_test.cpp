#include "callbacks/device_stats_monitor/cpu_stats.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace device_stats_monitor_test {
using namespace levin::device_stats_monitor;

namespace {

std::vector<std::string> logged_names(const levin::testing::FakeHost& host) {
  std::vector<std::string> names;
  for (const auto& row : host.logged_now)
    for (const auto& [name, value] : row.values) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("processors are busy but for the time they idle or wait for disks") {
  const auto before = parse_cpu_times("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3 4\n");
  const auto after = parse_cpu_times("cpu  160 0 70 900 70 0 0 0 9 9\n");
  REQUIRE(before);
  REQUIRE(after);
  CHECK(before->all == 1000);
  CHECK(before->busy == 150);
  CHECK(busy_percent(*before, *after) == Approx(40));
  CHECK(busy_percent(*after, *after) == 0);
  CHECK(busy_percent(*after, *before) == 0);
  CHECK_FALSE(parse_cpu_times("intr 1 2 3"));
  CHECK_FALSE(parse_cpu_times(""));
}

TEST_CASE("memory is what programs cannot get, swap what is used") {
  const Stats stats =
      memory_stats("MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 250 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
  REQUIRE(stats.size() == 2);
  CHECK(stats[0] == std::pair<std::string, double>("cpu_vm_percent", 75));
  CHECK(stats[1] == std::pair<std::string, double>("cpu_swap_percent", 0));
  CHECK(memory_stats("nothing of that kind").empty());
}

TEST_CASE("statistics are logged at both ends of a batch under Lightning's names") {
  levin::testing::FakeHost host;
  levin::testing::Component monitor(host, "device_stats_monitor");
  monitor.send(LEVIN_HOOK_FIT_START);
  monitor.send(LEVIN_HOOK_TRAIN_BATCH_START);
  monitor.send(LEVIN_HOOK_TRAIN_BATCH_END);
  REQUIRE(host.logged_now.size() == 2);
  CHECK(host.logged_now[0].values.count("DeviceStatsMonitor.on_train_batch_start/cpu_percent") == 1);
  CHECK(host.logged_now[1].values.at("DeviceStatsMonitor.on_train_batch_end/cpu_vm_percent") > 0);
}

TEST_CASE("nothing is logged where logs are not due, of a sanity check, or where it is turned off") {
  levin::testing::FakeHost host;
  levin::testing::Component monitor(host, "device_stats_monitor"),
      off(host, "device_stats_monitor", {{"cpu_stats", false}});
  host.numbers["should_update_logs"] = 0;
  monitor.send(LEVIN_HOOK_TRAIN_BATCH_END);
  host.numbers["should_update_logs"] = 1;
  host.numbers["sanity_checking"] = 1;
  monitor.send(LEVIN_HOOK_VALIDATION_BATCH_END);
  host.numbers["sanity_checking"] = 0;
  off.send(LEVIN_HOOK_TRAIN_BATCH_END);
  CHECK(host.logged_now.empty());
}

TEST_CASE("filter_keys chooses what is logged") {
  levin::testing::FakeHost host;
  levin::testing::Component monitor(host, "device_stats_monitor", {{"filter_keys", "cpu_vm_percent, memory_used"}});
  monitor.send(LEVIN_HOOK_TEST_BATCH_END);
  CHECK(logged_names(host) == std::vector<std::string>{"DeviceStatsMonitor.on_test_batch_end/cpu_vm_percent"});
}

}  // namespace device_stats_monitor_test
