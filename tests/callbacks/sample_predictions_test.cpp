#include <cmath>

#include "callbacks/sample_predictions/grid.hpp"
#include "catch.hpp"

namespace sample_predictions_test {
using namespace levin::sample_predictions;

namespace {

using Color = std::vector<int>;

Color at(const Pixels& grid, int64_t row, int64_t column) {
  const auto place = static_cast<size_t>((row * grid.width + column) * 3);
  return {grid.rgb[place], grid.rgb[place + 1], grid.rgb[place + 2]};
}

size_t pixels_of(const Pixels& grid, const Color& color) {
  size_t out = 0;
  for (int64_t row = 0; row < grid.height; ++row)
    for (int64_t column = 0; column < grid.width; ++column) out += at(grid, row, column) == color;
  return out;
}

const Color green{26, 127, 55}, red{198, 40, 40}, dark{32, 32, 32};
Sample grey(std::vector<double> values, Verdict verdict = Verdict::right) {
  return {{1, 2, 2, std::move(values)}, "cat", "dog", verdict};
}

}  // namespace

TEST_CASE("a picture is shown from its least to its largest value, and drawn large enough to be seen") {
  const Pixels grid = draw_grid({grey({-2, 0, 2, NAN})});
  CHECK(grid.height == 8 + 96 + 24 + 8);
  CHECK(grid.width == 8 + 96 + 8);
  CHECK(at(grid, 8, 8) == Color({0, 0, 0}));
  CHECK(at(grid, 55, 56) == Color({128, 128, 128}));
  CHECK(at(grid, 56, 55) == Color({255, 255, 255}));
  CHECK(at(grid, 103, 103) == Color({0, 0, 0}));
  CHECK(at(grid, 7, 8) == Color({255, 255, 255}));
  CHECK(at(draw_grid({grey({7, 7, 7, 7})}), 50, 50) == Color({0, 0, 0}));
}

TEST_CASE("bytes are shown as they are, three channels as red, green and blue, and channels of one picture together") {
  Sample sample{{3, 1, 1, {10, 20, 30}, true}, "", ""};
  CHECK(at(draw_grid({sample}), 8, 8) == Color({10, 20, 30}));
  sample.picture.bytes = false;
  CHECK(at(draw_grid({sample}), 8, 8) == Color({0, 128, 255}));
}

TEST_CASE("a large picture is made smaller, and keeps its form") {
  Sample sample{{1, 256, 512, std::vector<double>(size_t{256} * 512, 0.0)}, "", ""};
  for (size_t i = 0; i < sample.picture.values.size(); ++i) sample.picture.values[i] = i % 512 >= 256 ? 1 : 0;
  const Pixels grid = draw_grid({sample});
  CHECK(grid.width == 8 + 256 + 8);
  CHECK(grid.height == 8 + 128 + 24 + 8);
  CHECK(at(grid, 70, 8 + 127) == Color({0, 0, 0}));
  CHECK(at(grid, 70, 8 + 128) == Color({255, 255, 255}));
}

TEST_CASE("the samples go from left to right and from top to bottom, in about as many rows as columns") {
  std::vector<Sample> samples(5, grey({0, 0, 0, 1}));
  samples[3] = grey({1, 0, 0, 0});
  const Pixels grid = draw_grid(samples);
  CHECK(grid.width == 8 + 3 * 104);
  CHECK(grid.height == 8 + 2 * 128);
  CHECK(at(grid, 8 + 128, 8) == Color({255, 255, 255}));
  CHECK(at(grid, 8 + 128, 8 + 2 * 104) == Color({255, 255, 255}));  // there is no sixth one
  CHECK(at(grid, 8 + 128, 8 + 104) == Color({0, 0, 0}));
}

TEST_CASE("a right prediction is green; a wrong one is red, with the target below it; a number has no color") {
  const Pixels right = draw_grid({grey({0, 0, 0, 0})}), wrong = draw_grid({grey({0, 0, 0, 0}, Verdict::wrong)}),
               number = draw_grid({grey({0, 0, 0, 0}, Verdict::number)});
  CHECK(pixels_of(right, green) > 20);
  CHECK(pixels_of(right, red) + pixels_of(right, dark) == 0);
  CHECK(pixels_of(wrong, red) == pixels_of(right, green));
  CHECK(pixels_of(wrong, dark) > 40);
  CHECK(pixels_of(number, green) + pixels_of(number, red) == 0);
  CHECK(pixels_of(number, dark) > pixels_of(wrong, dark));
}

TEST_CASE("a text that is too long ends within its column") {
  Sample sample = grey({0, 0, 0, 0});
  sample.prediction = std::string(400, 'W') + "\xc3\xa9";
  const Pixels grid = draw_grid({sample, sample});
  for (int64_t row = 0; row < grid.height; ++row) CHECK(at(grid, row, 8 + 96 + 4) == Color({255, 255, 255}));
}

TEST_CASE("the same as text") {
  CHECK(texts_of({grey({0, 0, 0, 0}), grey({0, 0, 0, 0}, Verdict::wrong)}) == "cat; cat (true: dog)");
  CHECK(texts_of({}).empty());
}

}  // namespace sample_predictions_test
