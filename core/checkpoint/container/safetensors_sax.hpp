// Reads the JSON text of a safetensors header event by event, so that memory use stays proportional to the text,
// whatever its content.
#pragma once
#include <string_view>

#include "core/checkpoint/container/safetensors_header.hpp"

namespace levin::core {

// Checks only that names are unique, types are right and no field is missing. Throws std::runtime_error that says what
// is wrong. The tensors are in the order of the text, and data_begin is not set.
SafetensorsHeader read_header_json(std::string_view text, SafetensorsMode mode);

}  // namespace levin::core
