#include "core/checkpoint/checkpoint_file.hpp"

#include <cstdint>
#include <cstring>
#include <map>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "core/checkpoint/manifest_check.hpp"
#include "core/checkpoint/scalar_types.hpp"

namespace levin::core {
void CheckpointWriter::put(const std::string& key, const at::Tensor& tensor) {
  tensors_.push_back({key, tensor.detach(), /*copied=*/false});
}

void CheckpointWriter::put(const std::string& prefix, const StateBag& bag) {
  for (const auto& [key, tensor] : bag.tensors()) tensors_.push_back({prefix + "." + key, tensor, /*copied=*/true});
  for (const auto& [key, bytes] : bag.bytes()) {
    at::Tensor tensor = at::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
    if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
    tensors_.push_back({prefix + "." + key, tensor, /*copied=*/true});
    manifest_["bytes"].push_back(prefix + "." + key);
  }
  for (const auto& [key, type] : bag.types()) manifest_["types"][prefix + "." + key] = type;
}

void CheckpointWriter::visit(const std::function<void(const std::string&, const at::Tensor&)>& visit) const {
  for (const Entry& e : tensors_) visit(e.key, e.tensor);
}

void CheckpointWriter::copy_into(SnapshotMemory& memory) {
  std::vector<at::Tensor*> live;
  for (Entry& e : tensors_)
    if (!e.copied) live.push_back(&e.tensor);
  memory.copy(live);
}

void CheckpointWriter::write(const std::string& path) const {
  SafetensorsContent content;
  std::vector<at::Tensor> dense;
  content.manifest = manifest_;
  content.metadata["format"] = "pt";
  for (const auto& [key, given, copied] : tensors_) {
    const at::Tensor& tensor = dense.emplace_back(given.cpu().contiguous());
    TensorEntry entry;
    entry.name = key;
    entry.dtype = code_of(tensor.scalar_type(), key);
    for (int64_t d : tensor.sizes()) entry.shape.push_back(static_cast<uint64_t>(d));
    entry.data = tensor.data_ptr();
    entry.bytes = static_cast<uint64_t>(tensor.nbytes());
    content.tensors.push_back(std::move(entry));
  }
  make_folders(folder_of(path));
  write_safetensors(path, content);
}

CheckpointReader::CheckpointReader(const std::string& path, std::shared_ptr<const SafetensorsReader> verified)
    : path_(path), file_(std::move(verified)) {
  if (!file_) open();
  manifest_ = file_->manifest();
  if (!foreign_) check_manifest(manifest_, path);
}

void CheckpointReader::open() {
  std::error_code unknown;
  if (!std::filesystem::exists(path_, unknown))
    throw Error(ErrorCode::checkpoint_not_found, path_ + ": no such checkpoint");
  foreign_ = !looks_like_checkpoint(path_);
  const auto mode = foreign_ ? SafetensorsMode::reference : SafetensorsMode::strict;
  file_ = std::make_shared<const SafetensorsReader>(path_, mode);
  file_->verify();
}

CheckpointReader::~CheckpointReader() = default;

int CheckpointReader::world_size() const { return manifest_.value("world_size", 1); }

bool CheckpointReader::saved_by_first_alone() const { return world_size() > 1 && !manifest_.contains("ranks"); }

CheckpointReader CheckpointReader::of_rank(int rank) const {
  CheckpointReader other(path_, file_);
  other.read_as(rank, world_size());
  return other;
}

void CheckpointReader::read_as(int rank, int world_size) {
  if (rank == 0 || foreign_) return;
  has_no_section_ = world_size != this->world_size() || !manifest_.contains("ranks");
  if (has_no_section_) {
    if (manifest_.contains("loops")) manifest_["loops"]["epoch_metrics"] = nlohmann::json::array();
    manifest_.erase("train_outputs");
    return;
  }
  section_ = "ranks." + std::to_string(rank) + ".";
  const nlohmann::json ranks = manifest_.value("ranks", nlohmann::json::array());
  if (ranks.size() != static_cast<size_t>(world_size))
    throw Error(ErrorCode::checkpoint_damaged, path_ + ": 'ranks' has " + std::to_string(ranks.size()) +
                                                   " entries, and '" + "world_size' is " + std::to_string(world_size));
  const nlohmann::json own = ranks.at(static_cast<size_t>(rank));
  for (const auto& [key, value] : own.items()) {
    if (key != "bytes" && key != "types" && key != "components") manifest_[key] = value;
    if (key == "bytes")
      for (const auto& name : value) manifest_["bytes"].push_back(name);
    if (key == "types")
      for (const auto& [name, type] : value.items()) manifest_["types"][name] = type;
  }
  check_manifest(manifest_, path_);
}

// Returns the stored name of a key. Generators, metrics, gradients and outputs are stored per process. The data module
// is too, but a process without a state of its own uses rank 0's.
std::string CheckpointReader::name_of(const std::string& key) const {
  static const char* const own[] = {"generators.", "epoch_metrics.", "gradients.", "train_outputs."};
  for (const char* prefix : own)
    if (starts_with(key, prefix)) return has_no_section_ ? "ranks.none." + key : section_ + key;
  return starts_with(key, "data.") ? section_ + key : key;
}

std::vector<std::string> CheckpointReader::keys(const std::string& prefix) const {
  std::vector<std::string> out;
  const std::string stored = name_of(prefix + ".");
  for (const std::string& name : file_->names()) {
    if (foreign_ && prefix == "state_dict")
      out.push_back(name);
    else if (starts_with(name, stored))
      out.push_back(name.substr(stored.size()));
  }
  return out;
}

bool CheckpointReader::contains(const std::string& key) const { return file_->contains(name_of(key)); }

at::Tensor CheckpointReader::tensor(const std::string& key) const {
  const std::string name = foreign_ && starts_with(key, "state_dict.") ? key.substr(11) : name_of(key);
  const TensorView view = file_->tensor(name);
  std::vector<int64_t> shape;
  for (const uint64_t d : view.shape) {
    if (d > static_cast<uint64_t>(INT64_MAX))
      throw Error(ErrorCode::checkpoint_damaged, path_ + ": " + name + " has a dimension of " + std::to_string(d));
    shape.push_back(static_cast<int64_t>(d));
  }
  at::Tensor out = at::empty(shape, scalar_type_of(view.dtype, path_ + ": " + name));
  if (view.bytes) std::memcpy(out.data_ptr(), view.data, view.bytes);
  return out;
}

StateBag CheckpointReader::bag(const std::string& prefix) const {
  StateBag bag;
  std::map<std::string, bool> is_bytes;
  for (const auto& key : manifest_.value("bytes", nlohmann::json::array())) is_bytes[key.get<std::string>()] = true;
  for (const std::string& key : keys(prefix)) {
    const std::string full = prefix + "." + key;
    if (!is_bytes[full]) {
      bag.tensors()[key] = tensor(full);
      continue;
    }
    const TensorView view = file_->tensor(name_of(full));
    bag.bytes()[key] = view.bytes ? std::string(static_cast<const char*>(view.data), view.bytes) : std::string();
  }
  const nlohmann::json types = manifest_.value("types", nlohmann::json::object());
  for (const auto& [key, type] : types.items())
    if (starts_with(key, prefix + ".")) bag.types()[key.substr(prefix.size() + 1)] = type.get<std::string>();
  return bag;
}

}  // namespace levin::core
