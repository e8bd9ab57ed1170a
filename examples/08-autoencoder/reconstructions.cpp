// Draws images of the validation beside what the model makes of them. It knows no model and no LibTorch: run.forward()
// calls whatever network is trained.
#include <levin/host_tensor.hpp>
#include <levin/levin.hpp>
#include <levin/util/png.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Reconstructions : levin::Callback {
  static constexpr levin_option options[] = {levin::integer("images", "16", "how many are drawn", 1, 1000)};
  const int64_t images;
  explicit Reconstructions(const levin::Args& o) : images(o.integer("images")) {}

  void on_validation_batch_end(const levin::Event& event) {
    if (event.batch_idx() != 0 || event.stage() == levin::Stage::sanity) return;
    levin_tensor* input = event.batches().at(0)->tensors[0];
    const levin::HostTensor before(event.run(), input);
    if (before.view().ndim != 4) {
      if (!warned_) warn("the rows of this data are no images, so nothing is drawn");
      warned_ = true;
      return;
    }
    const levin::TensorList drawn = event.run().forward({input});
    draw(event, before, levin::HostTensor(event.run(), drawn[0]));
  }

 private:
  bool warned_ = false;
  // Above the images [rows, 1, height, width], below what was made of them.
  void draw(const levin::Event& event, const levin::HostTensor& before, const levin::HostTensor& after) {
    const int64_t n = std::min(images, before.view().shape[0]), h = before.view().shape[2], w = before.view().shape[3];
    const std::vector<double> from = before.numbers(), to = after.numbers();
    const auto [low, high] = std::minmax_element(from.begin(), from.end());
    std::vector<uint8_t> sheet(static_cast<size_t>(2 * h * n * w));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t y = 0; y < 2 * h; ++y)
        for (int64_t x = 0; x < w; ++x) {
          const auto pixel = static_cast<size_t>((i * h + y % h) * w + x);
          const double grey = ((y < h ? from : to).at(pixel) - *low) / (*high - *low + 1e-12);
          sheet[static_cast<size_t>((y * n + i) * w + x)] = static_cast<uint8_t>(255 * std::clamp(grey, 0.0, 1.0));
        }
    show(event, sheet, 2 * h, n * w);
  }

  static void show(const levin::Event& event, std::vector<uint8_t>& sheet, int64_t height, int64_t width) {
    const std::filesystem::path folder = event.run().run_dir();  // empty if the run writes no files
    if (!folder.empty()) {
      std::filesystem::create_directories(folder / "reconstructions");
      const std::string name = "epoch=" + std::to_string(event.epoch()) + ".png";
      std::ofstream(folder / "reconstructions" / name, std::ios::binary)
          << levin::png(sheet.data(), static_cast<uint32_t>(height), static_cast<uint32_t>(width), 1);
    }
    int64_t shape[] = {height, width, 1};
    const levin_view view = {sheet.data(), {LEVIN_CPU, 0}, 3, levin::uint8, shape, nullptr, 0};
    levin_media media{};
    media.size = sizeof media;
    media.kind = "image";
    media.tag = "reconstructions";
    media.step = -1;
    media.view = &view;
    event.run().media(media);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.examples.reconstructions", "1.0.0", "Apache-2.0",
             levin::callback<Reconstructions>("reconstructions", "Draws what the model makes of images"))
