#include "levin/images/batch.hpp"

#include <cmath>
#include <cstring>

#include "catch.hpp"

using levin::Random;
using levin::images::Image;
using levin::images::Shape;
using levin::images::Transforms;

namespace {

// Every pixel has another byte.
Image numbered(int64_t channels, int64_t height, int64_t width) {
  Image image({channels, height, width});
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i + 1);
  return image;
}

Image transformed(const char* list, Image image, Random* random = nullptr) {
  const Transforms transforms(list);
  const Shape promised = transforms.after(image.shape);
  transforms.apply(image, random);
  CHECK(image.shape.height == promised.height);
  CHECK(image.shape.width == promised.width);
  CHECK(image.pixels.size() == static_cast<size_t>(promised.size()));
  return image;
}

using Bytes = std::vector<uint8_t>;

}  // namespace

TEST_CASE("transforms that are not random do what their row says") {
  CHECK(transformed("", numbered(1, 1, 2)).pixels == Bytes{1, 2});
  CHECK(transformed("pad:1:9", numbered(1, 1, 2)).pixels == Bytes{9, 9, 9, 9, 9, 1, 2, 9, 9, 9, 9, 9});
  CHECK(transformed("center_crop:2", numbered(2, 2, 4)).pixels == Bytes{2, 3, 6, 7, 10, 11, 14, 15});
  CHECK(transformed("center_crop:3", numbered(1, 1, 3)).pixels == Bytes{0, 0, 0, 1, 2, 3, 0, 0, 0});
  CHECK(transformed("resize:2:1", numbered(1, 2, 2)).pixels == Bytes{2, 4});
  const Image wide = transformed("resize:4", numbered(3, 2, 3));
  CHECK(wide.shape.height == 4);
  CHECK(wide.shape.width == 6);
  CHECK(transformed("grey", numbered(3, 1, 1)).pixels == Bytes{2, 2, 2});
  CHECK(transformed("grey", numbered(1, 1, 1)).pixels == Bytes{1});
}

TEST_CASE("outside training nothing is random, and crops take the middle") {
  const char* list = "random_crop:2:1, flip:1, vertical_flip:1, erase:1, random_grey:1";
  CHECK(transformed(list, numbered(1, 4, 4)).pixels == Bytes{6, 7, 10, 11});
  CHECK(transformed("random_resized_crop:2", numbered(1, 2, 4)).pixels == Bytes{2, 3, 6, 7});
}

TEST_CASE("random transforms are equal for equal numbers and reach every place") {
  Random one(1, 2, 3), same(1, 2, 3);
  const char* list = "random_resized_crop:4, flip, vertical_flip, random_grey, erase, random_crop:4:1";
  CHECK(transformed(list, numbered(3, 5, 6), &one).pixels == transformed(list, numbered(3, 5, 6), &same).pixels);
  bool seen[4] = {};
  Random random(7);
  for (int i = 0; i < 100; ++i) seen[transformed("random_crop:1", numbered(1, 2, 2), &random).pixels[0] - 1] = true;
  for (const bool each : seen) CHECK(each);
  CHECK(transformed("flip:1", numbered(1, 2, 3), &random).pixels == Bytes{3, 2, 1, 6, 5, 4});
  CHECK(transformed("vertical_flip:1", numbered(1, 3, 1), &random).pixels == Bytes{3, 2, 1});
  const Image erased = transformed("erase:1:0.1:0.3:77", Image({1, 20, 20}, 5), &random);
  const auto filled = std::count(erased.pixels.begin(), erased.pixels.end(), 77);
  CHECK(filled >= 30);
  CHECK(filled <= 140);
}

