// Trained networks from files, for "levin.networks/1".
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// A network in evaluation mode.
class TrainedNetwork {
 public:
  virtual ~TrainedNetwork() = default;
  // Returns the outputs on the network's device, without gradients; the inputs may be on any device.
  virtual std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) = 0;
  virtual const levin_data_info* data() const = 0;  // that it was trained on; nullptr = unknown
};

struct NetworkFile {
  std::string path;
  bool trust;  // as the option --trust
  at::Device device;
  Warn warn;
};
// Opens a file. Throws Error that begins with the path if it holds no trained network.
using NetworkReader = std::unique_ptr<TrainedNetwork> (*)(const NetworkFile& file);
// The program sets it once, before its first run. Without it, levin.networks/1 opens no files.
void set_network_reader(NetworkReader reader);

}  // namespace levin::core
