#include "masks.hpp"

#include <charconv>

#include "../common/csv_columns.hpp"
#include "levin/error.hpp"

namespace segmentation_folder {
namespace {

[[noreturn]] void refuse_mask_option(const std::string& what) { throw levin::Error(LEVIN_E_INVALID, "--data." + what); }

// Returns a whole number from 0 to 255; -1 = the text is none.
int byte_in(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= 255 ? value : -1;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names = common::list_of(text);
  if (names.size() != 1) return names;
  const int n = byte_in(names[0]);
  if (n < 1) refuse_mask_option("classes is '" + text + "': give the number of classes (up to 255), or their names");
  names.clear();
  for (int i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

MaskValues::MaskValues(const levin::Args& o) : names_(names_in(o.text("classes"))) {
  if (names_.size() < 2 || names_.size() > 255)
    refuse_mask_option("classes names " + std::to_string(names_.size()) + " classes; 2 to 255 are possible");
  class_of_.fill(-1);
  if (!o.is_null("ignore_value")) ignored_value_ = o.integer("ignore_value");
  if (ignored_value_) class_of_[static_cast<size_t>(*ignored_value_)] = ignored;
  std::vector<std::string> values = common::list_of(o.text("class_values"));
  if (values.empty())
    for (size_t c = 0; c < names_.size(); ++c) values.push_back(std::to_string(c));
  if (values.size() != names_.size())
    refuse_mask_option("class_values has " + std::to_string(values.size()) + " values for " +
                       std::to_string(names_.size()) + " classes");
  for (size_t c = 0; c < values.size(); ++c) {
    const int value = byte_in(values[c]);
    if (value < 0) refuse_mask_option("class_values has '" + values[c] + "'; values of pixels are 0 to 255");
    int& of = class_of_[static_cast<size_t>(value)];
    if (of >= 0 && of != ignored) refuse_mask_option("class_values has " + values[c] + " twice");
    of = static_cast<int>(c);
  }
  list_ = std::move(values);
}

std::string MaskValues::list_with_ignored(size_t of) const {
  std::string text;
  for (size_t c = 0; c < list_.size(); ++c)
    text += (c ? "," : "") + (c == of ? std::to_string(ignored_value_.value_or(ignored)) : list_[c]);
  return text;
}

levin::images::Image MaskValues::classes_of(const common::Image& values) const {
  levin::images::Image mask = levin::images::Image::mask(values.height, values.width, ignored);
  for (size_t i = 0; i < mask.pixels.size(); ++i) {
    const int of = class_of_[values.pixels[i]];
    if (of < 0)
      throw levin::Error(LEVIN_E_IO, "has the value " + std::to_string(values.pixels[i]) + " at x " +
                                         std::to_string(static_cast<int64_t>(i) % values.width) + ", y " +
                                         std::to_string(static_cast<int64_t>(i) / values.width) +
                                         ", which is no class: see --data.class_values and --data.ignore_value");
    mask.pixels[i] = static_cast<uint8_t>(of);
  }
  return mask;
}

}  // namespace segmentation_folder
