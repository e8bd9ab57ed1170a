#include "gz_file.hpp"

#include <algorithm>
#include <filesystem>

#include "levin/error.hpp"
#include "memory_limit.hpp"

namespace common {

GzFile::GzFile(const std::string& path) : path_(path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw levin::Error(LEVIN_E_IO, path + " is not a file");
  size_ = std::filesystem::file_size(path, error);
  file_.reset(gzopen(path.c_str(), "rb"));
  if (error || !file_) throw levin::Error(LEVIN_E_IO, path + " cannot be opened; check that it may be read");
  gzbuffer(file_.get(), 1 << 17);
}

size_t GzFile::read(uint8_t* out, size_t n) {
  size_t done = 0;
  while (done < n) {
    const int got = gzread(file_.get(), out + done, static_cast<unsigned>(std::min<size_t>(n - done, 1 << 24)));
    if (got < 0) damaged();
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

bool GzFile::at_end() {
  uint8_t more;
  if (read(&more, 1) != 0) return false;
  int error = Z_OK;
  gzerror(file_.get(), &error);
  if (error != Z_OK && error != Z_STREAM_END) damaged();
  return true;
}

uint64_t GzFile::most_bytes() const { return gzdirect(file_.get()) ? size_ : size_ * max_compression; }

void GzFile::damaged() {
  int error = Z_OK;
  const std::string text = gzerror(file_.get(), &error);
  throw levin::Error(LEVIN_E_IO, path_ + " is damaged or truncated (" +
                                     (text.empty() ? "gzip error " + std::to_string(error) : text) +
                                     "); fetch it again");
}

}  // namespace common
