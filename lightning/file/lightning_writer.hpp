// Exports a checkpoint to Lightning.
#pragma once
#include <cstdint>
#include <string>

#include "core/weights/name_map.hpp"

namespace levin::core {

struct WrittenTensors {
  size_t tensors = 0;
  uint64_t bytes = 0;
};

// Converts a checkpoint of this program so that Lightning can resume from it: weights, loop positions, schedules, and
// optimizers with Python's parameter numbers; the model's options become the hyper_parameters. Replaces `path`
// atomically. Throws Error{checkpoint}, also if Python has no such optimizer or schedule.
WrittenTensors write_lightning_checkpoint(const std::string& path, const std::string& checkpoint, const NameMap& names);

}  // namespace levin::core
