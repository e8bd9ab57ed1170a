#include "inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../common/arrays/dtype.hpp"
#include "../common/arrays/npy_header.hpp"
#include "../common/pictures/colours.hpp"
#include "../common/pictures/decode.hpp"
#include "../common/pictures/exif.hpp"
#include "levin/error.hpp"

namespace webdataset {
namespace {

[[noreturn]] void refuse_input(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

bool is_netpbm(const Bytes& file) { return file.size() > 2 && file[0] == 'P' && (file[1] == '5' || file[1] == '6'); }

// Reads the next number of a PGM or PPM header, behind white space and comments.
int64_t next_number(const Bytes& file, size_t& at) {
  while (at < file.size() && (std::isspace(file[at]) || file[at] == '#')) {
    if (file[at] == '#')
      while (at < file.size() && file[at] != '\n') ++at;
    else
      ++at;
  }
  int64_t value = 0;
  size_t digits = 0;
  for (; at < file.size() && std::isdigit(file[at]) && digits < 9; ++at, ++digits) value = 10 * value + file[at] - '0';
  if (digits == 0) refuse_input("its PGM or PPM header is damaged");
  return value;
}

common::Image read_netpbm(const Bytes& file, int64_t max_pixels) {
  size_t at = 2;
  common::Image image;
  image.width = next_number(file, at), image.height = next_number(file, at);
  const int64_t most = next_number(file, at);
  ++at;  // one white space
  image.channels = file[1] == '5' ? 1 : 3;
  if (most != 255) refuse_input("its PGM or PPM values go up to " + std::to_string(most) + "; 255 is read");
  if (image.width < 1 || image.height < 1 || image.width > max_pixels / image.height)
    refuse_input("has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                 " pixels, more than --data.max_megapixels, or none");
  const auto bytes = static_cast<size_t>(image.width * image.height * image.channels);
  if (at > file.size() || file.size() - at < bytes) refuse_input("is truncated");
  image.pixels.assign(file.begin() + static_cast<ptrdiff_t>(at), file.begin() + static_cast<ptrdiff_t>(at + bytes));
  return image;
}

std::string last_ending(const std::string& field) {
  const size_t dot = field.rfind('.');
  return dot == field.npos ? field : field.substr(dot + 1);
}

}  // namespace

bool is_array(const std::string& field) { return last_ending(field) == "npy"; }

bool is_input(const std::string& field) {
  const std::string ending = last_ending(field);
  return is_array(field) || ending == "pgm" || ending == "ppm" || common::has_image_ending("x." + ending);
}

levin::images::Image decode_image(const Bytes& file, const common::PictureOptions& options) {
  common::Image image;
  if (is_netpbm(file)) {
    image = read_netpbm(file, options.max_pixels);
  } else {
    const common::Header header = common::read_header(file, options.max_pixels);
    image = common::upright(common::decode(file, header, 1), header.orientation);
  }
  return common::in_planes(common::with_channels(image, options.channels, options.background));
}

std::vector<float> decode_array(const Bytes& file, std::vector<int64_t>& shape) {
  const arrays::Bytes bytes{file.data(), file.size(), "its array"};
  const arrays::Header header = arrays::read_header(bytes);
  const arrays::Dtype dtype = arrays::dtype_of(header.descr, bytes);
  if (header.fortran_order && header.shape.size() > 1)
    bytes.fail("is in Fortran order: save a numpy.ascontiguousarray");
  if (header.shape.size() > 6) bytes.fail("has more than 6 dimensions");
  uint64_t n = 1;
  const uint64_t held = (file.size() - header.begin) / dtype.bytes;
  for (const int64_t size : header.shape)
    n = size == 0 ? 0 : n > held / static_cast<uint64_t>(size) ? held + 1 : n * static_cast<uint64_t>(size);
  if (n == 0 || n > held) bytes.fail(n == 0 ? "is empty" : "is truncated");
  if (!shape.empty() && shape != header.shape) bytes.fail("has another shape than the first sample's");
  if (shape.empty()) shape = header.shape;
  std::vector<float> out(n);
  dtype.floats(file.data() + header.begin, static_cast<ptrdiff_t>(dtype.bytes), n, out.data());
  if (!std::all_of(out.begin(), out.end(), [](float x) { return std::isfinite(x); }))
    bytes.fail("has an element that is NaN or infinite");
  return out;
}

}  // namespace webdataset
