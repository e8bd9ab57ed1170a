#include "memory_rule.hpp"

#include <algorithm>
#include <sstream>

namespace levin::gpu_memory_monitor {

Logged memory_metrics(const std::vector<double>& used, bool min_max) {
  if (used.empty()) return {};
  if (min_max)
    return {{"min_gpu_mem", *std::min_element(used.begin(), used.end())},
            {"max_gpu_mem", *std::max_element(used.begin(), used.end())}};
  Logged out;
  for (size_t card = 0; card < used.size(); ++card)
    out.emplace_back("gpu_id: " + std::to_string(card) + "/memory.used (MB)", used[card]);
  return out;
}

std::vector<double> parse_nvidia_smi(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> out;
  for (double value = 0; in >> value;) out.push_back(value);
  return out;
}

}  // namespace levin::gpu_memory_monitor
