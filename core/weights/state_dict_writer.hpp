// Writes weights for other programs.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/pickle_writer.hpp"
#include "core/weights/stored_tensor.hpp"
#include "core/weights/zip_writer.hpp"

namespace levin::core {

using NamedWeights = std::map<std::string, StoredTensor>;

// Both replace `path` in one step once the whole file is on the disk, and write each tensor dense. The folder must
// exist. The bytes depend on the weights alone. Throw Error{checkpoint} that begins with the path; then nothing is left
// behind, and a file that was there stays as it was.

// What torch.save(state_dict) of Python writes: torch.load takes it, also with weights_only=True.
void write_torch_state_dict(const std::string& path, const NamedWeights& weights);
// What safetensors.torch.save_file of Python writes: no pads, and no metadata but {"format": "pt"}.
void write_plain_safetensors(const std::string& path, const NamedWeights& weights);

// A file of torch.save that is being made: its values, and the tensors among them.
class TorchArchive {
 public:
  explicit TorchArchive(std::string path) : path_(std::move(path)) {}

  PickleWriter& pickle() { return pickle_; }
  // The next value is this tensor, which must live until the end. Throws Error{checkpoint}.
  void tensor(const std::string& name, const StoredTensor& tensor);
  void text(const std::string& text);  // Throws Error{checkpoint} if it is not UTF-8.
  // Replaces the file, as the functions above do.
  void write();

 private:
  std::string path_;
  PickleWriter pickle_;
  std::vector<ZipMember> storages_;
};

}  // namespace levin::core
