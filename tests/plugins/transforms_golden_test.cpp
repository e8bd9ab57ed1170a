// Compares transforms of images with Pillow's results (golden/make_transforms.py).
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "levin/images/transforms.hpp"

using levin::images::Image;

namespace {

void apply_pillows(const std::string& name, double argument, Image& image) {
  const auto factor = static_cast<float>(argument);
  levin::images::AffineMap map;
  map.angle = argument;
  if (name == "grey") return levin::images::make_grey(image);
  if (name == "rotate") return levin::images::warp(image, map);
  if (name == "brightness") return levin::images::change_brightness(image, factor);
  if (name == "contrast") return levin::images::change_contrast(image, factor);
  if (name == "saturation") return levin::images::change_saturation(image, factor);
  if (name == "sharpness") return levin::images::change_sharpness(image, factor);
  if (name == "posterize") return levin::images::posterize(image, static_cast<int>(argument));
  if (name == "solarize") return levin::images::solarize(image, argument);
  if (name == "auto_contrast") return levin::images::auto_contrast(image);
  if (name == "equalize") return levin::images::equalize(image);
  if (name == "scale") return levin::images::Transforms("resize:7:7").apply(image, nullptr);
  FAIL("no transform is called " << name);
}

}  // namespace

TEST_CASE("transforms give Pillow's bytes, or the next ones") {
  std::ifstream in(std::string(LEVIN_GOLDEN) + "/transforms.txt");
  Image source({3, 9, 11});
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    std::istringstream words(line);
    std::string name;
    double argument = 0;
    words >> name >> argument;
    INFO(name << " " << argument);
    Image image = source;
    if (lines > 0) apply_pillows(name, argument, image);
    int wrong = 0;
    for (uint8_t& byte : image.pixels) {
      int wanted = -9;
      words >> wanted;
      if (lines == 0) byte = static_cast<uint8_t>(wanted);
      if (std::abs(byte - wanted) > 1) ++wrong;
    }
    CHECK(wrong == 0);
    if (lines == 0) source = image;
  }
  CHECK(lines > 15);
}
