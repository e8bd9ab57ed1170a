// A file that appears under its name only once it is complete.
#pragma once
#include <cstdint>
#include <string>

namespace levin::core {

// Writes under a temporary name in the same folder; commit() renames the file. Without commit() the destructor removes
// it. Every failure throws Error{run} with the path and the system's reason.
class AtomicFile {
 public:
  static constexpr const char* temp_prefix = ".tmp.levin-";

  // Reserves all `size` bytes on the disk, so that a full disk is detected before anything is written.
  AtomicFile(std::string path, uint64_t size);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write_at(uint64_t offset, const void* data, uint64_t bytes);
  // Syncs the file, renames it (replacing a file of that name), and syncs the folder.
  void commit();

 private:
  void create();
  void discard();
  void reserve(uint64_t size);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_, folder_, temp_;  // temp_: empty = nothing to remove
  int fd_ = -1;
  int lock_fd_ = -1;  // holds the lock until the rename is done; the lock shows that the writer is still running
};

// Returns a path in the folder for a temporary file; its name begins with temp_prefix.
std::string temporary_in(const std::string& folder);
// Syncs a folder's entries. Returns 0 or errno; a file system without folder syncs counts as success.
int sync_folder(const std::string& folder);
// Returns the folder part of a path; "." if there is none.
std::string folder_of(const std::string& path);
// Makes a folder and its missing parents, and syncs the parent of each.
void make_folders(const std::string& folder);

}  // namespace levin::core
