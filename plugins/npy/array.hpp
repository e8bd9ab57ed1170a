// The rows of an array: its elements along the first dimension.
#pragma once
#include "array_file.hpp"
#include "dtype.hpp"

namespace npy {

class Array {
 public:
  // Throws levin::Error for a file that is damaged, has another size than its header says, has no rows, or holds
  // something other than numbers.
  Array(const ArrayPlace& place, const std::string& usual);

  const std::string& name() const { return source_.bytes.name; }  // "set.npz:x.npy"
  const Dtype& dtype() const { return dtype_; }
  int64_t rows() const { return shape_[0]; }
  std::vector<int64_t> row_shape() const { return {shape_.begin() + 1, shape_.end()}; }
  int64_t row_size() const { return row_size_; }
  std::string text() const;  // "60000 x 28 x 28 of uint8"

  // Writes a row in C order, whatever the order of the file. Thread-safe.
  void read(int64_t row, float* out) const { gather(dtype_.floats, row, out); }
  void read(int64_t row, double* out) const { gather(dtype_.doubles, row, out); }
  void check_unchanged() const { source_.file->check_unchanged(); }

 private:
  template <class Out>
  void gather(Convert<Out> convert, int64_t row, Out* out) const {
    gather(convert, data_ + row * strides_[0], 1, out);
  }
  template <class Out>
  Out* gather(Convert<Out> convert, const uint8_t* from, size_t dimension, Out* out) const {
    const auto n = static_cast<size_t>(sizes_[dimension]);
    const ptrdiff_t stride = strides_[dimension];
    if (dimension + 1 == sizes_.size()) {
      convert(from, stride, n, out);
      return out + n;
    }
    for (size_t i = 0; i < n; ++i, from += stride) out = gather(convert, from, dimension + 1, out);
    return out;
  }

  ArrayBytes source_;
  Dtype dtype_;
  std::vector<int64_t> shape_;
  int64_t row_size_ = 1;
  const uint8_t* data_ = nullptr;
  // The dimensions as they are read; those of a row in C order are one.
  std::vector<int64_t> sizes_;
  std::vector<ptrdiff_t> strides_;  // in bytes
};

}  // namespace npy
