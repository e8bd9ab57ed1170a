#include "core/cluster/device_ids.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/config/trainer/plan_values.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {
using Ids = std::vector<int>;
const Ids four = {0, 1, 2, 3};
}  // namespace

TEST_CASE("GPUs are named by a count, a list, or a text of these") {
  struct Row {
    json devices;
    Ids ids;
  };
  const std::vector<Row> rows = {{0, {}},        {"0", {}},     {json::array(), {}}, {1, {0}},
                                 {3, {0, 1, 2}}, {"2", {0, 1}}, {-1, four},          {"-1", four},
                                 {{2}, {2}},     {"2,", {2}},   {"1, 3", {1, 3}},    {{3, 0}, {3, 0}}};
  for (const auto& row : rows) {
    INFO(row.devices);
    CHECK(gpu_ids(device_choice(row.devices), four) == row.ids);
  }
}

TEST_CASE("GPUs that cannot be meant or are not there are refused, naming the value") {
  const std::vector<json> rows = {nullptr, 5, {1, 1}, "", "x", -2, {0, 4}, "1,x", true, 1.5, {-1}};
  for (const auto& devices : rows) {
    INFO(devices);
    CHECK_THROWS_WITH(gpu_ids(device_choice(devices), four), ContainsSubstring("trainer.devices="));
  }
  CHECK_THROWS_WITH(gpu_ids(device_choice(-1), {}), ContainsSubstring("there are none"));
  CHECK_THROWS_WITH(gpu_ids(device_choice(5), four), ContainsSubstring("there is no GPU 4; there are [0,1,2,3]"));
}

TEST_CASE("the devices of a run depend on the accelerator") {
  CHECK(device_ids(Accelerator::automatic, device_choice("auto"), four) == Ids{0});
  CHECK(device_ids(Accelerator::automatic, device_choice(nullptr), {}) == Ids{0});
  CHECK(device_ids(Accelerator::cuda, device_choice("0, 2"), four) == Ids{0, 2});
  CHECK(device_ids(Accelerator::gpu, device_choice(1), four) == Ids{0});
  CHECK(device_ids(Accelerator::cpu, device_choice(2), four) == Ids{0, 1});
  CHECK_THROWS_WITH(device_ids(Accelerator::gpu, device_choice(0), four), ContainsSubstring("devices=0"));
  CHECK_THROWS_WITH(device_ids(Accelerator::cpu, device_choice(-1), four), ContainsSubstring("devices=-1"));
  CHECK_THROWS_WITH(device_ids(Accelerator::cpu, device_choice(json::array({0})), four),
                    ContainsSubstring("devices=[0]"));
}
