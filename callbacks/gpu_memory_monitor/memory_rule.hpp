// Metrics of the memory used on NVIDIA GPUs.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace levin::gpu_memory_monitor {

using Logged = std::vector<std::pair<std::string, double>>;

// used: the memory used on each GPU, in MB. With min_max, only the lowest and the highest value are logged.
Logged memory_metrics(const std::vector<double>& used, bool min_max);

// Reads the output of `nvidia-smi --query-gpu=memory.used --format=csv,nounits,noheader`, one number per line.
std::vector<double> parse_nvidia_smi(const std::string& text);

}  // namespace levin::gpu_memory_monitor
