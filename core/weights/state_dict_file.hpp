// The weights in a file that any program has written, by their names.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/weights/stored_tensor.hpp"

namespace levin::core {

class StateDictFile {
 public:
  // Reads
  //   - files of Python's torch.save: a state_dict, one within a dict ("state_dict", "model", ...), as in Lightning's
  //     checkpoints, or a whole module, whose code is neither needed nor run;
  //   - files of torch::save in C++, and TorchScript archives;
  //   - safetensors, also in several files with an index (*.safetensors.index.json);
  //   - checkpoints of this program, whose checksums are verified.
  // Throws Error{checkpoint}, whose message begins with the path.
  explicit StateDictFile(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& format() const { return format_; }  // for messages: "a checkpoint of Lightning"
  std::vector<std::string> names() const;                // sorted
  bool contains(const std::string& name) const { return tensors_.count(name) != 0; }
  // Its data is valid as long as this object. Throws Error{checkpoint}, also for a damaged tensor.
  StoredTensor tensor(const std::string& name) const;

 private:
  using Read = std::function<StoredTensor()>;
  void refuse_other_formats() const;
  void open_torch();
  void open_safetensors(const std::string& path, bool all_of_it);
  void open_index();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_, format_;
  std::map<std::string, Read> tensors_;
};

}  // namespace levin::core
