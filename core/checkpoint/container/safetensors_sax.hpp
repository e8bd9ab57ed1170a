// Reads the JSON text of a safetensors header event by event, so that the memory used stays in proportion to the text,
// whatever it says.
#pragma once
#include <string_view>

#include "core/checkpoint/container/safetensors_header.hpp"

namespace levin::core {

// Checks only that no name is repeated, that the types are right and that no field is missing. Throws
// std::runtime_error that says what is wrong. The tensors are in the order of the text, and data_begin is not set.
SafetensorsHeader read_header_json(std::string_view text, SafetensorsMode mode);

}  // namespace levin::core
