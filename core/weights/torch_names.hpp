// Finds the weights, and their names, in a file of torch.save or torch::save.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/weights/torch_file.hpp"

namespace levin::core {

struct TorchWeights {
  std::map<std::string, uint32_t> tensors;  // name -> index of the value in the file's pickle
  std::string format;                       // kind of file, for messages
};
// Throws std::runtime_error that says what the file contains instead, if it has no weights.
TorchWeights find_weights(const TorchFile& file);

}  // namespace levin::core
