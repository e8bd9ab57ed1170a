// Fields that move as bytes and become numbers on the device of the batch.
#include "core/data/source/byte_numbers.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>

#include <cstring>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/data/batch_feed.hpp"
#include "sdk/include/levin/data_extensions.h"

namespace byte_numbers_test {

using namespace levin::core;

namespace {

constexpr float scale[] = {0.5f, 2}, shift[] = {-1, 3};

// Images of two channels of three pixels; pixel p of channel c of row i is the byte 10 i + 3 c + p.
struct Images {
  uint32_t channels = 2;
  std::vector<levin_field> fields = {{"x", {LEVIN_FLOAT, 32, 1}, 2, {2, 3}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
                                     {"y", {LEVIN_INT, 64, 1}, 0, {}, LEVIN_ROLE_TARGET, 0, 9, nullptr}};
  std::vector<uint8_t> bits;  // of the type of x in each call of fill
  levin_data table{};
  ComponentSchema schema;

  Images() {
    table.o.size = sizeof table;
    schema.id = "images";
    table.describe = [](void* self, uint32_t split, uint32_t, levin_split* out) -> levin_status {
      const auto& images = *static_cast<Images*>(self);
      if (split != LEVIN_TRAIN) return LEVIN_E_UNSUPPORTED;
      out->rows = 5;
      out->fields = images.fields.data();
      out->field_size = sizeof(levin_field);
      out->n_fields = 2;
      return LEVIN_OK;
    };
    table.fill = [](void* self, const levin_fill* in, const levin_view* out) -> levin_status {
      static_cast<Images*>(self)->bits.push_back(out[0].dtype.bits);
      for (int64_t i = 0; i < in->n; ++i) {
        static_cast<int64_t*>(out[1].data)[i] = in->indices[i];
        for (int64_t p = 0; p < 6; ++p) {
          const int64_t byte = 10 * in->indices[i] + p;
          if (out[0].dtype.bits == 8)
            static_cast<uint8_t*>(out[0].data)[6 * i + p] = static_cast<uint8_t>(byte);
          else
            static_cast<float*>(out[0].data)[6 * i + p] = static_cast<float>(byte) * scale[p / 3] + shift[p / 3];
        }
      }
      return LEVIN_OK;
    };
    table.o.extension = [](void*, const char* id) -> const void* {
      static const levin_byte_fields bytes = {sizeof bytes, 0,
                                              [](void* self, uint32_t field, levin_byte_scale* out) -> levin_status {
                                                if (field != 0) return LEVIN_E_UNSUPPORTED;
                                                out->channels = static_cast<Images*>(self)->channels;
                                                out->scale = scale;
                                                out->shift = shift;
                                                return LEVIN_OK;
                                              }};
      return std::strcmp(id, LEVIN_BYTE_FIELDS) == 0 ? &bytes : nullptr;
    };
  }
  DataModule module() { return DataModule({"images", "libimages.so", &schema, false}, &table.o, this); }
};

LoaderOptions options(bool move_bytes) {
  LoaderOptions o;
  o.batch_size = 2;
  o.move_bytes = move_bytes;
  return o;
}

}  // namespace

TEST_CASE("a batch moves as bytes, and its numbers are those that the data module writes itself") {
  Images images;
  const DataModule data = images.module();
  Loader numbers(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(false));
  Loader bytes(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(true));
  ByteNumbers on_device;
  numbers.begin_epoch(0);
  bytes.begin_epoch(0);
  for (int batch = 0; batch < 3; ++batch) {
    const Batch *wanted = numbers.next(), *moved = bytes.next();
    REQUIRE((wanted && moved));
    CHECK(!wanted->scales);
    REQUIRE(moved->scales);
    CHECK(moved->tensors[0].scalar_type() == at::kByte);
    CHECK(moved->tensors[1].equal(wanted->tensors[1]));
    std::vector<at::Tensor> tensors = moved->tensors;
    on_device.make(tensors, moved->scales);
    CHECK(tensors[0].scalar_type() == at::kFloat);
    CHECK(tensors[0].equal(wanted->tensors[0]));
    CHECK(tensors[1].is_same(moved->tensors[1]));
  }
}

TEST_CASE("rows that a callback asks for are numbers, also where batches are bytes") {
  Images images;
  const DataModule data = images.module();
  Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(true));
  const Batch rows = loader.rows({4, 1}, 0);
  CHECK(!rows.scales);
  REQUIRE(rows.tensors[0].scalar_type() == at::kFloat);
  CHECK(rows.tensors[0].data_ptr<float>()[3] == 43 * 2 + 3);
  CHECK(images.bits == std::vector<uint8_t>{32});
}

TEST_CASE("the batches of several loaders keep their scales") {
  Images images;
  const DataModule data = images.module();
  std::vector<std::unique_ptr<Loader>> loaders;
  for (int i = 0; i < 2; ++i)
    loaders.push_back(std::make_unique<Loader>(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(i == 0)));
  BatchFeed feed(loaders, CombinedMode::min_size, {-1, -1});
  feed.begin_epoch(0, 0, -1);  // of unknown length: the feed reads ahead and keeps batches
  const BatchGroup* group = feed.next();
  REQUIRE(group);
  CHECK(group->parts[0]->scales);
  CHECK(!group->parts[1]->scales);
}

TEST_CASE("a scale that does not fit its field is refused") {
  const auto refusal = [](Images& images) {
    const DataModule data = images.module();
    try {
      Loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(true));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  Images one, doubles;
  one.channels = 1;
  doubles.fields[0].dtype.bits = 64;
  CHECK_THAT(refusal(one), ContainsSubstring("libimages.so: images.byte_scale: field 'x' got 1 scales"));
  CHECK_THAT(refusal(doubles), ContainsSubstring("it has to be of float32"));
}

TEST_CASE("a data module without bytes gives numbers wherever they move") {
  Images images;
  images.table.o.extension = nullptr;
  const DataModule data = images.module();
  Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options(true));
  loader.begin_epoch(0);
  const Batch* batch = loader.next();
  REQUIRE(batch);
  CHECK(!batch->scales);
  CHECK(batch->tensors[0].scalar_type() == at::kFloat);
}

}  // namespace byte_numbers_test
