// Writes a checkpoint for Lightning.
#pragma once
#include <cstdint>
#include <string>

#include "core/weights/name_map.hpp"

namespace levin::core {

struct WrittenTensors {
  size_t tensors = 0;
  uint64_t bytes = 0;
};

// Writes a checkpoint of ours so that Lightning can go on from it: weights, the place of the loops, optimizers by
// Python's numbers, schedules; the model's options are the hyper_parameters. Replaces `path` in one step. Throws
// Error{checkpoint}, also where Python has no such optimizer or schedule.
WrittenTensors write_lightning_checkpoint(const std::string& path, const std::string& checkpoint, const NameMap& names);

}  // namespace levin::core
