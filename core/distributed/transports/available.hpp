// Checks whether an optional transport (NCCL, MPI) is available in this process.
#pragma once
#include <string>

namespace levin::core {

// Returns why the transport cannot be used; "" = it can, as far as this process can tell. name: "nccl" or "mpi".
std::string obstacle_to_transport(const std::string& name);

}  // namespace levin::core