TEST_CASE("a list that is not right says what is") {
  const auto refused = [](const char* list, const char* message) {
    CHECK_THROWS_WITH(Transforms(list), ContainsSubstring(message));
  };
  refused("flp", "there is no transform 'flp'; did you mean 'flip'? (host help transforms lists them)");
  refused("xyzzyxyzzy", "there is no transform 'xyzzyxyzzy' (host help");
  refused("random_crop", "transform 'random_crop': size is missing; random_crop takes the arguments size pad=0");
  refused("flip:often", "'often' is no number");
  refused("flip:1:2", "'2' is one argument too many; flip takes the arguments probability=0.5");
  refused("grey:1", "grey takes no arguments");
  refused("flip:2", "transform 'flip:2': probability is 2; it has to be from 0 to 1");
  refused("pad:1.5", "pixels is 1.5; it has to be a whole number");
  refused("normalize, flip", "transform 'flip': it has to stand before normalize");
  refused("mixup, flip", "transform 'flip': it has to stand before mixup and cutmix");
  refused("mixup:9", "alpha is 9; it has to be from 0.05 to 4");
  CHECK(Transforms(" , ").empty());
  CHECK(Transforms("flip,normalize").normalizes());
  CHECK_THROWS_WITH(transformed("random_crop:5:1", numbered(1, 2, 2)), ContainsSubstring("or pad by 2 or more"));
  CHECK(Transforms("resize:4, center_crop:3, pad:1").after({3, 0, 0}).height == 5);
  CHECK(Transforms("resize:4, pad:1").after({3, 0, 0}).height == 0);
}

TEST_CASE("rotations, warps, colours and blurs change training images alone, equally for equal numbers") {
  for (const char* list : {"rotate:30", "affine:10:0.1:0.2:5", "color_jitter:0.4", "color_jitter:0:0:0:0.4", "blur:1",
                           "randaugment:3:15", "trivialaugment, trivialaugment, trivialaugment"}) {
    INFO(list);
    Random one(1, 2, 3), same(1, 2, 3), other(5, 2, 3);
    const Image image = numbered(3, 16, 12);
    CHECK(transformed(list, image).pixels == image.pixels);
    const Bytes changed = transformed(list, image, &one).pixels;
    CHECK(changed == transformed(list, image, &same).pixels);
    CHECK(changed != transformed(list, image, &other).pixels);
  }
  Random random(1);
  const char* still = "rotate:0, affine, color_jitter:0";
  CHECK(transformed(still, numbered(3, 5, 4), &random).pixels == numbered(3, 5, 4).pixels);
  CHECK(transformed("blur:1:2:2", Image({3, 9, 7}, 200), &random).pixels == Image({3, 9, 7}, 200).pixels);
}

TEST_CASE("every operation of the augmentations keeps the shape of small and grey images") {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    transformed("trivialaugment, randaugment:2:30", numbered(1, 1, 1), &random);
    transformed("trivialaugment, randaugment:2:30", numbered(3, 2, 5), &random);
  }
}

TEST_CASE("the pixels of a mask stay with those of the image, and are never mixed") {
  Random random(11);
  for (const char* list : {"flip:1, vertical_flip", "rotate:40", "affine:20:0.2:0.3:10", "random_crop:12:3", "pad:2",
                           "random_resized_crop:12", "resize:6:9", "trivialaugment, randaugment:3:20"})
    for (int round = 0; round < 20; ++round) {
      INFO(list);
      Image image({1, 16, 12}, 40), mask = Image::mask(16, 12, 255);
      for (int64_t y = 4; y < 12; ++y)
        for (int64_t x = 3; x < 9; ++x) image.row(0, y)[x] = 200, mask.row(0, y)[x] = 7;
      for (uint8_t& pixel : mask.pixels) pixel = pixel == 7 ? 7 : 3;
      Transforms(list).apply(image, mask, &random);
      CHECK(mask.shape.height == image.shape.height);
      CHECK(mask.shape.width == image.shape.width);
      int agree = 0;
      for (size_t i = 0; i < mask.pixels.size(); ++i) {
        REQUIRE((mask.pixels[i] == 3 || mask.pixels[i] == 7 || mask.pixels[i] == 255));
        const bool bright = image.pixels[i] > 120;
        agree += mask.pixels[i] == 255 || bright == (mask.pixels[i] == 7) ? 1 : 0;
      }
      if (!std::strstr(list, "augment")) CHECK(agree > 0.85 * static_cast<double>(mask.pixels.size()));
    }
}

