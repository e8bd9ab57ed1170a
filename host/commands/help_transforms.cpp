#include "host/commands/help_transforms.hpp"

#include <cstdio>

#include "core/base/text.hpp"
#include "sdk/include/levin/util/transform_table.hpp"

namespace levin::core {
namespace {

// Returns "random_crop:size[:pad=0]".
std::string usage_of_transform(const images::TransformRow& row) {
  std::string out = row.name;
  for (const std::string& argument : split(row.arguments, ' ')) {
    if (argument.empty()) continue;
    out += argument.find('=') == std::string::npos ? ":" + argument : "[:" + argument + "]";
  }
  return out;
}

void print_transform_row(const images::TransformRow& row) {
  std::printf("  %s\n      %s\n", usage_of_transform(row).c_str(), row.summary);
}

const char* const transforms_text =
    R"(--data.transforms "random_crop:32:4, flip, normalize" changes the images of cifar, image_folder, mnist,
segmentation_folder and webdataset in this order. What is random happens in training only, and depends on the seed, the
epoch and the image alone. Arguments are numbers behind colons.
)";

}  // namespace

int print_transforms() {
  std::fputs(transforms_text, stdout);
  for (const images::TransformFamily& family : images::transform_families()) {
    std::printf("\nOf %s\n", family.name);
    for (const images::TransformRow& row : family.rows) print_transform_row(row);
  }
  return 0;
}

int print_transform(const std::string& name) {
  int found = 0;
  for (const images::TransformFamily& family : images::transform_families()) {
    for (const images::TransformRow& row : family.rows) {
      if (name != row.name) continue;
      std::printf("transform of %s\n", family.name);
      print_transform_row(row);
      ++found;
    }
  }
  return found;
}

}  // namespace levin::core
