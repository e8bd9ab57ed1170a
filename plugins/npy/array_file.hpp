// A .npy or .npz file, mapped into memory: a file larger than the memory works too.
#pragma once
#include <sys/stat.h>

#include <memory>
#include <vector>

#include "../common/arrays/bytes.hpp"

namespace npy {

using arrays::Bytes;

class ArrayFile {
 public:
  // Throws levin::Error if the path is not a file that can be read.
  explicit ArrayFile(const std::string& path);
  ~ArrayFile();
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  const Bytes& bytes() const { return bytes_; }
  // Throws levin::Error if the file was changed after it was opened: reading beyond its new end would be a crash.
  void check_unchanged() const;

 private:
  Bytes bytes_;
  int fd_;
  struct stat opened_ {};
};

// The place of an array: "x.npy", "set.npz" or "set.npz:x".
struct ArrayPlace {
  std::string path, name;  // name: "" = not given
  explicit ArrayPlace(const std::string& text);
};

// Returns true if the file is an archive with an array of this name. false for .npy files and files that cannot be
// read.
bool has_array(const std::string& path, const std::string& name);

// One array's bytes: a .npy file, or a member of an archive.
struct ArrayBytes {
  std::shared_ptr<const ArrayFile> file;
  std::shared_ptr<const std::vector<uint8_t>> unpacked;  // of a deflated member
  Bytes bytes;
};

// usual: the name of the array in an archive if `place` has no name and the archive has several. Throws levin::Error.
ArrayBytes open_array(const ArrayPlace& place, const std::string& usual);

}  // namespace npy