TEST_CASE("colours, blurs and erased rectangles leave a mask as it is, and images do not depend on it") {
  const Transforms list("color_jitter:0.4, blur:1, erase:1, random_grey, flip, rotate:20, erase");
  Random with(5), without(5);
  Image image = numbered(3, 9, 9), same = image, mask = Image::mask(9, 9, 255);
  list.apply(image, mask, &with);
  list.apply(same, &without);
  CHECK(image.pixels == same.pixels);
  Image still = numbered(3, 9, 9), classes = Image::mask(9, 9, 255);
  for (size_t i = 0; i < classes.pixels.size(); ++i) classes.pixels[i] = static_cast<uint8_t>(i);
  const Bytes before = classes.pixels;
  Transforms("color_jitter:0.4, blur:1, erase:1, random_grey:1").apply(still, classes, &with);
  CHECK(classes.pixels == before);
}

TEST_CASE("mixup and cutmix mix each image of a training batch with the next, and targets are probabilities") {
  const int64_t indices[] = {4, 9, 2};
  const auto mixed = [&](const char* list, levin::Split split, int64_t n) {
    const Transforms transforms(list);
    const levin::Fill in{split, indices, n, /*epoch=*/3, /*seed=*/1, 0};
    levin::images::Batch batch(transforms, in);
    for (int64_t i = 0; i < n; ++i) batch.add(Image({1, 8, 8}, static_cast<uint8_t>(100 * i)), i);
    batch.mix();
    std::vector<float> targets(static_cast<size_t>(3 * n));
    batch.write_targets(targets.data(), 3);
    return std::make_pair(batch.images, targets);
  };
  for (const char* list : {"mixup:1", "cutmix", "mixup, cutmix:0.5, normalize"}) {
    INFO(list);
    const auto [images, targets] = mixed(list, levin::Split::train, 3);
    for (size_t i = 0; i < 3; ++i) {
      const float own = targets[3 * i + i], other = targets[3 * i + (i + 1) % 3];
      CHECK(own + other == Approx(1));
      double sum = 0;
      for (const uint8_t pixel : images[i].pixels) sum += pixel;
      const double next = i == 2 ? 0 : 100 * static_cast<double>(i + 1);
      CHECK(std::fabs(sum / 64 - (own * 100 * static_cast<double>(i) + other * next)) < 1);
    }
    CHECK(targets == mixed(list, levin::Split::train, 3).second);
    CHECK(mixed(list, levin::Split::val, 2).second == std::vector<float>{1, 0, 0, 0, 1, 0});
    CHECK(mixed(list, levin::Split::val, 2).first[1].pixels == Bytes(64, 100));
    CHECK(mixed(list, levin::Split::train, 1).second == std::vector<float>{1, 0, 0});
  }
  CHECK(levin::images::target("y", Transforms("mixup"), {"a", "b"}).shape == std::vector<int64_t>{2});
  CHECK(levin::images::target("y", Transforms("flip"), {"a", "b"}).shape.empty());
}

TEST_CASE("the parts of mixup have the mean and variance of their Beta distribution") {
  Random random(1);
  for (const double alpha : {0.2, 1.0, 3.0}) {
    double sum = 0, squares = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
      const double part = levin::images::draw_beta(alpha, random);
      sum += part, squares += part * part;
    }
    const double mean = sum / n;
    CHECK(std::fabs(mean - 0.5) < 0.01);
    CHECK(std::fabs(squares / n - mean * mean - 1 / (4 * (2 * alpha + 1))) < 0.005);
  }
}

TEST_CASE("a list says how much smaller its first transform makes an image") {
  const Shape large{3, 3000, 4000};
  CHECK(Transforms("flip, resize:10").reduction(large) == 1);
  CHECK(Transforms("resize:300:100").reduction(large) == 10);
  CHECK(Transforms("resize:300, flip").reduction(large) == 10);
  CHECK(Transforms("random_resized_crop:300:1").reduction(large) == 10);
  CHECK(Transforms("random_resized_crop:300:0.0833333333").reduction(large) == Approx(2.8867).epsilon(1e-3));
}
