#include "plugins/common/images/image_form.hpp"

#include "catch.hpp"

using Bytes = std::vector<uint8_t>;

namespace {

const Bytes image = {0,   48,  170, 110, 124, 212, 118, 98,  152, 24,
                     226, 246, 84,  252, 238, 42,  176, 128, 154, 254};  // 5 rows of 4 pixels

Bytes scaled(int64_t size, int64_t pad = 0) {
  Bytes out;
  common::ImageForm({1, 5, 4}, size, pad).apply(image.data(), out);
  return out;
}

}  // namespace

TEST_CASE("images are scaled as Pillow scales them, to the bit") {
  CHECK(scaled(3) == Bytes{72, 133, 118, 126, 161, 179, 150, 186, 171});
  CHECK(scaled(7) == Bytes{0,   17,  45,  109, 166, 131, 110, 71,  96,  137, 141, 138, 116, 103, 132, 141, 157,
                           154, 148, 143, 140, 152, 106, 33,  125, 227, 239, 246, 103, 133, 181, 211, 225, 148,
                           100, 123, 150, 193, 200, 197, 157, 133, 176, 159, 131, 141, 161, 218, 254});
}

TEST_CASE("zeros are put around an image that stays as it is") {
  const common::ImageForm form({2, 1, 2}, 0, 1);
  const Bytes two = {1, 2, 3, 4};
  Bytes out;
  form.apply(two.data(), out);
  CHECK(form.shape().size() == 24);
  CHECK(out == Bytes{0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0});
  CHECK(common::ImageForm({1, 5, 4}, 0, 0).apply(image.data(), out) == image.data());
}
