// The JSON text of a safetensors header, read event by event: memory stays in proportion to the text, whatever it says.
#pragma once
#include <string_view>

#include "core/checkpoint/container/safetensors_header.hpp"

namespace levin::core {

// Only the text's own shape is checked here: names once, types right, no field missing. Throws std::runtime_error that
// says what is wrong; data_begin is left alone, the tensors are in the text's order.
SafetensorsHeader read_header_json(std::string_view text, SafetensorsMode mode);

}  // namespace levin::core
