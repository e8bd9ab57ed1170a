#include "core/weights/state_dict_writer.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/dtype.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/weights/pickle_writer.hpp"
#include "core/weights/torch_types.hpp"
#include "core/weights/zip_archive.hpp"

namespace levin::core {
namespace {

[[noreturn]] void cannot_write(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::checkpoint_not_writable, path + ": cannot write: " + what);
}

uint64_t elements_of(const StoredTensor& tensor) {
  uint64_t n = 1;
  for (const uint64_t size : tensor.shape) n *= size;
  return n;
}

// Calls `take` with the tensor's bytes in row-major order.
template <class Take>
void with_dense(const StoredTensor& tensor, const Take& take) {
  if (is_dense(tensor)) return take(tensor.data, tensor.bytes);
  std::unique_ptr<char[]> copy;
  try {
    copy.reset(new char[tensor.bytes]);
  } catch (const std::bad_alloc&) {  // a small file may contain a view of any size
    throw Error(ErrorCode::checkpoint_damaged,
                "a tensor of " + std::to_string(tensor.bytes) + " bytes does not fit into memory");
  }
  copy_dense(tensor, copy.get());
  take(copy.get(), tensor.bytes);
}

// Writes the arguments (storage, offset, shape, strides, requires_grad, hooks), and also the type if it has no storage
// class.
void pickle_tensor(PickleWriter& out, const StoredTensor& tensor, const TorchType& type, size_t number) {
  const bool typed = *type.storage != '\0';
  out.global("torch._utils", typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
  out.mark();
  out.mark();
  out.text("storage");
  out.global(typed ? "torch" : "torch.storage", typed ? type.storage : "UntypedStorage");
  out.text(std::to_string(number));
  out.text("cpu");
  out.integer(static_cast<int64_t>(typed ? elements_of(tensor) : tensor.bytes));
  out.tuple();
  out.persistent();
  out.integer(0);
  out.integers(tensor.shape);
  out.integers(dense_strides(tensor.shape));
  out.boolean(false);
  out.ordered_dict();
  if (!typed) out.global("torch", type.dtype);
  out.tuple();
  out.call();
}

ZipMember text_member(const std::string& name, const std::string& text) {
  return {name, text.size(), [text](const auto& write) { write(text.data(), text.size()); }};
}

// Sorts larger elements first, like the reference writer, so that every tensor is aligned to its elements without pads.
std::vector<std::pair<std::string, const StoredTensor*>> ordered(const NamedWeights& weights) {
  std::vector<std::pair<std::string, const StoredTensor*>> out;
  for (const auto& [name, tensor] : weights) out.emplace_back(name, &tensor);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return dtype_bits(a.second->dtype) > dtype_bits(b.second->dtype);
  });
  return out;
}

// Returns the length and the header.
std::string safetensors_start(const std::string& path, const NamedWeights& weights) {
  std::string text = R"({"__metadata__":{"format":"pt"})";
  uint64_t at = 0;
  for (const auto& [name, tensor] : ordered(weights)) {
    if (name == "__metadata__") cannot_write(path, "a tensor cannot be called __metadata__");
    text += "," + nlohmann::json(name).dump() + R"(:{"dtype":")" + tensor->dtype + R"(","shape":)" +
            nlohmann::json(tensor->shape).dump() + R"(,"data_offsets":[)" + std::to_string(at) + "," +
            std::to_string(at + tensor->bytes) + "]}";
    at += tensor->bytes;
  }
  text += '}';
  while ((length_bytes + text.size()) % tensor_alignment != 0) text += ' ';
  if (text.size() > max_header_bytes) cannot_write(path, "the header would be larger than readers of the format take");
  std::string length;
  for (size_t i = 0; i < length_bytes; ++i) length += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return length + text;
}

}  // namespace

void TorchArchive::text(const std::string& text) {
  if (!is_utf8(text)) cannot_write(path_, "the name '" + printable(text) + "' is not UTF-8");
  pickle_.text(text);
}

void TorchArchive::tensor(const std::string& name, const StoredTensor& tensor) {
  const TorchType* type = torch_type(tensor.dtype);
  if (type == nullptr) cannot_write(path_, "'" + name + "': PyTorch has no type for " + tensor.dtype);
  pickle_tensor(pickle_, tensor, *type, storages_.size());
  storages_.push_back({"archive/data/" + std::to_string(storages_.size()), tensor.bytes,
                       [of = &tensor](const auto& write) { with_dense(*of, write); }});
}

// Writes the same members as PyTorch, in the same order.
void TorchArchive::write() {
  std::vector<ZipMember> members = {text_member("archive/data.pkl", pickle_.take()),
                                    text_member("archive/byteorder", "little")};
  members.insert(members.end(), storages_.begin(), storages_.end());
  members.push_back(text_member("archive/version", "3\n"));
  write_zip(path_, members);
}

void write_torch_state_dict(const std::string& path, const NamedWeights& weights) {
  TorchArchive file(path);
  file.pickle().ordered_dict();
  file.pickle().mark();
  for (const auto& [name, tensor] : weights) {
    file.text(name);
    file.tensor(name, tensor);
  }
  file.pickle().set_items();
  file.write();
}

void write_plain_safetensors(const std::string& path, const NamedWeights& weights) try {
  const std::string start = safetensors_start(path, weights);
  uint64_t bytes = start.size();
  for (const auto& [name, tensor] : weights) bytes += tensor.bytes;
  AtomicFile file(path, bytes);
  file.write_at(0, start.data(), start.size());
  uint64_t at = start.size();
  for (const auto& [name, tensor] : ordered(weights)) {
    with_dense(*tensor, [&](const char* data, uint64_t n) { file.write_at(at, data, n); });
    at += tensor->bytes;
  }
  file.commit();
} catch (const nlohmann::json::exception& e) {
  cannot_write(path, std::string("a name is not UTF-8 (") + e.what() + ")");
}

}  // namespace levin::core
