#include "host/ckpt/elements.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"
#include "core/checkpoint/container/dtype.hpp"

namespace levin::core::ckpt {
namespace {

template <class T>
double read_as(const void* data, uint64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + i * sizeof value, sizeof value);
  return static_cast<double>(value);
}
template <class T>
void write_as(void* data, uint64_t i, double value) {
  const T rounded = static_cast<T>(value);
  std::memcpy(static_cast<char*>(data) + i * sizeof rounded, &rounded, sizeof rounded);
}

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

uint16_t short_at(const void* data, uint64_t i) {
  uint16_t value;
  std::memcpy(&value, static_cast<const char*>(data) + i * 2, 2);
  return value;
}

double read_bfloat16(const void* data, uint64_t i) {
  return static_cast<double>(bits_as<float>(uint32_t{short_at(data, i)} << 16));
}
void write_bfloat16(void* data, uint64_t i, double value) {
  const uint32_t bits = bits_as<uint32_t>(static_cast<float>(value));
  const uint32_t rounded = std::isnan(value) ? 0x7fc0u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const uint16_t out = static_cast<uint16_t>(rounded);
  std::memcpy(static_cast<char*>(data) + i * 2, &out, 2);
}

double read_half(const void* data, uint64_t i) {
  const uint16_t bits = short_at(data, i);
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = std::ldexp(mantissa, -24);
  if (exponent > 0) value = std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) value = mantissa ? std::nan("") : std::numeric_limits<double>::infinity();
  return bits >> 15 ? -value : value;
}
void write_half(void* data, uint64_t i, double value) {
  uint16_t bits = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) {
    bits |= 0x7e00;
  } else if (size >= 65520) {
    bits |= 0x7c00;
  } else {
    int exponent = size < std::ldexp(1, -14) ? -14 : std::ilogb(size);
    const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));  // may round up to 2048
    bits = static_cast<uint16_t>(bits + (units < 1024 ? units : (static_cast<uint32_t>(exponent + 14) << 10) + units));
  }
  std::memcpy(static_cast<char*>(data) + i * 2, &bits, 2);
}

struct Elements {
  const char* dtype;
  ReadElement read;
  WriteElement write;  // nullptr = not a floating-point type
};
constexpr Elements known[] = {{"F32", read_as<float>, write_as<float>}, {"F64", read_as<double>, write_as<double>},
                              {"F16", read_half, write_half},           {"BF16", read_bfloat16, write_bfloat16},
                              {"I64", read_as<int64_t>, nullptr},       {"I32", read_as<int32_t>, nullptr},
                              {"I16", read_as<int16_t>, nullptr},       {"I8", read_as<int8_t>, nullptr},
                              {"U8", read_as<uint8_t>, nullptr},        {"U16", read_as<uint16_t>, nullptr},
                              {"U32", read_as<uint32_t>, nullptr},      {"U64", read_as<uint64_t>, nullptr},
                              {"BOOL", read_as<uint8_t>, nullptr}};

const Elements* find(const std::string& dtype) {
  for (const Elements& e : known)
    if (dtype == e.dtype) return &e;
  return nullptr;
}

}  // namespace

bool is_floating(const std::string& dtype) { return find(dtype) && find(dtype)->write; }
bool is_readable(const std::string& dtype) { return find(dtype) != nullptr; }

uint64_t element_count(const TensorView& tensor) {
  uint64_t n = 1;
  for (const uint64_t size : tensor.shape) n *= size;
  return n;
}

ReadElement reader_of(const std::string& dtype) {
  if (const Elements* e = find(dtype)) return e->read;
  throw Error(ErrorCode::checkpoint_format_unsupported, "elements of type " + dtype + " are not read as numbers");
}

WriteElement writer_of(const std::string& dtype) {
  if (is_floating(dtype)) return find(dtype)->write;
  throw Error(ErrorCode::checkpoint_format_unsupported, "elements of type " + dtype + " have no mean");
}

}  // namespace levin::core::ckpt
