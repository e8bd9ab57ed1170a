#include "callbacks/gpu_memory_monitor/memory_rule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace gpu_memory_monitor_test {
using namespace levin::gpu_memory_monitor;

TEST_CASE("the cards' memory is logged for each, or for the least and the most used") {
  const std::vector<double> used = parse_nvidia_smi("100\n50\n75\n");
  CHECK(memory_metrics(used, false).size() == 3);
  CHECK(memory_metrics(used, false)[1] == std::pair<std::string, double>("gpu_id: 1/memory.used (MB)", 50));
  CHECK(memory_metrics(used, true) == Logged{{"min_gpu_mem", 50}, {"max_gpu_mem", 100}});
  CHECK(memory_metrics({}, true).empty());
}

}  // namespace gpu_memory_monitor_test
