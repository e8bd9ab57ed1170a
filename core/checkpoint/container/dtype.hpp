// The element types of a safetensors file, by their codes there: "F32", "BF16", "I64", "BOOL", ...
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// Bits of one element; 0: no such type.
uint32_t dtype_bits(std::string_view code);
// All codes, comma-separated, for messages.
std::string dtype_names();

enum class TensorSize { ok, unknown_dtype, overflow, not_whole_bytes };
// Bytes of a dense tensor; `bytes` is set only when the answer is ok.
TensorSize tensor_bytes(std::string_view dtype, const std::vector<uint64_t>& shape, uint64_t& bytes);

}  // namespace levin::core
