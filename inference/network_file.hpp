// Opens trained networks from files, for teachers in runs.
#pragma once
#include <memory>

#include "core/services/networks.hpp"

namespace levin::core {

// Opens a checkpoint of this program or a TorchScript file. Throws Error that begins with the path for other files.
std::unique_ptr<TrainedNetwork> open_network(const NetworkFile& file);

}  // namespace levin::core
