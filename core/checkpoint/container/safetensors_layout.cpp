#include "core/checkpoint/container/safetensors_layout.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/base/error.hpp"
#include "core/checkpoint/container/dtype.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/tensor_name.hpp"

namespace levin::core {
namespace {

[[noreturn]] void fail(const std::string& path, const TensorEntry& entry, const std::string& what) {
  throw Error(ErrorCode::checkpoint_not_writable,
              path + ": cannot write tensor " + show_name(entry.name) + ": " + what);
}

void check_entry(const std::string& path, const TensorEntry& entry) {
  if (!is_tensor_name(entry.name))
    fail(path, entry, "a name has 1 to 4096 bytes, no control characters, and is neither __metadata__ nor __pad__.*");
  if (entry.shape.size() > max_rank) fail(path, entry, "more than 64 dimensions");
  uint64_t bytes = 0;
  const TensorSize size = tensor_bytes(entry.dtype, entry.shape, bytes);
  if (size == TensorSize::unknown_dtype)
    fail(path, entry, "unknown dtype '" + entry.dtype + "'; known: " + dtype_names());
  if (size == TensorSize::overflow) fail(path, entry, "its shape needs more than 2^64 bits");
  if (size == TensorSize::not_whole_bytes) fail(path, entry, "its elements do not fill whole bytes");
  if (bytes != entry.bytes)
    fail(path, entry, "it has " + std::to_string(entry.bytes) + " bytes, its shape " + std::to_string(bytes));
  if (bytes != 0 && entry.data == nullptr) fail(path, entry, "it has no data");
}

}  // namespace

SafetensorsLayout place_tensors(const std::string& path, const std::vector<TensorEntry>& entries) {
  if (entries.size() > max_tensors)
    throw Error(ErrorCode::checkpoint_not_writable, path + ": more than a million tensors");
  std::vector<const TensorEntry*> order;
  std::set<std::string_view> names;
  for (const TensorEntry& entry : entries) {
    check_entry(path, entry);
    if (!names.insert(entry.name).second) fail(path, entry, "two tensors have this name");
    order.push_back(&entry);
  }
  std::sort(order.begin(), order.end(), [](const TensorEntry* a, const TensorEntry* b) {
    const bool a_odd = a->bytes % tensor_alignment != 0, b_odd = b->bytes % tensor_alignment != 0;
    return a_odd != b_odd ? b_odd : a->name < b->name;
  });
  SafetensorsLayout layout;
  size_t pads = 0;
  for (const TensorEntry* entry : order) {
    uint64_t at = layout.data_bytes;
    if (const uint64_t over = at % tensor_alignment) {
      const uint64_t next = at + tensor_alignment - over;
      layout.tensors.push_back({nullptr, std::string(pad_prefix) + std::to_string(pads++), at, next});
      at = next;
    }
    if (__builtin_add_overflow(at, entry->bytes, &layout.data_bytes) || layout.data_bytes > uint64_t{1} << 62)
      fail(path, *entry, "the file would be longer than files can be");
    layout.tensors.push_back({entry, entry->name, at, layout.data_bytes});
  }
  return layout;
}

}  // namespace levin::core
