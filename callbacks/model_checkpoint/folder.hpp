// The folder for checkpoints. A file that is still being written counts as existing.
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

  // A file that is abandoned does not count, until it is written again.
  bool exists(const std::string& file) const;
  // In a run that goes on from this checkpoint: what the run itself saved later is abandoned.
  void abandon_after(const std::string& checkpoint, const std::string& run);
  // Where a file of the folder `before` is now, if this is that folder under another name.
  std::string moved(const std::string& file, const std::string& before) const;
  // Whether the run saved both files at once: they are one, or one is a copy of the other.
  bool same_save(const std::string& a, const std::string& b) const;
  bool has_checkpoints_of_others(const std::string& run) const;
  // Whether the file is a checkpoint inside the folder. Its path may come from a forged file, so neither ".." nor a
  // link to another folder leads out.
  bool owns(const std::string& file) const;
  void written(const std::string& file) {
    pending_.insert(file);
    abandoned_.erase(file);
  }
  void removed(const std::string& file) { pending_.erase(file); }

  // The first free name of of(0), of(1), ... A name equal to `allowed` may be overwritten.
  std::string free_name(const std::function<std::string(int)>& of, const std::string& allowed) const;

 private:
  std::string path_;
  bool is_abandoned(const std::string& file) const;
  void abandon_below(const std::string& folder, const SavedNote& begin);
  std::set<std::string> pending_;
  std::map<std::string, uint64_t> abandoned_;  // how many saves the run had when it wrote the file
};

// Makes `link` a relative symbolic link to `target`, or a copy if links are not possible. Replaces an existing file.
void link_file(const std::string& target, const std::string& link);

}  // namespace levin::model_checkpoint
