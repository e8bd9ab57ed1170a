#include "batches.hpp"

#include <sstream>

#include "pickle.hpp"

namespace cifar {
namespace {

constexpr size_t image_bytes = 3 * 32 * 32;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, path + " " + what);
}

int64_t classes_of(Labels labels) { return labels == Labels::ten ? 10 : labels == Labels::fine ? 100 : 20; }

// Appends the images and labels of one file. labels: one per row.
void append(const std::string& path, const uint8_t* pixels, size_t stride, const std::vector<int64_t>& labels,
            int64_t classes, common::ByteImages& out) {
  size_t wrong = 0, first = 0;
  for (size_t row = 0; row < labels.size(); ++row) {
    if ((labels[row] < 0 || labels[row] >= classes) && wrong++ == 0) first = row;
    out.labels.push_back(static_cast<uint8_t>(labels[row]));
    out.pixels.insert(out.pixels.end(), pixels + row * stride, pixels + row * stride + image_bytes);
  }
  if (wrong == 0) return;
  refuse(path, "has the label " + std::to_string(labels[first]) + " in row " + std::to_string(first) +
                   (wrong > 1 ? " (and " + std::to_string(wrong - 1) + " more that are none)" : "") +
                   "; labels are 0 to " + std::to_string(classes - 1) + ": it is damaged, fetch it again");
}

// A row of a binary file is one label (CIFAR-100: coarse and fine), then the red, green and blue pixels.
void append_binary(const std::string& path, const std::vector<uint8_t>& bytes, Labels labels, common::ByteImages& out) {
  const size_t label_bytes = labels == Labels::ten ? 1 : 2, row = label_bytes + image_bytes;
  if (bytes.empty() || bytes.size() % row != 0)
    refuse(path, "has " + std::to_string(bytes.size()) + " bytes, which are no rows of " + std::to_string(row) +
                     ": it is truncated, or another format");
  std::vector<int64_t> found;
  for (size_t at = labels == Labels::fine ? 1 : 0; at < bytes.size(); at += row) found.push_back(bytes[at]);
  append(path, bytes.data() + label_bytes, row, found, classes_of(labels), out);
}

void append_python(const std::string& path, const std::vector<uint8_t>& bytes, Labels labels, common::ByteImages& out) {
  const Pickle pickle(bytes, path);
  const Pickle::Value& data = pickle.bytes("data");
  const std::vector<int64_t> found = pickle.numbers(labels == Labels::ten    ? "labels"
                                                    : labels == Labels::fine ? "fine_labels"
                                                                             : "coarse_labels");
  const int64_t rows = data.values[0]->number, width = data.values[1]->number;
  if (rows == 0 || width != static_cast<int64_t>(image_bytes))
    refuse(path, "has images of " + std::to_string(rows) + " x " + std::to_string(width) + " bytes; they have 3072");
  if (static_cast<size_t>(rows) != found.size())
    refuse(path, "has " + std::to_string(rows) + " images and " + std::to_string(found.size()) + " labels");
  append(path, reinterpret_cast<const uint8_t*>(data.text.data()), image_bytes, found, classes_of(labels), out);
}

void append(const SetFiles& set, const std::string& name, Labels labels, common::ByteImages& out) {
  const auto found = set.files.find(name);
  if (found == set.files.end()) refuse(set.path(name), "is missing: the set is not whole");
  (set.format == Format::binary ? append_binary : append_python)(set.path(name), found->second, labels, out);
}

// Returns the names in the files, or numbers if there are none.
std::vector<std::string> class_names(const SetFiles& set, Labels labels) {
  const bool ten = labels == Labels::ten, python = set.format == Format::python;
  const std::string kind = labels == Labels::fine ? "fine" : "coarse";
  const auto file = set.files.find(ten ? (python ? "batches.meta" : "batches.meta.txt")
                                       : (python ? "meta" : kind + "_label_names.txt"));
  std::vector<std::string> names;
  if (file != set.files.end() && python) {
    names = Pickle(file->second, set.path(file->first)).texts(ten ? "label_names" : kind + "_label_names");
  } else if (file != set.files.end()) {
    std::istringstream lines(std::string(file->second.begin(), file->second.end()));
    for (std::string line; lines >> line;) names.push_back(line);
  }
  const auto n = static_cast<size_t>(classes_of(labels));
  if (!names.empty() && names.size() != n)
    refuse(set.path(file->first), "has " + std::to_string(names.size()) + " names, not " + std::to_string(n));
  for (size_t i = names.size(); i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

common::ByteImageSets read_set(const SetFiles& set, Labels labels) {
  const std::string ending = set.format == Format::binary ? ".bin" : "";
  common::ByteImageSets out{set.where, image_shape, class_names(set, labels), {}, {}, {}, {}};
  if (labels == Labels::ten) {
    for (const char* number : {"1", "2", "3", "4", "5"})
      append(set, std::string("data_batch_") + number + ending, labels, out.train);
    append(set, "test_batch" + ending, labels, out.test);
    out.mean = {0.4914, 0.4822, 0.4465}, out.deviation = {0.2470, 0.2435, 0.2616};
  } else {
    append(set, "train" + ending, labels, out.train);
    append(set, "test" + ending, labels, out.test);
    out.mean = {0.5071, 0.4865, 0.4409}, out.deviation = {0.2673, 0.2564, 0.2762};
  }
  return out;
}

}  // namespace cifar
