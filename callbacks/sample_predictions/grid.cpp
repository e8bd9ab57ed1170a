#include "grid.hpp"

#include <algorithm>
#include <cmath>

#include "levin/util/figure/font.hpp"

namespace levin::sample_predictions {
namespace {

constexpr int64_t least_size = 96, most_size = 256, gap = 8, line_height = 12, letter = 6;

struct Rgb {
  uint8_t red, green, blue;
};
constexpr Rgb green{26, 127, 55}, red{198, 40, 40}, dark{32, 32, 32};

struct Size {
  int64_t height, width;
};

// The size at which a picture is drawn: a multiple of its own, or less if it is large.
Size drawn_size(const Picture& picture) {
  const int64_t longest = std::max<int64_t>({1, picture.height, picture.width});
  if (longest <= most_size) {
    const int64_t zoom = std::max<int64_t>(1, least_size / longest);
    return {picture.height * zoom, picture.width * zoom};
  }
  const auto shrunk = [longest](int64_t size) { return std::max<int64_t>(1, size * most_size / longest); };
  return {shrunk(picture.height), shrunk(picture.width)};
}

class Canvas {
 public:
  Canvas(int64_t height, int64_t width)
      : out_{height, width, std::vector<uint8_t>(static_cast<size_t>(height * width * 3), 255)} {}

  void picture(int64_t top, int64_t left, const Picture& picture) {
    const Size size = drawn_size(picture);
    double least = 0, range = 255;
    if (!picture.bytes) {
      least = INFINITY;
      double most = -INFINITY;
      for (const double value : picture.values)
        if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
      range = most > least ? most - least : 1;
    }
    const auto shade = [&](int64_t channel, int64_t y, int64_t x) {
      const int64_t place = (channel * picture.height + y) * picture.width + x;
      const double share = (picture.values[static_cast<size_t>(place)] - least) / range;
      return std::isfinite(share) ? static_cast<uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0))) : uint8_t{0};
    };
    for (int64_t row = 0; row < size.height; ++row)
      for (int64_t column = 0; column < size.width; ++column) {
        const int64_t y = row * picture.height / size.height, x = column * picture.width / size.width;
        const bool colored = picture.channels == 3;
        set(top + row, left + column, {shade(0, y, x), shade(colored ? 1 : 0, y, x), shade(colored ? 2 : 0, y, x)});
      }
  }

  // Characters outside of ASCII become "?". A text that is too long ends with "..".
  void text(int64_t top, int64_t left, int64_t width, const std::string& given, Rgb color) {
    std::string text;
    for (const char c : given)
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) text += c >= ' ' && c <= '~' ? c : '?';
    const auto most = static_cast<size_t>(width / letter);
    if (text.size() > most) text = text.substr(0, most - 2) + "..";
    for (const char c : text) {
      for (int64_t column = 0; column < 5; ++column)
        for (int64_t row = 0; row < 8; ++row)
          if (detail::figure::font[c - ' '][column] >> row & 1) set(top + row, left + column, color);
      left += letter;
    }
  }

  Pixels take() { return std::move(out_); }

 private:
  void set(int64_t row, int64_t column, Rgb color) {
    uint8_t* at = &out_.rgb[static_cast<size_t>((row * out_.width + column) * 3)];
    at[0] = color.red, at[1] = color.green, at[2] = color.blue;
  }
  Pixels out_;
};

}  // namespace

Pixels draw_grid(const std::vector<Sample>& samples) {
  const auto n = static_cast<int64_t>(samples.size());
  const auto columns = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(n)))));
  Size cell{1, least_size};
  for (const Sample& sample : samples) {
    const Size size = drawn_size(sample.picture);
    cell = {std::max(cell.height, size.height), std::max(cell.width, size.width)};
  }
  const int64_t down = cell.height + 2 * line_height + gap, across = cell.width + gap;
  Canvas canvas(gap + (n + columns - 1) / columns * down, gap + columns * across);
  for (int64_t i = 0; i < n; ++i) {
    const Sample& sample = samples[static_cast<size_t>(i)];
    const int64_t top = gap + i / columns * down, left = gap + i % columns * across, below = top + cell.height + 3;
    canvas.picture(top, left, sample.picture);
    const Rgb color = sample.verdict == Verdict::right ? green : sample.verdict == Verdict::wrong ? red : dark;
    canvas.text(below, left, cell.width, sample.prediction, color);
    if (sample.verdict != Verdict::right)
      canvas.text(below + line_height, left, cell.width, "true: " + sample.target, dark);
  }
  return canvas.take();
}

std::string texts_of(const std::vector<Sample>& samples) {
  std::string out;
  for (const Sample& sample : samples) {
    out += (out.empty() ? "" : "; ") + sample.prediction;
    if (sample.verdict != Verdict::right) out += " (true: " + sample.target + ")";
  }
  return out;
}

}  // namespace levin::sample_predictions
