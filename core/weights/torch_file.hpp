// Reads a file of Python's torch.save or C++'s torch::save: a zip archive, or, from PyTorch before 1.6, several pickles
// followed by the storages. Executes nothing in it, and checks that all bytes it uses lie within the file.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/checkpoint/container/file_bytes.hpp"
#include "core/weights/pickle.hpp"
#include "core/weights/stored_tensor.hpp"
#include "core/weights/zip_archive.hpp"

namespace levin::core {

// Returns true if the file begins like a file of torch.save.
bool looks_like_torch_file(const FileBytes& file);

class TorchFile {
 public:
  // Throws Error{checkpoint}, whose message begins with the path.
  explicit TorchFile(const std::string& path);

  const Pickle& pickle() const { return *pickle_; }
  // Returns true if this value is a tensor.
  bool is_tensor(uint32_t value) const;
  // Returns the tensor. name: for messages. Throws Error{checkpoint}.
  StoredTensor tensor(uint32_t value, const std::string& name) const;

 private:
  struct Storage {
    std::string_view bytes;
    uint64_t elements = 0;
  };
  void open_zip();
  void open_legacy();
  Storage storage(const std::string& key) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_, root_;  // root_: the folder of all members of a zip archive
  FileBytes file_;
  std::unique_ptr<ZipArchive> zip_;
  std::unique_ptr<Pickle> pickle_;
  std::map<std::string, Storage> legacy_;
  mutable std::map<std::string, std::string_view> contents_;  // members whose CRC was verified
};

// The weights in a file of torch.save or torch::save, and their names.
struct TorchWeights {
  std::map<std::string, uint32_t> tensors;  // name -> index of the value in the file's pickle
  std::string format;                       // kind of file, for messages
};
// Throws std::runtime_error that says what the file contains instead, if it has no weights.
TorchWeights find_weights(const TorchFile& file);

}  // namespace levin::core
