#include <cstdio>
#include <cstdlib>
#include <random>
// must follow cstdio
#include <jpeglib.h>

#include "catch.hpp"
#include "levin/error.hpp"
#include "plugins/common/pictures/decode.hpp"
#include "plugins/common/pictures/exif.hpp"
#include "temp_folder.hpp"

using common::Bytes;

namespace {

constexpr int64_t most = 1000000;
const char* const files[] = {"rgb.jpg",        "progressive.JPEG",  "cmyk.jpg",   "turned6.jpg", "rgb.png",
                             "interlaced.png", "palette_alpha.png", "rgb16.png",  "turned.png",
#ifdef LEVIN_WITH_WEBP
                             "lossless.webp",  "lossy.webp",
#endif
                             "palette.bmp",    "rgb.bmp",           "masks16.bmp"};

Bytes picture_bytes(const std::string& file) {
  return common::read_bytes(std::string(LEVIN_GOLDEN) + "/images/" + file);
}
common::Image decode(const Bytes& bytes) { return common::decode(bytes, common::read_header(bytes, most), 1); }
// A grey JPEG with one coefficient per scan.
Bytes progressive(unsigned size, int scans) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long n = 0;
  jpeg_mem_dest(&info, &out, &n);
  info.image_width = info.image_height = size;
  info.input_components = 1;
  info.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  std::vector<jpeg_scan_info> script;
  for (int i = 0; i < scans; ++i) script.push_back({1, {0}, i, i + 1 == scans && i > 0 ? 63 : i, 0, 0});
  info.scan_info = script.data();
  info.num_scans = scans;
  jpeg_start_compress(&info, TRUE);
  std::vector<JSAMPLE> line(size);
  while (info.next_scanline < size) {
    for (unsigned x = 0; x < size; ++x) line[x] = static_cast<JSAMPLE>(7 * x + 11 * info.next_scanline);
    JSAMPROW row = line.data();
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  Bytes bytes(out, out + n);
  std::free(out);
  jpeg_destroy_compress(&info);
  return bytes;
}
Bytes bytes(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("images that are cut short are damaged") {
  for (const char* file : files) {
    const Bytes whole = picture_bytes(file);
    CHECK(decode(whole).width > 0);
    for (const size_t percent : {0u, 1u, 5u, 30u, 60u, 90u}) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() * percent / 100));
      INFO(file << " cut to " << percent << " %");
      CHECK_THROWS_AS(decode(cut), levin::Error);
    }
  }
}

TEST_CASE("whatever bytes are wrong, an image is read or refused") {
  std::mt19937 random(1);
  for (const char* file : files) {
    const Bytes whole = picture_bytes(file);
    for (int i = 0; i < 200; ++i) {
      Bytes wrong = whole;
      for (int k = 0; k < 1 + i % 4; ++k) wrong[random() % wrong.size()] = static_cast<uint8_t>(random());
      try {
        const common::Image image = decode(wrong);
        CHECK(image.pixels.size() == static_cast<size_t>(image.width * image.height * image.channels));
      } catch (const levin::Error& e) {
        CHECK(!std::string(e.what()).empty());
      }
    }
  }
}

TEST_CASE("an image that would need too much memory is refused before it is decoded") {
  Bytes bomb = picture_bytes("rgb.png");
  for (const size_t byte : {17u, 21u}) bomb[byte] = 0xff;  // 65,300 times 65,293 pixels
  CHECK_THROWS_WITH(decode(bomb), ContainsSubstring("pixels, more than --data.max_megapixels"));
  Bytes empty = picture_bytes("rgb.png");
  empty[19] = 0;
  CHECK_THROWS_WITH(decode(empty), ContainsSubstring("0 pixels"));
}

TEST_CASE("a progressive JPEG of too many scans for its size is refused, and one of less pixels is decoded") {
  const Bytes many = progressive(/*size=*/64, /*scans=*/60);
  const auto with = [&](int64_t max_pixels) { return common::decode(many, common::read_header(many, max_pixels), 1); };
  CHECK(with(10 * 64 * 64).width == 64);
  CHECK_THROWS_WITH(with(64 * 64),
                    "is a progressive JPEG of more than 20 scans of 64 x 64 pixels, which takes long to "
                    "decode: save it with fewer scans, or raise --data.max_megapixels");
  CHECK_THROWS_WITH(with(2 * 64 * 64), ContainsSubstring("more than 40 scans"));
}

TEST_CASE("files that are not read are told apart") {
  CHECK_THROWS_WITH(decode(bytes("")), ContainsSubstring("is empty"));
  CHECK_THROWS_WITH(decode(bytes("GIF89a")), ContainsSubstring("is a GIF; JPEG, PNG, WebP and BMP are read"));
  CHECK_THROWS_AS(decode(bytes("RIFF....WEBPVP8")), levin::Error);
  CHECK_THROWS_WITH(decode(bytes("BM")), ContainsSubstring("is damaged: it ends too early"));
  CHECK_THROWS_WITH(decode(bytes("<html>")), ContainsSubstring("HTML"));
  CHECK_THROWS_WITH(decode(bytes("hello")), ContainsSubstring("is no image"));
  CHECK(common::has_image_ending("a.b/photo.JPG"));
  CHECK_FALSE(common::has_image_ending("jpg"));
}

TEST_CASE("a damaged orientation is none") {
  const std::string good = std::string("II*\0\10\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 22);
  const auto orientation = [](const std::string& text) {
    return common::exif_orientation(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  };
  CHECK(orientation(good) == 6);
  for (size_t n = 0; n < 20; ++n) CHECK(orientation(good.substr(0, n)) == 1);
  for (const auto& [at, byte] : {std::pair<size_t, char>{18, 9}, {4, '\xff'}, {8, '\xff'}, {0, 'X'}}) {
    std::string wrong = good;
    wrong[at] = byte;
    CHECK((at == 8 || orientation(wrong) == 1));
  }
}
