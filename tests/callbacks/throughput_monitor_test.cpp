#include "callbacks/throughput_monitor/throughput.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

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
