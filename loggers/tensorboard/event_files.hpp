// The event files that one logger of a run has written into the run folder, including earlier parts of a resumed run.
// The first record of a file names its writer; files of other programs are not touched.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../common/append_file.hpp"

namespace levin::tensorboard {

struct EventFile {
  std::string name;  // without its folder
  uint64_t bytes;
};

class EventFiles {
 public:
  // writer: the name in the first record, see file_version_event().
  EventFiles(std::filesystem::path folder, std::string writer)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}

  // Cuts the writer's files to their sizes at a checkpoint and removes later files. Returns messages about missing
  // files and bytes.
  std::vector<std::string> cut(const std::vector<EventFile>& kept) const;
  // Moves the writer's files into a subfolder and returns its name; "" = there were no files.
  std::string set_aside() const;
  // Creates a file whose name sorts after all existing event files, because TensorBoard reads files in the order of
  // their names.
  std::unique_ptr<loggers::AppendFile> create(std::filesystem::path& path) const;

 private:
  std::vector<std::string> own() const;
  bool is_own(const std::string& name) const;
  std::filesystem::path folder_;
  std::string writer_;
};

}  // namespace levin::tensorboard
