// Compares images of every kind with Pillow's results (golden/make_images.py).
#include <algorithm>
#include <cmath>
#include <sstream>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "plugins/image_folder/picture.hpp"
#include "temp_folder.hpp"

using image_folder::ImageOptions;
using image_folder::PictureReader;

namespace {

struct Line {
  std::string file, way;
  int64_t channels = 0, width = 0, height = 0;
  std::vector<int> bytes;  // [height][width][channels]
};

std::vector<Line> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    Line line;
    words >> line.file >> line.way >> line.channels >> line.width >> line.height;
    for (int byte = 0; words >> byte;) line.bytes.push_back(byte);
    lines.push_back(line);
  }
  return lines;
}

// Returns the bytes as read by the plugin, [height][width][channels].
std::vector<int> read(const Line& line) {
  levin::testing::Options options({{"dir", "x"},
                                   {"size", line.height},
                                   {"width", line.width},
                                   {"channels", line.channels},
                                   {"mean", "0"},
                                   {"std", "1"}});
  if (line.way == "stretch" || line.way == "pad") options.set({"resize", line.way});
  if (line.way == "crop_pct") options.set({"crop_pct", 0.75});
  levin_component schema{};
  schema.options = image_folder::image_options.data();
  schema.n_options = static_cast<uint32_t>(image_folder::image_options.size());
  const levin::testing::CheckedOptions checked(schema, options);
  const PictureReader reader(ImageOptions(levin::Args(checked.args(), schema.options, schema.n_options)));
  std::vector<float> x(line.bytes.size());
  reader.read(std::string(LEVIN_GOLDEN) + "/images/" + line.file, nullptr, x.data());
  std::vector<int> out;
  for (int64_t i = 0; i < line.height * line.width; ++i)
    for (int64_t c = 0; c < line.channels; ++c)
      out.push_back(static_cast<int>(std::lround(255 * x[static_cast<size_t>(c * line.height * line.width + i)])));
  return out;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// JPEG decoders may round differently. So may blending with a background, and tall images, which newer versions of
// Pillow resize vertically first.
int tolerance(const std::string& file) {
  if (has(file, ".jpg") || has(file, ".JPEG") || has(file, "lossy")) return 2;
  return has(file, "alpha") || has(file, "turned") || has(file, "masks16") ? 1 : 0;
}

}  // namespace

TEST_CASE("images of every kind become what Pillow makes of them") {
  const std::vector<Line> lines = lines_of(std::string(LEVIN_GOLDEN) + "/images/images.txt");
  REQUIRE(lines.size() > 80);
  for (const Line& line : lines) {
#ifndef LEVIN_WITH_WEBP
    if (has(line.file, ".webp")) {
      WARN("skipped, because libwebp is missing: " << line.file);
      continue;
    }
#endif
    const std::vector<int> bytes = read(line);
    int worst = 0;
    for (size_t i = 0; i < bytes.size(); ++i) worst = std::max(worst, std::abs(bytes[i] - line.bytes[i]));
    INFO(line.file << ", " << line.way << ", " << line.channels << " channels");
    REQUIRE(bytes.size() == line.bytes.size());
    CHECK(worst <= tolerance(line.file));
  }
}
