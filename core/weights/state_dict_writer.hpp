// Writes weights for other programs.
#pragma once
#include <map>
#include <string>

#include "core/weights/stored_tensor.hpp"

namespace levin::core {

using NamedWeights = std::map<std::string, StoredTensor>;

// Both replace `path` in one step once the whole file is on the disk, and write each tensor dense. The folder must
// exist. The bytes depend on the weights alone. Throw Error{checkpoint} that begins with the path; then nothing is left
// behind, and a file that was there stays as it was.

// What torch.save(state_dict) of Python writes: torch.load takes it, also with weights_only=True.
void write_torch_state_dict(const std::string& path, const NamedWeights& weights);
// What safetensors.torch.save_file of Python writes: no pads, and no metadata but {"format": "pt"}.
void write_plain_safetensors(const std::string& path, const NamedWeights& weights);

}  // namespace levin::core
