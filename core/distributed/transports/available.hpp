// Whether a transport beside Gloo can be had in this process.
#pragma once
#include <string>

namespace levin::core {

// name: "nccl" or "mpi". Why it cannot, as words; "" if it can, as far as this process knows.
std::string obstacle_to_transport(const std::string& name);

}  // namespace levin::core
