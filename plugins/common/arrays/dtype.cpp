#include "dtype.hpp"

#include <algorithm>
#include <cmath>

namespace arrays {
namespace {

struct Half {
  uint16_t bits;
  operator float() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
};
struct Bool {
  uint8_t byte;
  operator float() const { return byte != 0 ? 1.0f : 0.0f; }
};

template <class T, bool swapped>
T load(const uint8_t* from) {
  uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if constexpr (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T, bool swapped, class Out>
void convert(const uint8_t* from, ptrdiff_t stride, size_t n, Out* out) {
  if (stride == sizeof(T))  // the compiler vectorises this loop
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(load<T, swapped>(from + i * sizeof(T)));
  else
    for (size_t i = 0; i < n; ++i, from += stride) out[i] = static_cast<Out>(load<T, swapped>(from));
}

struct Known {
  const char *code, *name;
  bool integer;
  uint64_t bytes;
  Convert<float> floats[2];    // index: 1 = big-endian
  Convert<double> doubles[2];  // the same
};

template <class T>
constexpr Known known(const char* code, const char* name, bool integer) {
  return {code,
          name,
          integer,
          sizeof(T),
          {&convert<T, false, float>, &convert<T, true, float>},
          {&convert<T, false, double>, &convert<T, true, double>}};
}

constexpr Known all_known[] = {
    known<Bool>("b1", "bool", true),       known<uint8_t>("u1", "uint8", true),   known<int8_t>("i1", "int8", true),
    known<uint16_t>("u2", "uint16", true), known<int16_t>("i2", "int16", true),   known<uint32_t>("u4", "uint32", true),
    known<int32_t>("i4", "int32", true),   known<uint64_t>("u8", "uint64", true), known<int64_t>("i8", "int64", true),
    known<Half>("f2", "float16", false),   known<float>("f4", "float32", false),  known<double>("f8", "float64", false),
};

struct Refused {
  char kind;
  const char* what;
};
constexpr Refused all_refused[] = {
    {'O', "Python objects (a pickle), which are never read: save it with a numeric dtype"},
    {'s', "a structured type: save each field as an array"},
    {'V', "a structured type: save each field as an array"},
    {'c', "complex numbers: save real and imaginary parts as an axis"},
    {'M', "dates: convert them to numbers"},
    {'m', "lengths of time: convert them to numbers"},
    {'S', "texts: encode them as integers"},
    {'U', "texts: encode them as integers"},
    {'a', "texts: encode them as integers"}};

}  // namespace

Dtype dtype_of(const std::string& descr, const Bytes& file) {
  const bool ordered = !descr.empty() && std::strchr("<>|=", descr[0]) != nullptr;
  const std::string code = descr.substr(ordered ? 1 : 0);
  const size_t big = ordered && descr[0] == '>' ? 1 : 0;
  for (const Known& type : all_known)
    if (code == type.code)
      return {std::string(type.name) + (big != 0 && type.bytes > 1 ? ", big-endian" : ""), type.bytes, type.integer,
              type.floats[big], type.doubles[big]};
  for (const Refused& type : all_refused)
    if (!code.empty() && code[0] == type.kind) file.fail(std::string("holds ") + type.what);
  file.fail("holds elements of type '" + descr + "'; bool, integers and float16 to float64 are read");
}

}  // namespace arrays
