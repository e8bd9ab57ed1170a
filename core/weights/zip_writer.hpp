// Writes a zip archive as PyTorch does: stored members, each content aligned to 64 bytes, and zip64 where a size or
// offset needs it.
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
  // Passes the content to the given function, piece by piece. Called when the member is written.
  std::function<void(const std::function<void(const void* data, uint64_t bytes)>&)> content;
};

// Replaces `path` atomically once the whole archive is on the disk. Throws Error{checkpoint}; then an existing file
// stays unchanged. The bytes depend on the members alone.
void write_zip(const std::string& path, const std::vector<ZipMember>& members);

}  // namespace levin::core
