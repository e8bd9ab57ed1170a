// Which devices trainer.accelerator and trainer.devices mean: Lightning's rules, as pure functions.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// The GPUs that `devices` asks for among those that are there: a count, -1 or "-1" (all), a list, or a text of these
// ("1, 3", "2,"). Empty: none is asked for (null, 0, "0", []). Throws Error{usage} for a wrong value, a GPU named
// twice, and one that is not there.
std::vector<int> gpu_ids(const nlohmann::json& devices, const std::vector<int>& available);

// The devices of a run. accelerator: auto, cpu, gpu, cuda; devices: as gpu_ids takes them, or "auto": the first one.
// Of a CPU `devices` is a number of processes. Throws Error{usage}.
std::vector<int> device_ids(const std::string& accelerator, const nlohmann::json& devices,
                            const std::vector<int>& available_gpus);

}  // namespace levin::core
