#include "image_set.hpp"

#include <array>

#include "levin/error.hpp"

namespace mnist {
namespace {

// Checks the headers, before the files are unpacked. Throws levin::Error if the files do not belong together.
void check_shapes(const std::string& images, const std::string& labels) {
  const std::vector<int64_t> pixels = read_idx_shape(images), classes = read_idx_shape(labels);
  if (pixels.size() < 3)
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(pixels.size()) +
                                       " dimensions; images have 3 (rows, height, width) or 4 (rows, channels, ...)");
  if (classes.size() != 1)
    throw levin::Error(LEVIN_E_IO, labels + " has " + std::to_string(classes.size()) +
                                       " dimensions; labels have 1: are the two files swapped?");
  if (pixels.front() != classes.front())
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(pixels.front()) + " rows and " + labels + " " +
                                       std::to_string(classes.front()) + ": they do not belong together");
}

// "0, 3 to 5"
std::string ranges(const std::vector<size_t>& numbers) {
  std::string text;
  for (size_t i = 0, end; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i + 1) text += " to " + std::to_string(numbers[end - 1]);
  }
  return text;
}

// The number of rows with each label, and the first of these rows.
struct LabelCounts {
  std::array<size_t, 256> rows{}, first{};
  explicit LabelCounts(const IdxArray& labels) {
    for (size_t row = 0; row < labels.data.size(); ++row)
      if (const uint8_t label = labels.data[row]; rows[label]++ == 0) first[label] = row;
  }
  size_t highest() const {
    size_t label = 255;
    while (label > 0 && rows[label] == 0) --label;
    return label;
  }
};

std::string place_of(const LabelCounts& counts, size_t label, const std::string& file) {
  const size_t more = counts.rows[label] - 1;
  return "label " + std::to_string(label) + " of row " + std::to_string(counts.first[label]) + " of " + file +
         (more > 0 ? " (and of " + std::to_string(more) + (more == 1 ? " other row)" : " other rows)") : "");
}

}  // namespace

std::vector<std::string> label_remarks(const Images& train, const Images& test, const std::string& train_labels,
                                       const std::string& test_labels) {
  const LabelCounts own(train.labels), others(test.labels);
  std::vector<std::string> out;
  std::vector<size_t> missing;
  size_t highest = own.highest();
  const bool of_test = others.highest() > highest;
  if (of_test) highest = others.highest();
  for (size_t label = 0; label < highest; ++label)
    if (own.rows[label] == 0) missing.push_back(label);
  if (of_test)
    out.push_back(place_of(others, highest, test_labels) + " is of a class that no row of " + train_labels +
                  " has: is it damaged?");
  if (missing.empty()) return out;
  std::string text = "no row of " + train_labels + " has the label" + (missing.size() > 1 ? "s " : " ") +
                     ranges(missing) + ", and the network gets " + (missing.size() > 1 ? "outputs" : "an output") +
                     " for " + (missing.size() > 1 ? "them" : "it");
  if (!of_test && missing.back() + 1 == highest) text += ": is " + place_of(own, highest, train_labels) + " damaged?";
  out.push_back(text);
  return out;
}

Images read_images(const std::string& images, const std::string& labels) {
  check_shapes(images, labels);
  return {read_idx(images), read_idx(labels)};
}

std::vector<std::string> class_names(const std::string& folder, int64_t classes) {
  if (classes == 10 && folder.find("ashion") != std::string::npos)
    return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
  std::vector<std::string> names;
  for (int64_t i = 0; i < classes; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace mnist
