// Tensors of the fake host: CPU buffers with a reference count.
#pragma once
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

struct Tensor {
  std::atomic<int64_t> references{1};
  std::vector<int64_t> shape, strides;
  std::vector<char> bytes;
  levin_view view{};

  levin_tensor* handle() { return reinterpret_cast<levin_tensor*>(this); }
  static Tensor& of(levin_tensor* handle) { return *reinterpret_cast<Tensor*>(handle); }
};

inline int64_t element_count(const levin_view& view) {
  int64_t n = 1;
  for (int32_t d = 0; d < view.ndim; ++d) n *= view.shape[d];
  return n;
}

// Byte offset of element i, in row-major order, from view.data.
inline size_t byte_of(const levin_view& view, int64_t i) {
  int64_t at = 0, step = 1;
  for (int32_t d = view.ndim; d-- > 0; i /= view.shape[d]) {
    at += i % view.shape[d] * (view.strides ? view.strides[d] : step);
    step *= view.shape[d];
  }
  return view.byte_offset + static_cast<size_t>(at) * (view.dtype.bits / 8u);
}

// Returns a row-major copy of the view with one reference, which the caller owns.
inline Tensor* copy_of(const levin_view& in) {
  const size_t item = in.dtype.bits / 8u;
  Tensor* t = new Tensor;
  t->shape.assign(in.shape, in.shape + in.ndim);
  t->strides.assign(static_cast<size_t>(in.ndim), 1);
  for (size_t d = t->shape.size(); d-- > 1;) t->strides[d - 1] = t->strides[d] * t->shape[d];
  t->bytes.resize(static_cast<size_t>(element_count(in)) * item);
  for (size_t i = 0; i * item < t->bytes.size(); ++i)
    std::memcpy(&t->bytes[i * item], static_cast<const char*>(in.data) + byte_of(in, static_cast<int64_t>(i)), item);
  t->view = in;
  t->view.data = t->bytes.data();
  t->view.device = {LEVIN_CPU, 0};
  t->view.shape = t->shape.data();
  t->view.strides = t->strides.data();
  t->view.byte_offset = 0;
  return t;
}

// Returns element i of a row-major view. Throws Error (LEVIN_E_UNSUPPORTED) if the element type is not supported.
inline double element(const levin_view& view, int64_t i) {
  const char* at = static_cast<const char*>(view.data) + view.byte_offset + i * (view.dtype.bits / 8);
  const auto read = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  switch (view.dtype.code * 256u + view.dtype.bits) {
    case LEVIN_FLOAT * 256u + 32:
      return read(0.0f);
    case LEVIN_FLOAT * 256u + 64:
      return read(0.0);
    case LEVIN_INT * 256u + 8:
      return read(int8_t{});
    case LEVIN_INT * 256u + 16:
      return read(int16_t{});
    case LEVIN_INT * 256u + 32:
      return read(int32_t{});
    case LEVIN_INT * 256u + 64:
      return read(int64_t{});
    case LEVIN_UINT * 256u + 8:
      return read(uint8_t{});
    case LEVIN_BOOL * 256u + 8:
      return read(uint8_t{});
    default:
      throw Error(LEVIN_E_UNSUPPORTED, "the fake host does not read this dtype");
  }
}

inline std::vector<double> elements_of(levin_tensor* tensor) {
  const levin_view& view = Tensor::of(tensor).view;
  std::vector<double> out;
  for (int64_t i = 0; i < element_count(view); ++i) out.push_back(element(view, i));
  return out;
}

// Sets element i of a row-major view of float32 or float64. Throws Error (LEVIN_E_UNSUPPORTED) for other types.
inline void set_element(const levin_view& view, int64_t i, double value) {
  if (view.dtype.code != LEVIN_FLOAT) throw Error(LEVIN_E_UNSUPPORTED, "the fake host only computes with floats");
  char* at = static_cast<char*>(view.data) + view.byte_offset + i * (view.dtype.bits / 8);
  const float single = static_cast<float>(value);
  if (view.dtype.bits == 64)
    std::memcpy(at, &value, sizeof value);
  else
    std::memcpy(at, &single, sizeof single);
}

}  // namespace levin::testing
#pragma GCC visibility pop
