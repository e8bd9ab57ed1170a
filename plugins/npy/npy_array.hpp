// An array of a .npy or .npz file.
#pragma once
#include "../common/arrays/array.hpp"
#include "../common/arrays/dtype.hpp"
#include "array_file.hpp"

namespace npy {

class NpyArray : public arrays::Array {
 public:
  // usual: the name of the array in an archive if `place` has no name (arrays::usual_or_only). Throws levin::Error
  // for a file that is damaged, has another size than its header says, has no rows, or holds something other than
  // numbers.
  NpyArray(const ArrayPlace& place, const std::string& usual);

  const std::string& name() const override { return source_.bytes.name; }
  const std::string& dtype() const override { return dtype_.name; }
  bool integer() const override { return dtype_.integer; }
  std::vector<int64_t> shape() const override { return shape_; }
  // Whatever the order of the file.
  void read(int64_t row, float* out) const override { gather(dtype_.floats, row, out); }
  void read(int64_t row, double* out) const override { gather(dtype_.doubles, row, out); }
  void check_unchanged() const override { source_.file->check_unchanged(); }

 private:
  template <class Out>
  void gather(arrays::Convert<Out> convert, int64_t row, Out* out) const {
    gather(convert, data_ + row * strides_[0], 1, out);
  }
  template <class Out>
  Out* gather(arrays::Convert<Out> convert, const uint8_t* from, size_t dimension, Out* out) const {
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
  arrays::Dtype dtype_;
  std::vector<int64_t> shape_;
  const uint8_t* data_ = nullptr;
  // The dimensions as they are read; those of a row in C order are one.
  std::vector<int64_t> sizes_;
  std::vector<ptrdiff_t> strides_;  // in bytes
};

}  // namespace npy
