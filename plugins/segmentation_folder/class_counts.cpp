#include "class_counts.hpp"

#include <algorithm>
#include <numeric>

#include "levin/error.hpp"

namespace segmentation_folder {

void ClassCounts::add(const levin::images::Image& mask) {
  ++masks_;
  for (const uint8_t of : mask.pixels) ++(of == ignored ? ignored_ : pixels_[of]);
}

std::string ClassCounts::remark(size_t all) const {
  constexpr size_t most_named = 5;
  const bool whole = masks_ == all;
  std::vector<size_t> absent;
  for (size_t c = 0; c < pixels_.size(); ++c)
    if (pixels_[c] == 0) absent.push_back(c);
  if (masks_ == 0 || absent.empty() || (ignored_ == 0 && !whole)) return "";
  std::string text = absent.size() == 1 ? "class " : std::to_string(absent.size()) + " classes (";
  for (size_t i = 0; i < std::min(most_named, absent.size()); ++i)
    text += (i ? ", '" : "'") + values_.class_names()[absent[i]] + "'";
  if (absent.size() > 1) text += absent.size() > most_named ? ", ...) have" : ") have";
  text += std::string(absent.size() == 1 ? " has" : "") + " no pixel in " +
          (whole ? "" : std::to_string(masks_) + " of ") + "the " + std::to_string(all) + " training masks";
  if (ignored_ == 0) return text;
  const uint64_t pixels = std::accumulate(pixels_.begin(), pixels_.end(), ignored_), percent = 100 * ignored_ / pixels;
  const std::string value = std::to_string(*values_.ignored_value());
  text += ", and " + (percent == 0 ? "some" : std::to_string(percent) + " %") + " of their pixels are " + value +
          ", which --data.ignore_value leaves out: if " + value + " is a class, " +
          (absent.size() == 1 ? "give --data.class_values " + values_.list_with_ignored(absent[0])
                              : "put it into --data.class_values");
  if (whole && pixels_.size() - absent.size() <= 1) throw levin::Error(LEVIN_E_IO, text);
  return text;
}

}  // namespace segmentation_folder
