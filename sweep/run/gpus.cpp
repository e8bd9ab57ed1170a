#include "sweep/run/gpus.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace levin::core::sweep {
namespace {

// CUDA ignores what follows the first device that does not exist, such as -1.
std::vector<std::string> listed_gpus(const std::string& variable) {
  std::vector<std::string> out;
  for (const std::string& word : split(variable, ',')) {
    const std::string gpu = trim(word);
    if (gpu.empty() || gpu[0] == '-') break;
    out.push_back(gpu);
  }
  return out;
}

}  // namespace

std::vector<std::string> visible_gpus(const EnvironmentVariables& environment, const std::filesystem::path& devices) {
  const auto variable = environment.find("CUDA_VISIBLE_DEVICES");
  if (variable != environment.end()) return listed_gpus(variable->second);
  std::vector<std::string> out;
  std::error_code failed;
  const std::string prefix = "nvidia";
  for (std::filesystem::directory_iterator file(devices, failed), end; !failed && file != end; file.increment(failed)) {
    const std::string name = file->path().filename().string();
    const bool gpu = starts_with(name, prefix) && name.size() > prefix.size() &&
                     name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (gpu) out.push_back(std::to_string(out.size()));  // CUDA counts from 0, whatever the files are called
  }
  return out;
}

std::string share_of_gpus(const std::vector<std::string>& gpus, size_t place, size_t places) {
  if (places < 2 || gpus.empty()) return "";
  const size_t share = std::max<size_t>(1, gpus.size() / places);
  const size_t first = place * share % gpus.size();
  const auto begin = gpus.begin() + static_cast<std::ptrdiff_t>(first);
  return join({begin, begin + static_cast<std::ptrdiff_t>(share)}, ",");
}

}  // namespace levin::core::sweep
