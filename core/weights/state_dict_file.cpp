#include "core/weights/state_dict_file.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {
namespace {

constexpr std::string_view own_prefix = "state_dict.";

struct OtherFormat {
  std::string_view mark;
  const char* name;
};
constexpr OtherFormat other_formats[] = {{"\x89HDF", "an HDF5 file"},
                                         {"GGUF", "a GGUF file"},
                                         {"\x93NUMPY", "a file of NumPy"},
                                         {"\x1f\x8b", "a compressed file"},
                                         {"TFL3", "a TensorFlow Lite file"}};

bool ends_as_index(const std::string& path) { return ends_with(path, ".index.json"); }

StoredTensor stored(const SafetensorsReader& file, const std::string& name) {
  const TensorView view = file.tensor(name);
  return {view.dtype, view.shape, dense_strides(view.shape), static_cast<const char*>(view.data), view.bytes};
}

}  // namespace

StateDictFile::StateDictFile(const std::string& path) : path_(path) {
  if (!std::filesystem::exists(path)) fail("no such file");
  if (ends_as_index(path)) {
    open_index();
  } else if (looks_like_torch_file(FileBytes(path))) {
    open_torch();
  } else {
    refuse_other_formats();
    open_safetensors(path, true);
  }
}

void StateDictFile::refuse_other_formats() const {
  constexpr uint64_t tar_mark_at = 257;
  const FileBytes file(path_);
  const std::string start = file.read(0, std::min<uint64_t>(file.size(), tar_mark_at + 5));
  for (const OtherFormat& other : other_formats)
    if (starts_with(start, other.mark)) fail(std::string("it is ") + other.name + ", which is not supported");
  if (start.size() == tar_mark_at + 5 && ends_with(start, "ustar"))
    fail("it is a tar archive of a PyTorch before 0.4, which is not supported; save it again with a newer one");
  if (starts_with(start, "\x80"))
    fail("it is a pickle without PyTorch's storages; save model.state_dict() by torch.save");
}

void StateDictFile::fail(const std::string& what) const {
  throw Error(ErrorCode::checkpoint_damaged, path_ + ": " + what);
}

std::vector<std::string> StateDictFile::names() const {
  std::vector<std::string> out;
  for (const auto& [name, read] : tensors_) out.push_back(name);
  return out;
}

StoredTensor StateDictFile::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail("it has no tensor '" + name + "'");
  return found->second();
}

void StateDictFile::open_torch() {
  const auto file = std::make_shared<const TorchFile>(path_);
  TorchWeights weights;
  try {
    weights = find_weights(*file);
  } catch (const std::runtime_error& e) {
    fail(e.what());
  }
  format_ = std::move(weights.format);
  for (const auto& [name, value] : weights.tensors)
    tensors_[name] = [file, name = name, value = value] { return file->tensor(value, name); };
}

// all_of_it: from a checkpoint of this program, takes only the weights, without their prefix.
void StateDictFile::open_safetensors(const std::string& path, bool all_of_it) {
  const bool own = looks_like_checkpoint(path);
  const auto file =
      std::make_shared<const SafetensorsReader>(path, own ? SafetensorsMode::strict : SafetensorsMode::reference);
  file->verify();
  format_ = own ? "a checkpoint" : "safetensors";
  for (const std::string& name : file->names()) {
    if (own && all_of_it && !starts_with(name, own_prefix)) continue;
    tensors_[own && all_of_it ? name.substr(own_prefix.size()) : name] = [file, name] { return stored(*file, name); };
  }
  if (tensors_.empty()) fail("there are no weights in it");
}

// The index is {"weight_map": {"name": "model-00001-of-00002.safetensors", ...}}; the files are in its folder.
void StateDictFile::open_index() {
  const nlohmann::json index = parse_json(read_file(path_), path_, ErrorCode::checkpoint_damaged);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
    fail("it is not an index of safetensors files: it has no weight_map");
  std::map<std::string, std::set<std::string>> wanted;  // file -> names
  for (const auto& [name, file] : index["weight_map"].items()) {
    const std::string text = file.is_string() ? file.get<std::string>() : "";
    if (text.empty() || text[0] == '.' || text.find('/') != std::string::npos)
      fail("weight_map." + name + ": " + show(file) + " is not the name of a file beside the index");
    wanted[text].insert(name);
  }
  for (const auto& [file, names] : wanted) {
    const std::string path = (std::filesystem::path(path_).parent_path() / file).string();
    std::map<std::string, Read> all;
    std::swap(all, tensors_);
    open_safetensors(path, false);
    for (const std::string& name : names) {
      if (tensors_.count(name) == 0) fail("it says that '" + name + "' is in " + file + ", where it is not");
      all[name] = tensors_[name];
    }
    tensors_ = std::move(all);
  }
  format_ = "safetensors in " + std::to_string(wanted.size()) + " files";
  if (tensors_.empty()) fail("there are no weights in it");
}

}  // namespace levin::core
