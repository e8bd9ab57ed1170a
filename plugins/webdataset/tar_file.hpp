// A tar archive: the places of its members. Nothing is ever unpacked to the disk, so no name can lead outside a folder.
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

namespace webdataset {

struct Member {
  std::string name;
  uint64_t begin = 0, size = 0;
};

class TarFile {
 public:
  // Throws levin::Error if the path is not a file that can be read.
  explicit TarFile(const std::string& path);
  ~TarFile();
  TarFile(const TarFile&) = delete;
  TarFile& operator=(const TarFile&) = delete;

  const std::string& path() const { return path_; }
  // Returns the regular files in their order, of archives by tar (ustar, pax and GNU). Reads the headers only. damage:
  // why the rest of the archive cannot be read, "" = all of it is read. Throws levin::Error for links, special files,
  // and names that lead out of the folder.
  std::vector<Member> members(std::string& damage) const;
  // Throws levin::Error if the file ends before.
  void read(uint64_t begin, uint64_t size, void* to) const;
  // Returns a number that changes with the file: of its size and time.
  uint64_t state() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void check_member(char type, const std::string& name) const;
  std::string path_;
  int fd_;
  struct stat opened_ {};
};

}  // namespace webdataset
