#include "array.hpp"

#include "header.hpp"

namespace npy {
namespace {

constexpr int64_t max_rows = (int64_t{1} << 32) - 1;
constexpr size_t max_dimensions = 7;  // a row has at most six

std::string joined(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

}  // namespace

Array::Array(const ArrayPlace& place, const std::string& usual) : source_(open_array(place, usual)) {
  const Bytes& bytes = source_.bytes;
  const Header header = read_header(bytes);
  dtype_ = dtype_of(header.descr, bytes);
  shape_ = header.shape;
  if (shape_.empty()) bytes.fail("is a single number; rows need an array with at least one dimension");
  if (shape_.size() > max_dimensions)
    bytes.fail("has " + std::to_string(shape_.size()) + " dimensions; 1 to 7 are read");
  const uint64_t held = bytes.size - header.begin;
  uint64_t needed = dtype_.bytes;
  for (const int64_t size : shape_) {
    if (size == 0) bytes.fail("is empty: its shape is " + joined(shape_));
    needed = needed > held / static_cast<uint64_t>(size) ? held + 1 : needed * static_cast<uint64_t>(size);
  }
  if (needed != held)
    bytes.fail((needed > held ? "is truncated: its header promises " : "is longer than its header says: ") + text() +
               ", and the file has " + std::to_string(held) + " bytes of data");
  if (shape_[0] > max_rows) bytes.fail("has " + std::to_string(shape_[0]) + " rows; up to 4294967295 are read");
  data_ = bytes.data + header.begin;
  for (size_t i = 1; i < shape_.size(); ++i) row_size_ *= shape_[i];
  const auto item = static_cast<ptrdiff_t>(dtype_.bytes);
  if (!header.fortran_order || shape_.size() == 1) {
    sizes_ = {shape_[0], row_size_};
    strides_ = {static_cast<ptrdiff_t>(row_size_) * item, item};
    return;
  }
  sizes_ = shape_;
  strides_ = {item};
  for (size_t i = 0; i + 1 < shape_.size(); ++i) strides_.push_back(strides_[i] * shape_[i]);
}

std::string Array::text() const { return joined(shape_) + " of " + dtype_.name; }

}  // namespace npy
