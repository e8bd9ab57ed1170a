// Reads a file, plain or compressed by gzip.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>

namespace common {

class GzFile {
 public:
  // Throws levin::Error if the path is not a file that can be read.
  explicit GzFile(const std::string& path);
  // Reads n bytes, or fewer if the data ends earlier. Throws levin::Error if the file is damaged.
  size_t read(uint8_t* out, size_t n);
  // Returns true at the end of the data. This also verifies the checksum at the end of a compressed file.
  bool at_end();
  uint64_t most_bytes() const;  // the most that the file can expand to

 private:
  [[noreturn]] void damaged();
  struct Close {
    void operator()(gzFile_s* file) const { gzclose(file); }
  };
  std::string path_;
  uint64_t size_ = 0;
  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace common
