// bench-loaders [ROUNDS]: an epoch of 60,000 images of 28 x 28 bytes in memory, shuffled, in batches of 128, by the
// host's loader and by torch::data, in turns. Prints the median wall time of an epoch.
#include <ATen/Parallel.h>
#include <torch/data.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "core/data/loader.hpp"
#include "plugins/common/images/augment.hpp"

namespace {

using namespace levin::core;
constexpr int64_t rows = 60000, pixels = 28 * 28, batch_size = 128;

struct Images {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(rows * pixels);
  std::vector<float> table = std::vector<float>(256);
  Images() {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 24);
    for (size_t v = 0; v < 256; ++v) table[v] = (static_cast<float>(v) / 255 - 0.2860f) / 0.3530f;
  }
};

levin_status describe(void*, uint32_t split, uint32_t, levin_split* out) {
  static const levin_field fields[] = {{"x", {LEVIN_FLOAT, 32, 1}, 3, {1, 28, 28}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
                                       {"y", {LEVIN_INT, 64, 1}, 0, {}, LEVIN_ROLE_TARGET, 0, 10, nullptr}};
  if (split != LEVIN_TRAIN) return LEVIN_E_UNSUPPORTED;
  out->rows = rows;
  out->fields = fields;
  out->n_fields = 2;
  out->field_size = sizeof(levin_field);
  return LEVIN_OK;
}

levin_status fill(void* self, const levin_fill* in, const levin_view* out) {
  const auto& images = *static_cast<const Images*>(self);
  auto* x = static_cast<float*>(out[0].data);
  auto* y = static_cast<int64_t*>(out[1].data);
  for (int64_t i = 0; i < in->n; ++i) {
    if (i + 1 < in->n) common::prefetch(images.bytes.data() + in->indices[i + 1] * pixels, pixels);
    common::write_bytes(images.bytes.data() + in->indices[i] * pixels, pixels, images.table.data(), x + i * pixels);
    y[i] = in->indices[i] % 10;
  }
  return LEVIN_OK;
}

// As torch::data::datasets::MNIST: floats from 0 to 1 in one tensor, a row at a time.
class Rows : public torch::data::Dataset<Rows> {
 public:
  explicit Rows(Images& images)
      : x_(torch::from_blob(images.bytes.data(), {rows, 1, 28, 28}, torch::kByte).to(torch::kFloat).div_(255)),
        y_(torch::arange(rows).remainder(10)) {}
  torch::data::Example<> get(size_t i) override { return {x_[static_cast<int64_t>(i)], y_[static_cast<int64_t>(i)]}; }
  torch::optional<size_t> size() const override { return rows; }

 private:
  torch::Tensor x_, y_;
};

double milliseconds(const std::function<void()>& epoch) {
  const auto begin = std::chrono::steady_clock::now();
  epoch();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

struct Side {
  const char* name;
  std::function<void()> epoch;
  std::vector<double> times = {};
};

}  // namespace

int main(int count, char** arguments) {
  at::set_num_threads(1);
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 7;
  Images images;
  levin_data table{};
  table.o.size = sizeof table;
  table.describe = describe;
  table.fill = fill;
  ComponentSchema schema;
  schema.id = "images";
  schema.flags = LEVIN_F_CONCURRENT;
  const DataModule module({"images", "bench", &schema, false}, &table.o, &images);
  LoaderOptions options;
  options.batch_size = batch_size;
  options.shuffle = true;
  Loader own(module, LEVIN_TRAIN, 0, *module.describe(LEVIN_TRAIN, 0), options);
  int64_t number = 0, seen = 0;
  auto theirs = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      Rows(images).map(torch::data::transforms::Normalize<>(0.2860, 0.3530)).map(torch::data::transforms::Stack<>()),
      torch::data::DataLoaderOptions().batch_size(batch_size));
  std::vector<Side> sides = {{"host",
                              [&] {
                                own.begin_epoch(number++);
                                while (const Batch* batch = own.next()) seen += batch->rows();
                              }},
                             {"torch::data", [&] {
                                for (const auto& batch : *theirs) seen += batch.target.size(0);
                              }}};
  for (Side& side : sides) side.epoch();
  for (int round = 0; round < rounds; ++round)
    for (Side& side : sides) side.times.push_back(milliseconds(side.epoch));
  std::printf("| loader, one thread | an epoch, ms | images a second |\n| --- | --- | --- |\n");
  std::vector<double> medians;
  for (Side& side : sides) {
    std::nth_element(side.times.begin(), side.times.begin() + rounds / 2, side.times.end());
    medians.push_back(side.times[static_cast<size_t>(rounds / 2)]);
    std::printf("| %s | %.1f | %.2f million |\n", side.name, medians.back(), rows / medians.back() / 1e3);
  }
  std::printf("\ntorch::data takes %.1f times as long\n", medians[1] / medians[0]);
  return seen == 2 * (rounds + 1) * rows ? 0 : 1;
}
