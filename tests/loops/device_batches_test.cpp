#include "core/loops/device_batches.hpp"

#include <ATen/ops/arange.h>

#include "catch.hpp"
#include "core/data/source/byte_numbers.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

TEST_CASE("channels_last changes the memory format of images and leaves the loader's tensors") {
  ToyNet net;
  LoopScene scene(net);
  DeviceBatches batches(scene.model, *scene.precision, *scene.strategy, scene.progress);
  const auto& loaders = scene.loaders.get(LEVIN_TRAIN);
  for (const int64_t channels : {1, 3}) {
    const at::Tensor images = at::arange(2 * channels * 20).reshape({2, channels, 4, 5}).to(at::kFloat);
    const at::Tensor rows = at::arange(6).reshape({2, 3});
    Batch batch;
    batch.tensors = {images, rows};
    BatchGroup group;
    group.parts = {&batch};
    batches.move(group, loaders, /*channels_last=*/true);
    const std::vector<at::Tensor>& moved = batches.first().tensors;
    CHECK(moved[0].strides() == at::IntArrayRef({20 * channels, 1, 5 * channels, channels}));
    CHECK(moved[0].equal(images));
    CHECK(moved[1].is_same(rows));
    CHECK(batch.tensors[0].is_same(images));
    batches.move(group, loaders);
    CHECK(batches.first().tensors[0].is_same(images));
  }
}

TEST_CASE("bytes become numbers once they are moved, and the loader's tensors stay bytes") {
  ToyNet net;
  LoopScene scene(net);
  DeviceBatches batches(scene.model, *scene.precision, *scene.strategy, scene.progress);
  auto scales = std::make_shared<ByteScales>();
  scales->scale = {at::arange(1, 4).to(at::kFloat).reshape({3, 1, 1}), {}};
  scales->shift = {at::arange(3).to(at::kFloat).reshape({3, 1, 1}), {}};
  const at::Tensor bytes = at::arange(2 * 3 * 20).reshape({2, 3, 4, 5}).to(at::kByte), rows = at::arange(2);
  Batch batch;
  batch.tensors = {bytes, rows};
  batch.scales = scales;
  BatchGroup group;
  group.parts = {&batch};
  batches.move(group, scene.loaders.get(LEVIN_TRAIN), /*channels_last=*/true);
  const std::vector<at::Tensor>& moved = batches.first().tensors;
  CHECK(moved[0].equal(bytes.to(at::kFloat) * scales->scale[0] + scales->shift[0]));
  CHECK(moved[0].strides() == at::IntArrayRef({60, 1, 15, 3}));
  CHECK(moved[1].is_same(rows));
  CHECK(batch.tensors[0].is_same(bytes));
}
