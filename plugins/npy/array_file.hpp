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

// Returns the names of the arrays of an archive; none for a .npy file. Throws levin::Error for a file that cannot be
// read.
std::vector<std::string> array_names(const std::string& path);

// One array's bytes: a .npy file, or a member of an archive.
struct ArrayBytes {
  std::shared_ptr<const ArrayFile> file;
  std::shared_ptr<const std::vector<uint8_t>> unpacked;  // of a deflated member
  Bytes bytes;
};

// usual: the name of the array in an archive if `place` has no name (arrays::usual_or_only). Throws levin::Error.
ArrayBytes open_array(const ArrayPlace& place, const std::string& usual);

}  // namespace npy
