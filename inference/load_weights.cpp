#include <vector>

#include "core/base/file.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "inference/plain_errors.hpp"
#include "sdk/include/levin/load_weights.hpp"

namespace levin {

std::string load_weights(torch::nn::Module& module, const std::string& file, Match match) {
  return with_plain_errors([&] {
    std::vector<core::NamedTensor> tensors;
    for (const auto& item : module.named_parameters()) tensors.push_back({item.key(), item.value()});
    for (const auto& item : module.named_buffers()) tensors.push_back({item.key(), item.value()});
    core::InitWeights init;
    init.from = core::absolute_path(file).string();
    init.strict = match == Match::strict;
    return core::init_tensors(tensors, "", init, "");
  });
}

}  // namespace levin
