// Where each tensor lies in a file of ours.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_writer.hpp"

namespace levin::core {

struct PlacedTensor {
  const TensorEntry* entry;  // nullptr: a pad, all zeros
  std::string name;
  uint64_t begin, end;  // from the start of the data section
};

struct SafetensorsLayout {
  std::vector<PlacedTensor> tensors;  // in the order of their bytes, without a hole
  uint64_t data_bytes = 0;
};

// Checks the entries and places them: those whose size is a multiple of 64 first, then the others, each group by name;
// a pad after each of the others but the last. `path` begins the messages.
SafetensorsLayout place_tensors(const std::string& path, const std::vector<TensorEntry>& entries);

}  // namespace levin::core
