#include "bmp.hpp"

#include <string>

#include "levin/error.hpp"

namespace common {
namespace {

[[noreturn]] void refuse_bmp(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

// Reads little-endian numbers; throws for those past the end.
class BmpBytes {
 public:
  explicit BmpBytes(const std::vector<uint8_t>& file) : file_(file) {}
  uint32_t number(size_t at, size_t size) const {
    if (at > file_.size() || size > file_.size() - at) refuse_bmp("is damaged: it ends too early");
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= static_cast<uint32_t>(file_[at + i]) << (8 * i);
    return value;
  }

 private:
  const std::vector<uint8_t>& file_;
};

// A part of the bits of a pixel, such as its red.
struct Bits {
  uint32_t mask = 0;
  uint8_t of(uint32_t pixel) const {
    if (mask == 0) return 0;
    const int shift = __builtin_ctz(mask);
    return static_cast<uint8_t>(static_cast<uint64_t>((pixel & mask) >> shift) * 255 / (mask >> shift));
  }
};

struct Layout {
  size_t info, pixels, palette;  // offsets
  int64_t width, height;
  bool top_down;
  uint32_t bits, colours, colour_bytes;
  Bits parts[4];  // red, green, blue, alpha of 16 and 32 bits
};

constexpr size_t file_header = 14, core_header = 12, info_header = 40;

void read_masks(const BmpBytes& file, uint32_t header_size, uint32_t compression, Layout& out) {
  constexpr uint32_t plain = 0, by_masks = 3, by_masks_with_alpha = 6;
  if (compression == plain && out.bits == 16) {
    for (int part = 0; part < 3; ++part) out.parts[part].mask = 0x1fu << (5 * (2 - part));
  } else if (compression == plain) {
    for (int part = 0; part < 3; ++part) out.parts[part].mask = 0xffu << (8 * (2 - part));
  } else if (compression == by_masks || compression == by_masks_with_alpha) {
    const bool alpha = header_size >= 56 || compression == by_masks_with_alpha;
    for (size_t part = 0; part < (alpha ? 4 : 3); ++part)
      out.parts[part].mask = file.number(out.info + info_header + 4 * part, 4);
    if (header_size == info_header) out.palette += alpha ? 16 : 12;
  } else {
    refuse_bmp("is a BMP with a compression that is not read: save it as PNG");
  }
}

Layout layout_of(const std::vector<uint8_t>& bytes) {
  const BmpBytes file(bytes);
  Layout out{};
  out.info = file_header;
  out.pixels = file.number(10, 4);
  const uint32_t size = file.number(out.info, 4);
  if (size != core_header && (size < info_header || size > 1024))
    refuse_bmp("is damaged: its header has an unknown size");
  const bool core = size == core_header;
  const size_t side = core ? 2 : 4;
  out.width = static_cast<int32_t>(file.number(out.info + 4, side));
  const auto height = static_cast<int32_t>(file.number(out.info + 4 + side, side));
  out.top_down = height < 0;
  out.height = out.top_down ? -static_cast<int64_t>(height) : height;
  out.bits = file.number(out.info + 6 + 2 * side, 2);
  out.colours = core ? 0 : file.number(out.info + 32, 4);
  out.colour_bytes = core ? 3 : 4;
  out.palette = out.info + size;
  bool known = false;
  for (const uint32_t bits : {1u, 4u, 8u, 16u, 24u, 32u}) known = known || out.bits == bits;
  if (!known) refuse_bmp("is damaged: it has " + std::to_string(out.bits) + " bits a pixel");
  read_masks(file, size, core ? 0 : file.number(out.info + 16, 4), out);
  if (out.bits <= 8 && (out.colours == 0 || out.colours > 1u << out.bits)) out.colours = 1u << out.bits;
  return out;
}

void read_indexed_row(const BmpBytes& file, const Layout& layout, size_t row, uint8_t* to) {
  for (int64_t x = 0; x < layout.width; ++x, to += 3) {
    const size_t bit = static_cast<size_t>(x) * layout.bits;
    const uint32_t byte = file.number(row + bit / 8, 1);
    const uint32_t index = byte >> (8 - layout.bits - bit % 8) & ((1u << layout.bits) - 1);
    if (index >= layout.colours) refuse_bmp("is damaged: a pixel has a colour that the palette lacks");
    const size_t colour = layout.palette + static_cast<size_t>(index) * layout.colour_bytes;
    for (size_t c = 0; c < 3; ++c) to[c] = static_cast<uint8_t>(file.number(colour + 2 - c, 1));
  }
}

void read_row(const BmpBytes& file, const Layout& layout, size_t row, int64_t channels, uint8_t* to) {
  const size_t bytes = layout.bits / 8;
  for (int64_t x = 0; x < layout.width; ++x, to += channels) {
    const uint32_t pixel = file.number(row + static_cast<size_t>(x) * bytes, bytes);
    for (int64_t c = 0; c < channels; ++c) to[c] = layout.parts[c].of(pixel);
  }
}

}  // namespace

Header bmp_header(const std::vector<uint8_t>& file) {
  const Layout layout = layout_of(file);
  return {layout.width, layout.height, 1, 1};
}

Image decode_bmp(const std::vector<uint8_t>& bytes, const Header&) {
  const Layout layout = layout_of(bytes);
  const size_t row = (static_cast<size_t>(layout.width) * layout.bits + 31) / 32 * 4;
  const size_t rows = static_cast<size_t>(layout.height);
  if (layout.pixels > bytes.size() || row > (bytes.size() - layout.pixels) / rows)
    refuse_bmp("is damaged: it ends too early");
  Image image{layout.width, layout.height, layout.bits > 8 && layout.parts[3].mask != 0 ? 4 : 3, {}};
  image.pixels.resize(static_cast<size_t>(image.width * image.channels) * rows);
  const BmpBytes file(bytes);
  for (size_t y = 0; y < rows; ++y) {
    const size_t from = layout.pixels + row * (layout.top_down ? y : rows - 1 - y);
    uint8_t* to = image.pixels.data() + static_cast<size_t>(image.width * image.channels) * y;
    if (layout.bits <= 8)
      read_indexed_row(file, layout, from, to);
    else
      read_row(file, layout, from, image.channels, to);
  }
  return image;
}

}  // namespace common
