// The element types of a safetensors file, by the file's codes: "F32", "BF16", "I64", "BOOL", ...
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// Returns the bits of one element; 0 = unknown type.
uint32_t dtype_bits(std::string_view code);
// Returns all codes, separated by commas, for messages.
std::string dtype_names();

enum class TensorSize { ok, unknown_dtype, overflow, not_whole_bytes };
// Computes the bytes of a dense tensor; sets `bytes` only if the result is ok.
TensorSize tensor_bytes(std::string_view dtype, const std::vector<uint64_t>& shape, uint64_t& bytes);

}  // namespace levin::core
