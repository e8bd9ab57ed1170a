// Finds the weights in what torch.save or torch::save has written, and their names.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/weights/torch_file.hpp"

namespace levin::core {

struct TorchWeights {
  std::map<std::string, uint32_t> tensors;  // name -> value of the file's pickle
  std::string format;                       // what the file is, for people
};
// Throws std::runtime_error that says what the file has instead, if it has no weights.
TorchWeights find_weights(const TorchFile& file);

}  // namespace levin::core
