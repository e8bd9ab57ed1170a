#include "core/checkpoint/container/dtype.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("every type of the format has its size, and nothing else has one") {
  struct Row {
    const char* code;
    uint32_t bits;
  };
  const Row rows[] = {{"BOOL", 8},        {"F4", 4},          {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},   {"I8", 8},
                      {"F8_E5M2", 8},     {"F8_E4M3", 8},     {"F8_E8M0", 8}, {"I16", 16},    {"U16", 16}, {"F16", 16},
                      {"BF16", 16},       {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64}, {"F64", 64},
                      {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I64", 64},    {"U64", 64},    {"", 0},     {"f32", 0},
                      {"F32 ", 0},        {"float32", 0}};
  for (const Row& row : rows) {
    CAPTURE(row.code);
    CHECK(dtype_bits(row.code) == row.bits);
  }
}

TEST_CASE("a tensor's bytes follow from its type and shape, without an overflow") {
  struct Row {
    const char* dtype;
    std::vector<uint64_t> shape;
    TensorSize size;
    uint64_t bytes;
  };
  const uint64_t huge = 1ull << 63;
  const Row rows[] = {
      {"F32", {2, 3}, TensorSize::ok, 24},         {"F64", {}, TensorSize::ok, 8},
      {"BF16", {0, 7}, TensorSize::ok, 0},         {"F4", {2}, TensorSize::ok, 1},
      {"F4", {3}, TensorSize::not_whole_bytes, 0}, {"F6_E2M3", {4}, TensorSize::ok, 3},
      {"Q8", {1}, TensorSize::unknown_dtype, 0},   {"U8", {huge}, TensorSize::overflow, 0},
      {"U8", {huge, 2}, TensorSize::overflow, 0},  {"U8", {huge, 2, 0}, TensorSize::overflow, 0},
      {"U8", {0, huge, 2}, TensorSize::ok, 0},     {"F32", {2, 18446744073709551614ull}, TensorSize::overflow, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.dtype, row.shape);
    uint64_t bytes = 0;
    CHECK(tensor_bytes(row.dtype, row.shape, bytes) == row.size);
    CHECK(bytes == row.bytes);
  }
}
