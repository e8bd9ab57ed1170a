#include "core/checkpoint/container/safetensors_header.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "core/base/error.hpp"
#include "core/checkpoint/container/dtype.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/tensor_name.hpp"

namespace levin::core {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::checkpoint_damaged, path + ": not a readable safetensors file: " + what);
}

void check_size(const std::string& path, const TensorInfo& tensor) {
  const std::string name = "tensor " + show_name(tensor.name) + ": ";
  uint64_t bytes = 0;
  switch (tensor_bytes(tensor.dtype, tensor.shape, bytes)) {
    case TensorSize::unknown_dtype:
      fail(path, name + "unknown dtype " + show_name(tensor.dtype) + "; known: " + dtype_names());
    case TensorSize::overflow:
      fail(path, name + "its shape needs more than 2^64 bits");
    case TensorSize::not_whole_bytes:
      fail(path, name + "its elements do not fill whole bytes");
    case TensorSize::ok:
      break;
  }
  if (tensor.end - tensor.begin != bytes)
    fail(path, name + "its offsets hold " + std::to_string(tensor.end - tensor.begin) + " bytes, its shape " +
                   std::to_string(bytes));
}

}  // namespace

uint64_t safetensors_header_length(const std::string& path, std::string_view start, uint64_t file_size) {
  if (start.size() < length_bytes) fail(path, "it has " + std::to_string(file_size) + " bytes, fewer than 8");
  uint64_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= uint64_t{static_cast<unsigned char>(start[i])} << (8 * i);
  if (length > max_header_bytes)
    fail(path,
         "it is no checkpoint, or its beginning is damaged: its first 8 bytes are the length of a header of more "
         "than 100000000 bytes");
  if (length > file_size - length_bytes)
    fail(path, "its header should have " + std::to_string(length) + " bytes, and the file has " +
                   std::to_string(file_size) + ": it was cut off");
  return length;
}

SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view text, uint64_t file_size,
                                           SafetensorsMode mode) {
  SafetensorsHeader header;
  try {
    header = read_header_json(text, mode);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail(path, std::string("header: ") + e.what());
  }
  header.data_begin = length_bytes + text.size();
  std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t at = 0;
  for (const TensorInfo& tensor : header.tensors) {
    if (tensor.begin != at || tensor.end < tensor.begin)
      fail(path, "tensor " + show_name(tensor.name) + ": its offsets are " + std::to_string(tensor.begin) + " to " +
                     std::to_string(tensor.end) + ", and the tensor before it ends at " + std::to_string(at));
    check_size(path, tensor);
    at = tensor.end;
  }
  const uint64_t data_bytes = file_size - header.data_begin;
  if (at != data_bytes)
    fail(path, "its tensors have " + std::to_string(at) + " bytes, and the file holds " + std::to_string(data_bytes) +
                   " after the header: it was cut off or lengthened");
  return header;
}

}  // namespace levin::core
