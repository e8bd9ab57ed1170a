// The members of a zip archive that are stored as they are, as PyTorch writes all that is not code. Also archives
// beyond 4 GiB (zip64). APPNOTE.TXT of PKWARE has the format.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/checkpoint/container/file_bytes.hpp"

namespace levin::core {

class ZipArchive {
 public:
  // Reads the directory of an archive that the file holds from its first byte to its last. The file must outlive this.
  // Throws std::runtime_error that says what is wrong.
  explicit ZipArchive(const FileBytes& file);

  struct Member {
    uint64_t begin = 0, bytes = 0;  // of its content in the file
    uint32_t crc = 0;
    bool plain = true;  // neither compressed nor encrypted
  };
  const std::map<std::string, Member>& members() const { return members_; }
  // The content of a member, whose CRC-32 has been compared. Throws std::runtime_error.
  std::string_view content(const std::string& name) const;

 private:
  void read_directory(uint64_t at, uint64_t bytes, uint64_t n);
  uint64_t content_of(uint64_t header, uint64_t bytes) const;

  const FileBytes& file_;
  std::map<std::string, Member> members_;
};

}  // namespace levin::core
