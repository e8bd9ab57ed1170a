#include "jpeg.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstring>
// after cstdio
#include <jerror.h>
#include <jpeglib.h>

#include "exif.hpp"
#include "levin/error.hpp"

namespace common {
namespace {

// Wraps libjpeg. libjpeg reports errors by calling error_exit, which must not return: it jumps back into `run`, over C
// frames only.
class Jpeg {
 public:
  explicit Jpeg(const std::vector<uint8_t>& file, int most_scans = 1) : most_scans_(most_scans) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = &leave;
    errors_.emit_message = &look_at_warning;
    errors_.output_message = [](j_common_ptr) {};
    info_.client_data = this;
    progress_.progress_monitor = &count_scans;
    run([&] {
      jpeg_create_decompress(&info_);
      info_.progress = &progress_;
      jpeg_mem_src(&info_, file.data(), file.size());
      jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xffff);
      jpeg_read_header(&info_, TRUE);
    });
  }
  ~Jpeg() { jpeg_destroy_decompress(&info_); }
  Jpeg(const Jpeg&) = delete;
  Jpeg& operator=(const Jpeg&) = delete;

  Header header() const {
    Header header{info_.image_width, info_.image_height, 1};
    for (const jpeg_marker_struct* m = info_.marker_list; m; m = m->next)
      if (m->data_length > 6 && std::memcmp(m->data, "Exif\0\0", 6) == 0)
        header.orientation = exif_orientation(m->data + 6, m->data_length - 6);
    return header;
  }

  Image decode(int reduction) {
    Image image;
    const bool grey = info_.jpeg_color_space == JCS_GRAYSCALE;
    const bool four = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
    info_.out_color_space = grey ? JCS_GRAYSCALE : four ? JCS_CMYK : JCS_RGB;
    info_.scale_num = 1;
    info_.scale_denom = static_cast<unsigned>(reduction);
    run([&] { jpeg_start_decompress(&info_); });
    image = {info_.output_width, info_.output_height, info_.output_components, {}};
    const size_t row = static_cast<size_t>(image.width * image.channels);
    image.pixels.resize(row * static_cast<size_t>(image.height));
    uint8_t* const pixels = image.pixels.data();
    run([&] {
      while (info_.output_scanline < info_.output_height) {
        JSAMPROW to = pixels + row * info_.output_scanline;
        jpeg_read_scanlines(&info_, &to, 1);
      }
    });
    return image;
  }

 private:
  template <class F>
  void run(const F& body) {  // body must have nothing to destroy
    if (setjmp(back_) == 0) {
      body();
      return;
    }
    char text[JMSG_LENGTH_MAX];
    info_.err->format_message(reinterpret_cast<j_common_ptr>(&info_), text);
    const std::string scans = too_many_scans_ ? scans_text() : "";
    jpeg_destroy_decompress(&info_);  // may be called twice; if the constructor called run, there is no destructor
    throw levin::Error(LEVIN_E_IO, scans.empty() ? std::string("is damaged: ") + text : scans);
  }
  std::string scans_text() const {
    return "is a progressive JPEG of more than " + std::to_string(most_scans_) + " scans of " +
           std::to_string(info_.image_width) + " x " + std::to_string(info_.image_height) +
           " pixels, which takes long to decode: save it with fewer scans, or raise --data.max_megapixels";
  }
  static Jpeg& of(j_common_ptr info) { return *static_cast<Jpeg*>(info->client_data); }
  [[noreturn]] static void leave(j_common_ptr info) { std::longjmp(of(info).back_, 1); }

  // Treats some warnings as errors: libjpeg would continue with grey or wrong pixels.
  static void look_at_warning(j_common_ptr info, int level) {
    if (level >= 0) return;
    for (const int code : {JWRN_JPEG_EOF, JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE, JWRN_MUST_RESYNC})
      if (info->err->msg_code == code) leave(info);
  }
  static void count_scans(j_common_ptr info) {
    Jpeg& self = of(info);
    if (!info->is_decompressor || self.info_.input_scan_number <= self.most_scans_) return;
    self.too_many_scans_ = true;
    leave(info);
  }

  const int most_scans_;
  bool too_many_scans_ = false;

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf back_;
};

// Converts CMYK to RGB. The values are stored inverted, as Adobe's and all other programs do.
Image without_inks(const Image& image) {
  const auto product = [](int a, int b) {  // a * b / 255, rounded
    const int t = a * b + 128;
    return ((t >> 8) + t) >> 8;
  };
  Image out{image.width, image.height, 3, {}};
  out.pixels.reserve(image.pixels.size() / 4 * 3);
  for (size_t i = 0; i + 3 < image.pixels.size(); i += 4)
    for (size_t c = 0; c < 3; ++c) {
      const int light = image.pixels[i + 3];
      out.pixels.push_back(static_cast<uint8_t>(light - product(255 - image.pixels[i + c], light)));
    }
  return out;
}

}  // namespace

Header jpeg_header(const std::vector<uint8_t>& file) { return Jpeg(file).header(); }

Image decode_jpeg(const std::vector<uint8_t>& file, const Header& header, int reduction) {
  Image image = Jpeg(file, header.most_scans).decode(reduction);
  return image.channels == 4 ? without_inks(image) : image;
}

}  // namespace common
