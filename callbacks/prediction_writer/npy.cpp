#include "npy.hpp"

#include "levin/error.hpp"

namespace levin::prediction_writer {
namespace {

char kind_of(levin_dtype dtype) {
  switch (dtype.code) {
    case LEVIN_INT:
      return 'i';
    case LEVIN_UINT:
      return 'u';
    case LEVIN_FLOAT:
      return 'f';
    case LEVIN_BOOL:
      return 'b';
    default:
      throw Error(LEVIN_E_UNSUPPORTED, "NumPy has no bfloat16; predict with trainer.precision 32-true");
  }
}

std::string type_text(levin_dtype dtype) {
  const int size = dtype.bits / 8;
  return std::string(size == 1 ? "|" : "<") + kind_of(dtype) + std::to_string(size);
}

void copy(const levin_view& view, int32_t dim, const char* from, std::string& out) {
  const size_t size = view.dtype.bits / 8u;
  if (dim == view.ndim) {
    out.append(from, size);
    return;
  }
  int64_t stride = 1;
  if (view.strides)
    stride = view.strides[dim];
  else
    for (int32_t d = dim + 1; d < view.ndim; ++d) stride *= view.shape[d];
  for (int64_t i = 0; i < view.shape[dim]; ++i)
    copy(view, dim + 1, from + i * stride * static_cast<int64_t>(size), out);
}

}  // namespace

Array array_of(const levin_view& view) {
  kind_of(view.dtype);
  Array array{view.dtype, {view.shape, view.shape + view.ndim}, {}};
  copy(view, 0, static_cast<const char*>(view.data) + view.byte_offset, array.bytes);
  if (array.shape.empty()) array.shape.push_back(1);
  return array;
}

void append(Array& a, const Array& b) {
  const bool same_rows =
      a.shape.size() == b.shape.size() && std::vector<int64_t>(a.shape.begin() + 1, a.shape.end()) ==
                                              std::vector<int64_t>(b.shape.begin() + 1, b.shape.end());
  if (!same_rows || type_text(a.dtype) != type_text(b.dtype))
    throw Error(LEVIN_E_INVALID, "predictions of two batches differ in shape; set write_interval to batch");
  a.shape[0] += b.shape[0];
  a.bytes += b.bytes;
}

std::string npy(const Array& array) {
  std::string shape;
  for (const int64_t n : array.shape) shape += std::to_string(n) + ", ";
  std::string head = "{'descr': '" + type_text(array.dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t before = 10, alignment = 64;
  head += std::string(alignment - 1 - (before + head.size()) % alignment, ' ') + "\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(head.size() & 0xff);
  out += static_cast<char>(head.size() >> 8);
  return out + head + array.bytes;
}

}  // namespace levin::prediction_writer
