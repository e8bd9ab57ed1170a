// A file that appears whole under its name, or not at all.
#pragma once
#include <cstdint>
#include <string>

namespace levin::core {

// Written under a temporary name in the same folder; commit() gives it its name. Every failure is Error{checkpoint}
// with the path and the system's reason. Destroyed without commit: nothing is left.
class AtomicFile {
 public:
  static constexpr const char* temp_prefix = ".tmp.levin-";

  // Reserves all `size` bytes on the disk, so that a full disk is known before a byte is written.
  AtomicFile(std::string path, uint64_t size);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write_at(uint64_t offset, const void* data, uint64_t bytes);
  // Syncs the file, renames it and syncs the folder. `replace` false: fails when the name is taken.
  void commit(bool replace);

 private:
  void create();
  void discard();
  void reserve(uint64_t size);
  void rename_to_path(bool replace);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_, folder_, temp_;  // temp_ is empty once there is nothing to remove
  int fd_ = -1;
  int lock_fd_ = -1;  // keeps the lock that marks the writer as alive until the rename is done
};

// The folder part of a path: "." when there is none.
std::string folder_of(const std::string& path);
// Makes a folder and its parents where missing, each durable in its parent.
void make_folders(const std::string& folder);

}  // namespace levin::core
