// Reads the stored (uncompressed) members of a zip archive; PyTorch stores all members that are not code. Supports
// archives beyond 4 GiB (zip64). PKWARE's APPNOTE.TXT specifies the format.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/checkpoint/container/file_bytes.hpp"

namespace levin::core {

class ZipArchive {
 public:
  // Reads the archive's directory. The archive must span the whole file. The file must outlive this object. Throws
  // std::runtime_error that says what is wrong.
  explicit ZipArchive(const FileBytes& file);

  struct Member {
    uint64_t begin = 0, bytes = 0;  // of the member's content in the file
    uint32_t crc = 0;
    bool plain = true;  // neither compressed nor encrypted
  };
  const std::map<std::string, Member>& members() const { return members_; }
  // Returns a member's content after verifying its CRC-32. Throws std::runtime_error.
  std::string_view content(const std::string& name) const;

 private:
  void read_directory(uint64_t at, uint64_t bytes, uint64_t n);
  uint64_t content_of(uint64_t header, uint64_t bytes) const;

  const FileBytes& file_;
  std::map<std::string, Member> members_;
};

}  // namespace levin::core
