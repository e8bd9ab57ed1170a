#include "picture_options.hpp"

#include <charconv>
#include <cmath>

#include "../csv_columns.hpp"
#include "colours.hpp"
#include "exif.hpp"

namespace common {
namespace {

constexpr double imagenet_mean[] = {0.485, 0.456, 0.406}, imagenet_deviation[] = {0.229, 0.224, 0.225};
constexpr double imagenet_grey_mean = 0.449, imagenet_grey_deviation = 0.226;

[[noreturn]] void refuse_option(const std::string& what) { throw levin::Error(LEVIN_E_INVALID, what); }

double number_in(const std::string& text, const char* option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    refuse_option(std::string(option) + " has '" + text +
                  "', which is no number; give imagenet, or numbers as in 0.5,0.4,0.3");
  return value;
}

// Parses a text such as "0.5", "0.485,0.456,0.406" or "[0.485, 0.456, 0.406]".
std::vector<double> numbers_of(std::string text, const char* option, size_t channels) {
  if (text.size() > 1 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  for (const std::string& part : list_of(text)) numbers.push_back(number_in(part, option));
  if (numbers.size() == 1) numbers.resize(channels, numbers[0]);
  if (numbers.size() != channels)
    refuse_option(std::string(option) + " has " + std::to_string(numbers.size()) + " numbers for " +
                  std::to_string(channels) + (channels == 1 ? " channel" : " channels"));
  return numbers;
}

std::vector<double> imagenet_or(const std::string& text, const char* option, int64_t channels, const double* colours,
                                double grey) {
  if (text != "imagenet") return numbers_of(text, option, static_cast<size_t>(channels));
  if (channels == 1) return {grey};
  return {colours, colours + 3};
}

}  // namespace

PictureOptions::PictureOptions(const levin::Args& o, bool normalizes)
    : channels(o.integer("channels")),
      background(static_cast<uint8_t>(o.integer("background"))),
      max_pixels(static_cast<int64_t>(o.number("max_megapixels") * 1e6)) {
  if (channels == 2) refuse_option("channels is 2: give 1 (grey) or 3 (red, green, blue)");
  const auto own = [&](const char* option, const double* colours, double grey) {
    if (!normalizes && o.text(option) != "imagenet")
      refuse_option("--data." + std::string(option) +
                    " may not be combined with --data.transforms: put normalize at the end of the list");
    return imagenet_or(o.text(option), option, channels, colours, grey);
  };
  std::vector<double> mean = own("mean", imagenet_mean, imagenet_grey_mean);
  std::vector<double> deviation = own("std", imagenet_deviation, imagenet_grey_deviation);
  for (const double d : deviation)
    if (d <= 0) refuse_option("std is " + std::to_string(d) + "; it has to be more than 0");
  if (!normalizes) {
    mean.assign(mean.size(), 0);
    deviation.assign(mean.size(), 1);
  }
  numbers = PixelNumbers(mean, deviation);
}

Image PictureOptions::shown(const Bytes& file, const Header& header, int reduction) const {
  return with_channels(upright(decode(file, header, reduction), header.orientation), channels, background);
}

}  // namespace common
