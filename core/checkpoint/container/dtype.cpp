#include "core/checkpoint/container/dtype.hpp"

namespace levin::core {
namespace {

struct Dtype {
  const char* code;
  uint32_t bits;
};
constexpr Dtype dtypes[] = {{"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
                            {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
                            {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
                            {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
                            {"I64", 64},        {"U64", 64}};

}  // namespace

uint32_t dtype_bits(std::string_view code) {
  for (const Dtype& type : dtypes)
    if (code == type.code) return type.bits;
  return 0;
}

std::string dtype_names() {
  std::string names;
  for (const Dtype& type : dtypes) names += (names.empty() ? "" : ", ") + std::string(type.code);
  return names;
}

TensorSize tensor_bytes(std::string_view dtype, const std::vector<uint64_t>& shape, uint64_t& bytes) {
  const uint64_t bits_each = dtype_bits(dtype);
  if (bits_each == 0) return TensorSize::unknown_dtype;
  uint64_t elements = 1, bits = 0;
  for (uint64_t size : shape)
    if (__builtin_mul_overflow(elements, size, &elements)) return TensorSize::overflow;
  if (__builtin_mul_overflow(elements, bits_each, &bits)) return TensorSize::overflow;
  if (bits % 8 != 0) return TensorSize::not_whole_bytes;
  bytes = bits / 8;
  return TensorSize::ok;
}

}  // namespace levin::core
