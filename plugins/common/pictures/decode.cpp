#include "decode.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "bmp.hpp"
#include "jpeg.hpp"
#include "levin/error.hpp"
#include "png.hpp"
#include "webp.hpp"

namespace common {
namespace {

[[noreturn]] void refuse_image(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

bool starts_with(const Bytes& file, const char* with, size_t n, size_t at = 0) {
  return file.size() >= at + n && std::memcmp(file.data() + at, with, n) == 0;
}
bool is_png(const Bytes& file) { return starts_with(file, "\x89PNG\r\n\x1a\n", 8); }
bool is_webp(const Bytes& file) { return starts_with(file, "RIFF", 4) && starts_with(file, "WEBP", 4, 8); }
bool is_bmp(const Bytes& file) { return starts_with(file, "BM", 2); }

// Describes the format of a file that is not read, for messages.
std::string other_format(const Bytes& file) {
  if (file.empty()) return "is empty";
  if (starts_with(file, "GIF8", 4)) return "is a GIF";
  if (starts_with(file, "II*\0", 4) || starts_with(file, "MM\0*", 4)) return "is a TIFF";
  if (starts_with(file, "ftyp", 4, 4)) return "is a HEIC or AVIF image";
  if (starts_with(file, "<", 1)) return "is HTML, XML or SVG";
  return "is no image";
}

Header header_of(const Bytes& file) {
  if (is_jpeg(file)) return jpeg_header(file);
  if (is_png(file)) return png_header(file);
  if (is_webp(file)) return webp_header(file);
  if (is_bmp(file)) return bmp_header(file);
  refuse_image(other_format(file) + "; JPEG, PNG, WebP and BMP are read");
}

// Returns the maximum number of scans. Decoding a small progressive JPEG with many scans may take minutes; 10 are
// usual.
int most_scans(int64_t pixels, int64_t max_pixels) {
  constexpr int64_t of_largest = 20, of_any = 500;
  return static_cast<int>(std::min(of_any, of_largest * max_pixels / pixels));
}

}  // namespace

bool is_jpeg(const Bytes& file) { return starts_with(file, "\xff\xd8\xff", 3); }

const char* const image_endings[7] = {"jpg", "jpeg", "jpe", "jfif", "png", "webp", "bmp"};

bool has_image_ending(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = name.substr(dot + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const char* known : image_endings)
    if (ending == known) return true;
  return false;
}

Bytes read_bytes(const std::string& path) {
  struct stat st {};
  const bool there = stat(path.c_str(), &st) == 0;
  if (there && !S_ISREG(st.st_mode)) refuse_image("is no file");  // opening a pipe would block
  const std::unique_ptr<FILE, int (*)(FILE*)> file(there ? std::fopen(path.c_str(), "rb") : nullptr, &std::fclose);
  if (!file) refuse_image(std::string("cannot be opened: ") + std::strerror(errno));
  Bytes bytes(static_cast<size_t>(st.st_size));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get())) refuse_image(std::string("cannot be read: ") + std::strerror(errno));
  return bytes;
}

Header read_header(const Bytes& file, int64_t max_pixels) {
  Header header = header_of(file);
  if (header.width < 1 || header.height < 1) refuse_image("has a side of 0 pixels");
  if (header.width > max_pixels / header.height)
    refuse_image("says to have " + std::to_string(header.width) + " x " + std::to_string(header.height) +
                 " pixels, more than --data.max_megapixels");
  header.most_scans = most_scans(header.width * header.height, max_pixels);
  return header;
}

Image decode(const Bytes& file, const Header& header, int reduction) {
  if (is_png(file)) return decode_png(file, header);
  if (is_webp(file)) return decode_webp(file, header);
  if (is_bmp(file)) return decode_bmp(file, header);
  return decode_jpeg(file, header, reduction);
}

Image decode_mask(const Bytes& file, const Header& header) {
  if (!is_png(file)) refuse_image("is no PNG; masks are PNGs, which keep the class of each pixel");
  return decode_png_values(file, header);
}

}  // namespace common
