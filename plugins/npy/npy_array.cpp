#include "npy_array.hpp"

#include "../common/arrays/npy_header.hpp"

namespace npy {

NpyArray::NpyArray(const ArrayPlace& place, const std::string& usual) : source_(open_array(place, usual)) {
  const arrays::Bytes& bytes = source_.bytes;
  const arrays::Header header = arrays::read_header(bytes);
  dtype_ = arrays::dtype_of(header.descr, bytes);
  shape_ = header.shape;
  const uint64_t held = bytes.size - header.begin;
  uint64_t needed = dtype_.bytes;
  for (const int64_t size : shape_) {
    const auto n = static_cast<uint64_t>(size);
    needed = n == 0 ? 0 : needed > held / n ? held + 1 : needed * n;
  }
  if (needed != held)
    bytes.fail((needed > held ? "is truncated: its header promises " : "is longer than its header says: ") + text() +
               ", and the file has " + std::to_string(held) + " bytes of data");
  check_shape();
  data_ = bytes.data + header.begin;
  const auto item = static_cast<ptrdiff_t>(dtype_.bytes);
  if (!header.fortran_order || shape_.size() == 1) {
    sizes_ = {shape_[0], row_size()};
    strides_ = {static_cast<ptrdiff_t>(row_size()) * item, item};
    return;
  }
  sizes_ = shape_;
  strides_ = {item};
  for (size_t i = 0; i + 1 < shape_.size(); ++i) strides_.push_back(strides_[i] * shape_[i]);
}

}  // namespace npy
