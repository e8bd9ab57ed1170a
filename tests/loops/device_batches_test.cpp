#include "core/loops/device_batches.hpp"

#include <ATen/ops/arange.h>

#include "catch.hpp"
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
