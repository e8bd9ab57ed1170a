// A picture file: JPEG, PNG, WebP or BMP.
#include "levin/error.hpp"
#include "plugins/common/pictures/colours.hpp"
#include "plugins/common/pictures/decode.hpp"
#include "plugins/common/pictures/exif.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(pictures) {
  const common::Bytes file(data, data + size);
  constexpr int64_t max_pixels = 100000;
  for (const int reduction : {1, 4}) try {
      const common::Header header = common::read_header(file, max_pixels);
      const common::Image image = common::upright(common::decode(file, header, reduction), header.orientation);
      common::in_planes(common::with_channels(image, reduction == 1 ? 3 : 1, 255));
    } catch (const levin::Error&) {
    }
  try {
    common::decode_mask(file, common::read_header(file, max_pixels));
  } catch (const levin::Error&) {
  }
}
