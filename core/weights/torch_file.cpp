#include "core/weights/torch_file.hpp"

#include <cstring>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/dtype.hpp"
#include "core/weights/torch_types.hpp"

namespace levin::core {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view zip_mark("PK\x03\x04", 4);
// The pickle of the number 0x1950a86a20f9469cfc6c, with which files of PyTorch before 1.6 begin.
constexpr std::string_view legacy_mark("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

bool begins_with(const FileBytes& file, std::string_view mark) {
  return file.size() >= mark.size() && file.read(0, mark.size()) == mark;
}

// Returns the name of the main member, in whose folder all others lie: "archive/data.pkl".
std::string main_member(const ZipArchive& zip) {
  for (const auto& [name, member] : zip.members())
    if (ends_with(name, "/data.pkl") && name.find('/') == name.size() - 9) return name;
  throw std::runtime_error("it is a zip archive without data.pkl, so PyTorch did not write it");
}

// Returns the number of elements that the tensor spans in its storage. Throws if shape or strides are invalid.
uint64_t reach(const PickledTensor& tensor) {
  uint64_t last = 0;
  bool empty = false;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] < 0 || tensor.strides[d] < 0) throw std::runtime_error("a size or stride is negative");
    empty = empty || tensor.shape[d] == 0;
  }
  for (size_t d = 0; d < tensor.shape.size() && !empty; ++d) {
    uint64_t step = 0;
    if (__builtin_mul_overflow(static_cast<uint64_t>(tensor.shape[d] - 1), static_cast<uint64_t>(tensor.strides[d]),
                               &step) ||
        __builtin_add_overflow(last, step, &last))
      throw std::runtime_error("it is larger than any file");
  }
  return empty ? 0 : last + 1;
}

}  // namespace

bool looks_like_torch_file(const FileBytes& file) {
  return begins_with(file, zip_mark) || begins_with(file, legacy_mark);
}

TorchFile::TorchFile(const std::string& path) : path_(path), file_(path) {
  try {
    if (begins_with(file_, zip_mark))
      open_zip();
    else
      open_legacy();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    fail(e.what());
  }
}

void TorchFile::fail(const std::string& what) const { throw Error(ErrorCode::checkpoint_damaged, path_ + ": " + what); }

void TorchFile::open_zip() {
  zip_ = std::make_unique<ZipArchive>(file_);
  const std::string member = main_member(*zip_);
  root_ = member.substr(0, member.size() - std::strlen("data.pkl"));
  if (zip_->members().count(root_ + "byteorder") != 0 && trim(zip_->content(root_ + "byteorder")) != "little")
    throw std::runtime_error("its numbers are big-endian; save it again on a little-endian machine");
  pickle_ = std::make_unique<Pickle>(zip_->content(member));
}

// Reads the number, the protocol, the system's properties, the object, and the keys of the storages, each a pickle. For
// each key, the number of elements (8 bytes) and the elements follow.
void TorchFile::open_legacy() {
  const std::string_view all(file_.data(), file_.size());
  size_t at = 0;
  const auto next = [&] {
    auto pickle = std::make_unique<Pickle>(all.substr(at));
    at += pickle->length();
    return pickle;
  };
  next();
  next();
  const auto system = next();
  uint32_t little = 0;
  if (system->find(system->root(), "little_endian", &little) && (*system)[little].integer == 0)
    throw std::runtime_error("its numbers are big-endian; save it again on a little-endian machine");
  pickle_ = next();
  std::map<std::string, std::string> types;
  std::string other_form;  // the reason for an unknown type of storage
  for (uint32_t i = 0; i < static_cast<uint32_t>(pickle_->size()); ++i) try {
      const auto tensor = pickled_tensor(*pickle_, i);
      if (tensor) types[tensor->storage] = tensor->dtype;
    } catch (const std::runtime_error& e) {
      other_form = e.what();
    }
  const auto keys = next();
  if (!keys->is(keys->root(), Kind::list)) throw std::runtime_error("the list of its storages is damaged");
  for (const uint32_t item : (*keys)[keys->root()].items) {
    const std::string& key = (*keys)[item].text;
    uint64_t elements = 0;
    if (all.size() - at < sizeof elements) throw std::runtime_error("it ends too early");
    std::memcpy(&elements, all.data() + at, sizeof elements);
    at += sizeof elements;
    const uint64_t size = dtype_bits(types[key]) / 8;
    if (size == 0)
      throw std::runtime_error("its storage '" + key + "' has an unknown type" +
                               (other_form.empty() ? "" : ": of the tensor, " + other_form));
    if (elements > (all.size() - at) / size) throw std::runtime_error("it ends too early");
    legacy_[key] = {all.substr(at, elements * size), elements};
    at += elements * size;
  }
}

bool TorchFile::is_tensor(uint32_t value) const try {
  return pickled_tensor(*pickle_, value).has_value();
} catch (const std::runtime_error&) {
  return true;  // a damaged tensor
}

TorchFile::Storage TorchFile::storage(const std::string& key) const {
  if (!zip_) {
    const auto found = legacy_.find(key);
    if (found == legacy_.end()) throw std::runtime_error("its storage '" + key + "' is not in the file");
    return found->second;
  }
  const std::string name = root_ + "data/" + key;
  auto known = contents_.find(name);
  if (known == contents_.end()) known = contents_.emplace(name, zip_->content(name)).first;
  return {known->second, 0};
}

StoredTensor TorchFile::tensor(uint32_t value, const std::string& name) const {
  try {
    const auto claimed = pickled_tensor(*pickle_, value);
    if (!claimed) throw std::runtime_error("it is a list of tensors, and only single ones are read");
    if (claimed->dtype.empty()) throw std::runtime_error("its type " + claimed->storage_type + " is not read");
    if (claimed->shape.size() != claimed->strides.size() || claimed->shape.size() > 64 || claimed->offset < 0)
      throw std::runtime_error("its shape is damaged");
    StoredTensor out;
    out.dtype = claimed->dtype;
    out.shape.assign(claimed->shape.begin(), claimed->shape.end());
    out.strides.assign(claimed->strides.begin(), claimed->strides.end());
    const uint64_t element = dtype_bits(out.dtype) / 8, needed = reach(*claimed);
    if (tensor_bytes(out.dtype, out.shape, out.bytes) != TensorSize::ok)
      throw std::runtime_error("it is larger than any file");
    const std::string_view bytes = storage(claimed->storage).bytes;
    const uint64_t there = bytes.size() / element, offset = static_cast<uint64_t>(claimed->offset);
    if (offset > there || needed > there - offset) throw std::runtime_error("it reaches beyond its storage");
    out.data = bytes.data() + offset * element;
    return out;
  } catch (const std::runtime_error& e) {
    throw Error(ErrorCode::checkpoint_damaged, path_ + ": tensor '" + name + "': " + e.what());
  }
}

}  // namespace levin::core
