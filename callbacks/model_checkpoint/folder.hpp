// The checkpoint folder.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "saved_note.hpp"

namespace levin::model_checkpoint {

class Folder {
 public:
  explicit Folder(std::string path = {}) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

  // Returns true if the file exists or is being written. An abandoned file does not exist until it is written again.
  bool exists(const std::string& file) const;
  // Marks the files that the run saved after this checkpoint as abandoned. Called when the run resumes from it.
  void abandon_after(const std::string& checkpoint, const std::string& run);
  // Returns the path of a file of the folder `before` in this folder, if it exists here; else the path as it is.
  std::string moved(const std::string& file, const std::string& before) const;
  // Returns true if both files are from the same save: one file, or a file and its copy.
  bool same_save(const std::string& a, const std::string& b) const;
  bool has_checkpoints_of_others(const std::string& run) const;
  // Returns true if the file is a checkpoint inside the folder. The path may come from a forged file, so ".." and links
  // to other folders are resolved first.
  bool owns(const std::string& file) const;
  void written(const std::string& file) {
    pending_.insert(file);
    abandoned_.erase(file);
  }
  void removed(const std::string& file) { pending_.erase(file); }

  // Returns the first free name of of(0), of(1), ... A name equal to `allowed` counts as free.
  std::string free_name(const std::function<std::string(int)>& of, const std::string& allowed) const;

 private:
  std::string path_;
  bool is_abandoned(const std::string& file) const;
  void abandon_below(const std::string& folder, const SavedNote& begin);
  std::set<std::string> pending_;
  std::map<std::string, uint64_t> abandoned_;  // file -> SavedNote::saves in it
};

// Makes `link` a relative symbolic link to `target`, or a copy if links are not possible. Replaces an existing file.
void link_file(const std::string& target, const std::string& link);

}  // namespace levin::model_checkpoint
