// The layout of a safetensors file that this program writes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/container/safetensors_writer.hpp"

namespace levin::core {

struct PlacedTensor {
  const TensorEntry* entry;  // nullptr = a pad, which is all zeros
  std::string name;
  uint64_t begin, end;  // from the start of the data section
};

struct SafetensorsLayout {
  std::vector<PlacedTensor> tensors;  // in the order of their bytes, without gaps
  uint64_t data_bytes = 0;
};

// Checks the entries and places them: first those whose size is a multiple of 64 bytes, then the others, each group in
// the order of the names. A pad follows each of the others except the last. Messages begin with `path`.
SafetensorsLayout place_tensors(const std::string& path, const std::vector<TensorEntry>& entries);

}  // namespace levin::core
