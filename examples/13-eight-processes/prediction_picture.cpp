// Draws the first 25 test images of rank 0, five by five, each with the class that the model took it for: green where
// that is right, red where it is not. predictions.png in the run's folder.
#include <algorithm>
#include <array>
#include <fstream>
#include <levin/callback.hpp>
#include <levin/host_tensor.hpp>
#include <levin/util/png.hpp>
#include <string>
#include <vector>

namespace {

constexpr uint32_t across = 5;
constexpr uint32_t zoom = 3, border = 6;

// The digits 0 to 9, three columns and five rows of bits each.
constexpr std::array<uint16_t, 10> digits = {075557, 026227, 071747, 071717, 055711,
                                             074717, 074757, 071111, 075757, 075717};

struct Picture {
  uint32_t height, width;
  std::vector<uint8_t> pixels = std::vector<uint8_t>(size_t{height} * width * 3, 255);

  void set(uint32_t y, uint32_t x, const std::array<uint8_t, 3>& color) {
    if (y < height && x < width) std::copy(color.begin(), color.end(), &pixels[(size_t{y} * width + x) * 3]);
  }
  void fill(uint32_t y, uint32_t x, uint32_t size, const std::array<uint8_t, 3>& color) {
    for (uint32_t i = 0; i < size * size; ++i) set(y + i / size, x + i % size, color);
  }
  void digit(uint32_t y, uint32_t x, int64_t value, const std::array<uint8_t, 3>& color) {
    const uint16_t bits = digits[static_cast<size_t>(value % 10)];
    for (uint32_t i = 0; i < 15; ++i)
      if (bits >> (14 - i) & 1) fill(y + i / 3 * zoom, x + i % 3 * zoom, zoom, color);
  }
};

struct PredictionPicture : levin::Callback {
  explicit PredictionPicture(const levin::Args&) {}

  void on_test_batch_end(const levin::Event& event) {
    const levin::Run run = event.run();
    if (event.batch_idx() != 0 || run.rank() != 0 || !event.output("prediction")) return;
    const levin::HostTensor images(run, event.batches().at(0)->tensors[0]);
    draw(run, images, levin::HostTensor(run, event.output("prediction")).integers(),
         levin::HostTensor(run, event.output("target")).integers());
  }

 private:
  // images: [B, 1, H, W], of any scale.
  static void draw(const levin::Run& run, const levin::HostTensor& images, const std::vector<int64_t>& predicted,
                   const std::vector<int64_t>& wanted) {
    const auto size = static_cast<uint32_t>(images.view().shape[2]), cell = size * zoom + border;
    const std::vector<double> values = images.numbers();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    Picture picture{cell * across, cell * across};
    for (size_t i = 0; i < std::min<size_t>(predicted.size(), across * across); ++i) {
      const uint32_t top = static_cast<uint32_t>(i / across) * cell, left = static_cast<uint32_t>(i % across) * cell;
      for (uint32_t p = 0; p < size * size; ++p) {
        const double value = values[i * size * size + p];
        const auto grey = static_cast<uint8_t>(255 * (value - *low) / std::max(*high - *low, 1e-9));
        picture.fill(top + p / size * zoom, left + p % size * zoom, zoom, {grey, grey, grey});
      }
      const bool right = predicted[i] == wanted[i];
      picture.digit(top + zoom, left + zoom, predicted[i],
                    right ? std::array<uint8_t, 3>{0, 200, 0} : std::array<uint8_t, 3>{255, 60, 60});
    }
    std::ofstream(run.run_dir() + "/predictions.png", std::ios::binary)
        << levin::png(picture.pixels.data(), picture.height, picture.width, 3);
  }
};

}  // namespace

LEVIN_PLUGIN("com.example.prediction_picture", "1.0.0", "Apache-2.0",
             levin::callback<PredictionPicture>("prediction_picture",
                                                "A picture of the first test images and their classes"))
