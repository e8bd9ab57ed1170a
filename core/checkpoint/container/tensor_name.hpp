// Names of tensors and metadata in safetensors files.
#pragma once
#include <string>

namespace levin::core {

// Returns true if write_safetensors accepts the name for a tensor.
bool is_tensor_name(const std::string& name);
bool is_pad_name(const std::string& name);

// Returns the name for messages: quoted, in printable ASCII, cut to about 80 characters.
std::string show_name(const std::string& name);

}  // namespace levin::core
