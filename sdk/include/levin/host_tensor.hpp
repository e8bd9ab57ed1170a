// levin::HostTensor: reads the elements of a tensor on any device.
#pragma once
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The tensor on the CPU. A tensor on another device is copied, which waits for that device. The object holds its own
// reference: view and data are valid as long as it exists. Throws Error if the host cannot copy the tensor.
class HostTensor {
 public:
  HostTensor(const Run& run, levin_tensor* tensor) : host_(run.host()) {
    detail::check(run.devices().to(host_, tensor, {LEVIN_CPU, 0}, &tensor_), "a tensor cannot be copied to the CPU");
    const levin_status status = host_->tensor_view(host_, tensor_, &view_);
    if (status < 0) host_->tensor_release(host_, tensor_);
    detail::check(status, "a tensor has no view");
  }
  HostTensor(const HostTensor&) = delete;
  HostTensor& operator=(const HostTensor&) = delete;
  ~HostTensor() { host_->tensor_release(host_, tensor_); }

  const levin_view& view() const { return view_; }
  // Returns the address of the first element; its type is view().dtype, and view().strides are in elements.
  const void* data() const { return static_cast<const char*>(view_.data) + view_.byte_offset; }
  int64_t elements() const {
    int64_t n = 1;
    for (int32_t d = 0; d < view_.ndim; ++d) n *= view_.shape[d];
    return n;
  }
  // Return all elements in row-major order. integers() takes tensors of integers or bools, numbers() also floats of 16,
  // 32 and 64 bits. Both throw Error for other types.
  std::vector<int64_t> integers() const { return converted<int64_t>(false); }
  std::vector<double> numbers() const { return converted<double>(true); }

 private:
  // Returns the element at this offset, in elements.
  template <class T>
  T element(int64_t offset, bool floats) const {
    const char* at = static_cast<const char*>(data()) + offset * (view_.dtype.bits / 8);
    const auto read = [at](auto value) {
      std::memcpy(&value, at, sizeof value);
      return static_cast<T>(value);
    };
    switch (view_.dtype.code * 256u + view_.dtype.bits) {
      case LEVIN_INT * 256u + 64:
        return read(int64_t{});
      case LEVIN_INT * 256u + 32:
        return read(int32_t{});
      case LEVIN_INT * 256u + 16:
        return read(int16_t{});
      case LEVIN_INT * 256u + 8:
        return read(int8_t{});
      case LEVIN_UINT * 256u + 8:
      case LEVIN_BOOL * 256u + 8:
        return read(uint8_t{});
      case LEVIN_FLOAT * 256u + 32:
        if (floats) return read(0.0f);
        break;
      case LEVIN_FLOAT * 256u + 64:
        if (floats) return read(0.0);
        break;
      case LEVIN_BFLOAT * 256u + 16:
        if (floats) return static_cast<T>(number_of(read_bits(at), 8));
        break;
      case LEVIN_FLOAT * 256u + 16:
        if (floats) return static_cast<T>(number_of(read_bits(at), 5));
        break;
      default:
        break;
    }
    throw Error(LEVIN_E_INVALID, std::string("a tensor has no ") + (floats ? "numbers" : "integers") +
                                     " that can be read: its element type has code " +
                                     std::to_string(view_.dtype.code) + " and " + std::to_string(view_.dtype.bits) +
                                     " bits");
  }
  static uint16_t read_bits(const char* at) {
    uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return bits;
  }
  // Returns the number in the bits of a float of 16 bits, of which this many are the exponent.
  static double number_of(uint16_t bits, int exponent_bits) {
    const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits & 0x7fff) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    double size = 0;
    if (exponent == (1 << exponent_bits) - 1)
      size = fraction == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    else if (exponent == 0)
      size = std::ldexp(fraction, 1 - bias - fraction_bits);
    else
      size = std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
    return bits & 0x8000 ? -size : size;
  }
  template <class T>
  std::vector<T> converted(bool floats) const {
    std::vector<T> out;
    const int64_t n = elements();
    out.reserve(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) {
      int64_t offset = i, rest = i;
      if (view_.strides) {
        offset = 0;
        for (int32_t d = view_.ndim; d-- > 0; rest /= view_.shape[d])
          offset += rest % view_.shape[d] * view_.strides[d];
      }
      out.push_back(element<T>(offset, floats));
    }
    return out;
  }

  const levin_host* host_;
  levin_tensor* tensor_ = nullptr;
  levin_view view_{};
};

}  // namespace levin
#pragma GCC visibility pop
