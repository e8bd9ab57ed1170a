// Names of tensors and metadata as they come from files.
#pragma once
#include <string>

namespace levin::core {

// A name that a file of ours can hold for a tensor of the user's: see safetensors_writer.hpp.
bool is_tensor_name(const std::string& name);
bool is_pad_name(const std::string& name);

// Quoted, in printable ASCII and at most about 80 characters, for messages.
std::string show_name(const std::string& name);

}  // namespace levin::core
