#include "png.hpp"

#include <png.h>

#include <cstring>
#include <new>
#include <string>

#include "exif.hpp"
#include "levin/error.hpp"

namespace common {
namespace {

constexpr size_t signature_size = 8, around_chunk = 12;  // length, type and checksum

uint32_t big_endian(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) << 24 | static_cast<uint32_t>(p[1]) << 16 | static_cast<uint32_t>(p[2]) << 8 |
         p[3];
}

struct Chunk {
  const uint8_t* data = nullptr;
  size_t n = 0;
};
// Returns the first chunk of this type; data is null if there is none.
Chunk find_chunk(const std::vector<uint8_t>& file, const char* type) {
  for (size_t at = signature_size; at + around_chunk <= file.size();) {
    const size_t n = big_endian(file.data() + at);
    if (n > file.size() - at - around_chunk) break;
    if (std::memcmp(file.data() + at + 4, type, 4) == 0) return {file.data() + at + 8, n};
    at += around_chunk + n;
  }
  return {};
}

// Wraps libpng. libpng reports errors by calling `leave`, which jumps back into `run`, over C frames only.
class Png {
 public:
  explicit Png(const std::vector<uint8_t>& file)
      : next_(file.data() + signature_size), end_(file.data() + file.size()) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &leave, [](png_structp, png_const_charp) {});
    if (png_) info_ = png_create_info_struct(png_);
    if (info_) return;
    png_destroy_read_struct(&png_, nullptr, nullptr);
    throw std::bad_alloc();
  }
  ~Png() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;

  // as_values: grey levels and palette indices as they are in the file.
  Image decode(bool as_values) {
    run([this] {
      png_set_read_fn(png_, this, &read);
      png_set_sig_bytes(png_, signature_size);
      png_read_info(png_, info_);
    });
    if (as_values) check_values();
    run([this, as_values] {
      if (as_values) {
        png_set_packing(png_);  // a byte for each pixel
      } else {
        png_set_expand(png_);    // expands palettes, less than 8 bits and a transparent colour
        png_set_scale_16(png_);  // 16 to 8 bits, rounded
      }
      png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
    Image image{png_get_image_width(png_, info_), png_get_image_height(png_, info_), png_get_channels(png_, info_), {}};
    const size_t row = png_get_rowbytes(png_, info_);
    if (row != static_cast<size_t>(image.width * image.channels)) throw levin::Error(LEVIN_E_IO, "is damaged");
    image.pixels.resize(row * static_cast<size_t>(image.height));
    std::vector<png_bytep> rows;
    for (size_t y = 0; y < static_cast<size_t>(image.height); ++y) rows.push_back(image.pixels.data() + row * y);
    png_bytep* const to = rows.data();
    run([this, to] {
      png_read_image(png_, to);
      png_read_end(png_, nullptr);
    });
    return image;
  }

 private:
  void check_values() const {
    const int kind = png_get_color_type(png_, info_);
    if (kind != PNG_COLOR_TYPE_GRAY && kind != PNG_COLOR_TYPE_PALETTE)
      throw levin::Error(LEVIN_E_IO, "has colours; a mask is a grey or palette PNG, whose values are classes");
    if (png_get_bit_depth(png_, info_) > 8) throw levin::Error(LEVIN_E_IO, "has 16 bits a pixel; a mask has up to 8");
  }
  template <class F>
  void run(const F& body) {  // body must have nothing to destroy
    if (setjmp(png_jmpbuf(png_)) == 0) {
      body();
      return;
    }
    throw levin::Error(LEVIN_E_IO, std::string("is damaged: ") + text_);
  }
  [[noreturn]] static void leave(png_structp png, png_const_charp text) {
    Png& self = *static_cast<Png*>(png_get_error_ptr(png));
    std::strncpy(self.text_, text ? text : "", sizeof self.text_ - 1);
    png_longjmp(png, 1);
  }
  static void read(png_structp png, png_bytep out, size_t n) {
    Png& self = *static_cast<Png*>(png_get_io_ptr(png));
    if (n > static_cast<size_t>(self.end_ - self.next_)) png_error(png, "it ends too early");
    std::memcpy(out, self.next_, n);
    self.next_ += n;
  }

  const uint8_t *next_, *end_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char text_[128] = "";
};

}  // namespace

Header png_header(const std::vector<uint8_t>& file) {
  const Chunk header = find_chunk(file, "IHDR"), exif = find_chunk(file, "eXIf");
  if (header.n < 8) throw levin::Error(LEVIN_E_IO, "is damaged: it ends too early");
  return {big_endian(header.data), big_endian(header.data + 4), exif.data ? exif_orientation(exif.data, exif.n) : 1};
}

namespace {

Image decoded(const std::vector<uint8_t>& file, const Header& header, bool as_values) {
  Image image = Png(file).decode(as_values);
  if (image.width != header.width || image.height != header.height)
    throw levin::Error(LEVIN_E_IO, "is damaged: it has two headers");
  return image;
}

}  // namespace

Image decode_png(const std::vector<uint8_t>& file, const Header& header) { return decoded(file, header, false); }

Image decode_png_values(const std::vector<uint8_t>& file, const Header& header) { return decoded(file, header, true); }

}  // namespace common
