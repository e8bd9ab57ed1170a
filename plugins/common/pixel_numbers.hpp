// What the bytes of pixels become in a row: numbers, or the bytes themselves where the host moves these to a GPU.
#pragma once
#include <cstdint>
#include <type_traits>
#include <vector>

#include "levin/data_module.hpp"

namespace common {

class PixelNumbers {
 public:
  PixelNumbers() = default;
  // The number of a byte is (byte / 255 - mean) / deviation, with one mean and deviation per channel.
  PixelNumbers(const std::vector<double>& mean, const std::vector<double>& deviation) {
    for (size_t c = 0; c < mean.size(); ++c) {
      scale_.scale.push_back(static_cast<float>(1 / (255 * deviation[c])));
      scale_.shift.push_back(static_cast<float>(-mean[c] / deviation[c]));
      for (int v = 0; v < 256; ++v) {
        numbers_.push_back(static_cast<float>((v / 255.0 - mean[c]) / deviation[c]));
        bytes_.push_back(static_cast<uint8_t>(v));
      }
    }
  }
  // [channels][256]: what each byte becomes in a row of float or uint8_t.
  template <class T>
  const T* table() const {
    if constexpr (std::is_same_v<T, float>)
      return numbers_.data();
    else
      return bytes_.data();
  }
  const levin::ByteScale& scale() const { return scale_; }

 private:
  std::vector<float> numbers_;
  std::vector<uint8_t> bytes_;
  levin::ByteScale scale_;
};

// Calls write(T*) with the type of the view, float or uint8_t.
template <class Write>
void write_pixels(const levin_view& view, const Write& write) {
  view.dtype.bits == 8 ? write(static_cast<uint8_t*>(view.data)) : write(static_cast<float*>(view.data));
}

}  // namespace common
