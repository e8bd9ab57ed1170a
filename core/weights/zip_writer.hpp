// Writes a zip archive as PyTorch does: members stored as they are, each beginning at a multiple of 64 bytes, and zip64
// where a size or place needs it.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace levin::core {

class AtomicFile;

struct ZipMember {
  std::string name;    // ASCII
  uint64_t bytes = 0;  // of the content
  // Calls the given function with the content, piece by piece, once the member's turn has come.
  std::function<void(const std::function<void(const void* data, uint64_t bytes)>&)> content;
};

// Replaces `path` in one step once the whole archive is on the disk. Throws Error{checkpoint}; a file that was there
// stays as it was. The bytes depend on the members alone.
void write_zip(const std::string& path, const std::vector<ZipMember>& members);

}  // namespace levin::core
