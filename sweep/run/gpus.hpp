// The GPUs of this machine, shared by trials that run at the same time.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core::sweep {

// Returns the GPUs that this process may use, in the words of CUDA_VISIBLE_DEVICES: those of the variable if it is set,
// else one for each file nvidia0, nvidia1 and so on in the folder.
std::vector<std::string> visible_gpus(const EnvironmentVariables& environment,
                                      const std::filesystem::path& devices = "/dev");

// Returns CUDA_VISIBLE_DEVICES for one of `places` trials: an equal share of the GPUs, or one of them if there are more
// trials than GPUs. "" = the trial sees what this process sees, because it runs alone or there are no GPUs.
std::string share_of_gpus(const std::vector<std::string>& gpus, size_t place, size_t places);

}  // namespace levin::core::sweep
