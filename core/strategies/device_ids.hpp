// Which devices trainer.accelerator and trainer.devices mean: Lightning's rules as pure functions.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// The available GPUs that `devices` means. It is a count, -1 or "-1" for all, a list, or one of these as text ("1, 3",
// "2,"). Returns an empty list if no GPU is requested (0, "0", []). Throws Error{usage} for a wrong value, a GPU that
// is named twice and one that does not exist.
std::vector<int> gpu_ids(const nlohmann::json& devices, const std::vector<int>& available);

// The devices of a run. `accelerator` is auto, cpu, gpu or cuda. For GPUs, `devices` is what gpu_ids() takes, or "auto"
// for the first one; for a CPU it is a number of processes. Throws Error{usage}.
std::vector<int> device_ids(const std::string& accelerator, const nlohmann::json& devices,
                            const std::vector<int>& available_gpus);

}  // namespace levin::core
