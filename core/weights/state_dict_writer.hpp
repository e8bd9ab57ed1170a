// Writes weights for other programs.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/pickle_writer.hpp"
#include "core/weights/stored_tensor.hpp"
#include "core/weights/zip_archive.hpp"

namespace levin::core {

using NamedWeights = std::map<std::string, StoredTensor>;

// Both functions replace `path` atomically once the whole file is on the disk, and write each tensor dense. The folder
// must exist. The bytes depend on the weights alone. They throw Error{checkpoint}, whose message begins with the path;
// then no new file is left behind, and an existing file stays unchanged.

// Writes the format of Python's torch.save(state_dict), which torch.load reads, also with weights_only=True.
void write_torch_state_dict(const std::string& path, const NamedWeights& weights);
// Writes the format of Python's safetensors.torch.save_file: no pads, and no metadata but {"format": "pt"}.
void write_plain_safetensors(const std::string& path, const NamedWeights& weights);

// A torch.save file under construction: its values, and the tensors among them.
class TorchArchive {
 public:
  explicit TorchArchive(std::string path) : path_(std::move(path)) {}

  PickleWriter& pickle() { return pickle_; }
  // Adds this tensor as the next value; it must live until write(). Throws Error{checkpoint}.
  void tensor(const std::string& name, const StoredTensor& tensor);
  void text(const std::string& text);  // throws Error{checkpoint} if the text is not UTF-8
  // Replaces the file like the functions above.
  void write();

 private:
  std::string path_;
  PickleWriter pickle_;
  std::vector<ZipMember> storages_;
};

}  // namespace levin::core
