// The embeddings of a run, as TensorBoard's PROJECTOR page reads them: projector_config.pbtxt in the run folder, and
// for each embedding a folder below projector/ with the vectors and, if there are any, their labels.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "levin/logger.hpp"

namespace levin::tensorboard {

class Embeddings {
 public:
  // A fresh run has none: the configuration of an earlier run in the folder is removed.
  void begin_anew(const std::filesystem::path& run_dir);
  // Goes back to the embeddings of a checkpoint, by its lines(). nullopt = not known: the configuration stays.
  void go_on(const std::filesystem::path& run_dir, const std::optional<std::string>& lines);
  // media: of the kind "embedding". Throws levin::Error if it is not float32 [n, size], or its labels are no table of n
  // rows.
  void add(const levin_media& media);
  std::string lines() const;  // for a checkpoint

 private:
  struct One {
    std::string name, folder;
    bool labels;
  };
  bool has_config() const;
  void write() const;
  std::filesystem::path run_dir_;
  std::vector<One> all_;
};

}  // namespace levin::tensorboard
