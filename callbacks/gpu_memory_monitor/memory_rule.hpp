// What is logged of the cards' memory. Pure.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace levin::gpu_memory_monitor {

using Logged = std::vector<std::pair<std::string, double>>;

// used: MB of each card. min_max: only the least and the most; else every card.
Logged memory_metrics(const std::vector<double>& used, bool min_max);

// The numbers of `nvidia-smi --query-gpu=memory.used --format=csv,nounits,noheader`, one a line.
std::vector<double> parse_nvidia_smi(const std::string& text);

}  // namespace levin::gpu_memory_monitor
