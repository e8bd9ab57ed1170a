// Zip archives as PyTorch writes them: members that are not code are stored (uncompressed). Supports archives beyond 4
// GiB (zip64). PKWARE's APPNOTE.TXT specifies the format.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/container/file_bytes.hpp"

namespace levin::core {

// Reads the stored members.
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

struct ZipMember {
  std::string name;    // ASCII
  uint64_t bytes = 0;  // of the content
  // Passes the content to the given function, piece by piece. Called when the member is written.
  std::function<void(const std::function<void(const void* data, uint64_t bytes)>&)> content;
};

// Writes an archive, with each content aligned to 64 bytes, and zip64 where a size or offset needs it. Replaces `path`
// atomically once the whole archive is on the disk. Throws Error{checkpoint}; then an existing file
// stays unchanged. The bytes depend on the members alone.
void write_zip(const std::string& path, const std::vector<ZipMember>& members);

}  // namespace levin::core
