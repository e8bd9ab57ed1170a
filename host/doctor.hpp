// host doctor: what a run finds on this machine.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

// The part that needs no LibTorch; the engine says the rest.
int doctor_command(const std::vector<std::string>& words);

}  // namespace levin::core
