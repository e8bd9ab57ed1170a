#include "options.hpp"

#include <charconv>
#include <cmath>

#include "../common/csv_columns.hpp"

namespace image_folder {
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
  for (const std::string& part : common::list_of(text)) numbers.push_back(number_in(part, option));
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

// Throws levin::Error for options that the list replaces.
void refuse_beside_transforms(const levin::Args& o) {
  const auto refuse = [](const std::string& option, const std::string& instead) {
    refuse_option("--data." + option + " may not be combined with --data.transforms: " + instead);
  };
  if (o.integer("size") != default_size) refuse("size", "the list decides on the size, as resize:N:N");
  if (!o.is_null("width")) refuse("width", "the list decides on the size, as resize:HEIGHT:WIDTH");
  if (o.text("resize") != "cover") refuse("resize", "put resize:HEIGHT:WIDTH or pad:N into the list");
  if (o.number("crop_pct") < 1) refuse("crop_pct", "put resize:N, center_crop:M into the list");
  if (o.text("crop") != "center") refuse("crop", "put random_crop:N or random_resized_crop:N into the list");
  if (o.flag("flip")) refuse("flip", "put flip into the list");
  for (const char* option : {"mean", "std"})
    if (o.text(option) != "imagenet" && !levin::images::Transforms(o.text("transforms")).normalizes())
      refuse(option, "put normalize at the end of the list");
}

}  // namespace

ImageOptions::ImageOptions(const levin::Args& o)
    : transforms(o.text("transforms")),
      size{o.is_null("width") ? o.integer("size") : o.integer("width"), o.integer("size")},
      channels(o.integer("channels")),
      resize(o.text("resize")),
      crop(o.text("crop")),
      crop_pct(o.number("crop_pct")),
      min_area(o.number("min_area")),
      flip(o.flag("flip")),
      mean(imagenet_or(o.text("mean"), "mean", channels, imagenet_mean, imagenet_grey_mean)),
      deviation(imagenet_or(o.text("std"), "std", channels, imagenet_deviation, imagenet_grey_deviation)),
      background(static_cast<uint8_t>(o.integer("background"))),
      max_pixels(static_cast<int64_t>(o.number("max_megapixels") * 1e6)) {
  if (channels == 2) refuse_option("channels is 2: give 1 (grey) or 3 (red, green, blue)");
  for (const double d : deviation)
    if (d <= 0) refuse_option("std is " + std::to_string(d) + "; it has to be more than 0");
  if (resize == "pad" && (crop_pct < 1 || crop == "random"))
    refuse_option("resize pad keeps the whole image: leave crop_pct and crop out, or give resize cover");
  if (transforms.empty()) return;
  refuse_beside_transforms(o);
  if (!transforms.normalizes()) mean.assign(mean.size(), 0), deviation.assign(deviation.size(), 1);
  const levin::images::Shape shape = transforms.after({channels, 0, 0});
  if (shape.height == 0 || shape.width == 0)
    refuse_option("--data.transforms " + o.text("transforms") +
                  " leaves images of different sizes as they are, and a batch needs one size: put resize:HEIGHT:WIDTH, "
                  "center_crop:SIZE, random_crop:SIZE or random_resized_crop:SIZE into the list");
  size = {shape.width, shape.height};
}

FolderOptions::FolderOptions(const levin::Args& o)
    : dir(o.text("dir")),
      labels(o.text("labels")),
      file_column(o.text("file_column")),
      label_column(o.text("label_column")),
      predict_dir(o.text("predict_dir")),
      damaged(o.text("damaged")),
      test_fraction(o.number("test_fraction")),
      splitting(o) {}

}  // namespace image_folder
