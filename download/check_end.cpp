#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "archive_reader.hpp"

namespace download {
namespace {

constexpr unsigned chunk_size = 1u << 18;
constexpr size_t end_size = 1024;  // zeros at the end of a tar archive

// What a stream ends with.
class Tail {
 public:
  void add(const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    tail_.insert(tail_.end(), bytes + (size > end_size ? size - end_size : 0), bytes + size);
    if (tail_.size() > end_size) tail_.erase(tail_.begin(), tail_.end() - end_size);
  }
  bool has_end() const {
    return tail_.size() == end_size && std::all_of(tail_.begin(), tail_.end(), [](char c) { return c == 0; });
  }

 private:
  std::vector<char> tail_;
};

// libarchive does not compare the checksum of gzip.
void read_gzip(const std::string& path, const Progress& progress, Tail& tail) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose);
  std::vector<char> block(chunk_size);
  int n = 0, code = Z_OK;
  while (file && (n = gzread(file.get(), block.data(), chunk_size)) > 0) {
    if (progress.ends()) throw Ended{};
    tail.add(block.data(), static_cast<size_t>(n));
  }
  const char* text = file ? gzerror(file.get(), &code) : "it cannot be opened";
  if (!file || n < 0 || code != Z_OK) refuse_damaged(code == Z_BUF_ERROR ? "it is truncated" : text);
}

void read_other(const std::string& path, const Progress& progress, Tail& tail) {
  const std::unique_ptr<archive, int (*)(archive*)> from(archive_read_new(), &archive_read_free);
  archive_read_support_filter_bzip2(from.get());
  archive_read_support_filter_xz(from.get());
  archive_read_support_filter_zstd(from.get());
  archive_read_support_format_raw(from.get());
  archive_entry* entry = nullptr;
  int result = archive_read_open_filename(from.get(), path.c_str(), chunk_size);
  if (result == ARCHIVE_OK) result = archive_read_next_header(from.get(), &entry);
  const void* data = nullptr;
  size_t size = 0;
  la_int64_t offset = 0;
  while (result == ARCHIVE_OK && (result = archive_read_data_block(from.get(), &data, &size, &offset)) == ARCHIVE_OK) {
    if (progress.ends()) throw Ended{};
    tail.add(data, size);
  }
  if (result == ARCHIVE_EOF) return;
  const char* text = archive_error_string(from.get());
  refuse_damaged(text ? text : "it cannot be read");
}

}  // namespace

void check_end(const std::string& path, const Progress& progress) {
  char begin[4] = {};
  if (const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose); file)
    (void)!std::fread(begin, 1, sizeof begin, file.get());
  if (begin[0] == 'P' && begin[1] == 'K') return;
  Tail tail;
  begin[0] == '\x1f' && begin[1] == '\x8b' ? read_gzip(path, progress, tail) : read_other(path, progress, tail);
  if (!tail.has_end()) refuse_damaged("it is truncated: the zeros at its end are missing");
}

}  // namespace download
