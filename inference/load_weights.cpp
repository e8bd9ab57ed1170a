#include <stdexcept>
#include <vector>

#include "core/base/file.hpp"
#include "core/trainer/init_weights.hpp"
#include "sdk/include/levin/load_weights.hpp"

namespace levin {

std::string load_weights(torch::nn::Module& module, const std::string& file, Match match) try {
  std::vector<core::NamedTensor> tensors;
  for (const auto& item : module.named_parameters()) tensors.push_back({item.key(), item.value()});
  for (const auto& item : module.named_buffers()) tensors.push_back({item.key(), item.value()});
  core::InitWeights init;
  init.from = core::absolute_path(file).string();
  init.strict = match == Match::strict;
  return core::init_tensors(tensors, "", init, "");
} catch (const std::exception& e) {
  throw std::runtime_error(e.what());
}

}  // namespace levin
