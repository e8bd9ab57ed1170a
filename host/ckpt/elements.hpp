// Tensor elements as numbers, for comparing and averaging.
#pragma once
#include <string>

#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core::ckpt {

// Returns true for floating-point types, whose elements can be averaged.
bool is_floating(const std::string& dtype);
// Returns true if elements of this type can be read as numbers.
bool is_readable(const std::string& dtype);

uint64_t element_count(const TensorView& tensor);
// Returns element i as a number. The type must be readable.
using ReadElement = double (*)(const void* data, uint64_t i);
ReadElement reader_of(const std::string& dtype);
// Writes element i, rounded to nearest. The type must be floating.
using WriteElement = void (*)(void* data, uint64_t i, double value);
WriteElement writer_of(const std::string& dtype);

}  // namespace levin::core::ckpt
