#include "decode.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "jpeg.hpp"
#include "levin/error.hpp"
#include "png.hpp"

namespace image_folder {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

bool begins(const Bytes& file, const char* with, size_t n, size_t at = 0) {
  return file.size() >= at + n && std::memcmp(file.data() + at, with, n) == 0;
}
bool is_png(const Bytes& file) { return begins(file, "\x89PNG\r\n\x1a\n", 8); }

// Describes the format of a file that is neither JPEG nor PNG, for messages.
std::string other_format(const Bytes& file) {
  if (file.empty()) return "is empty";
  if (begins(file, "GIF8", 4)) return "is a GIF";
  if (begins(file, "RIFF", 4) && begins(file, "WEBP", 4, 8)) return "is a WebP image";
  if (begins(file, "BM", 2)) return "is a BMP";
  if (begins(file, "II*\0", 4) || begins(file, "MM\0*", 4)) return "is a TIFF";
  if (begins(file, "ftyp", 4, 4)) return "is a HEIC or AVIF image";
  if (begins(file, "<", 1)) return "is HTML, XML or SVG";
  return "is no image";
}

// Returns the maximum number of scans. Decoding a small progressive JPEG with many scans may take minutes; 10 are
// usual.
int most_scans(int64_t pixels, int64_t max_pixels) {
  constexpr int64_t of_largest = 20, of_any = 500;
  return static_cast<int>(std::min(of_any, of_largest * max_pixels / pixels));
}

}  // namespace

bool is_jpeg(const Bytes& file) { return begins(file, "\xff\xd8\xff", 3); }

bool has_image_ending(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = name.substr(dot + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const char* known : {"jpg", "jpeg", "jpe", "jfif", "png"})
    if (ending == known) return true;
  return false;
}

Bytes read_bytes(const std::string& path) {
  struct stat st {};
  const bool there = stat(path.c_str(), &st) == 0;
  if (there && !S_ISREG(st.st_mode)) refuse("is no file");  // opening a pipe would block
  const std::unique_ptr<FILE, int (*)(FILE*)> file(there ? std::fopen(path.c_str(), "rb") : nullptr, &std::fclose);
  if (!file) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  Bytes bytes(static_cast<size_t>(st.st_size));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get())) refuse(std::string("cannot be read: ") + std::strerror(errno));
  return bytes;
}

Header read_header(const Bytes& file, int64_t max_pixels) {
  if (!is_jpeg(file) && !is_png(file)) refuse(other_format(file) + "; JPEG and PNG are read");
  Header header = is_png(file) ? png_header(file) : jpeg_header(file);
  if (header.width < 1 || header.height < 1) refuse("has a side of 0 pixels");
  if (header.width > max_pixels / header.height)
    refuse("says to have " + std::to_string(header.width) + " x " + std::to_string(header.height) +
           " pixels, more than --data.max_megapixels");
  header.most_scans = most_scans(header.width * header.height, max_pixels);
  return header;
}

Image decode(const Bytes& file, const Header& header, int reduction) {
  return is_png(file) ? decode_png(file, header) : decode_jpeg(file, header, reduction);
}

}  // namespace image_folder
