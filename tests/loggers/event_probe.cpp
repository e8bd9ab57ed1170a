// usage: event_probe FOLDER. Writes the event files of a run and of its resumption.
#include <cstdint>
#include <numeric>
#include <vector>

#include "levin/testing.hpp"
#include "levin/util/figure.hpp"

namespace {

void show(levin::testing::Component& board, const char* kind, const char* tag, const levin_view* view,
          const char* text) {
  board.media({sizeof(levin_media), 0, kind, tag, 3, view, text, nullptr, 0});
}

// Five frames of 70 x 90 pixels without a repeating pattern, made by the same formula in interop_tensorboard.py.
std::vector<uint8_t> moving(uint64_t channels) {
  std::vector<uint8_t> out;
  for (uint64_t i = 0; i < 5 * 70 * 90 * channels; ++i) out.push_back(static_cast<uint8_t>(i * i % 65521 / 256));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  levin::testing::FakeHost host;
  for (const int resumed : {-1, 3}) {
    levin::testing::Component board(host, "tensorboard");
    board.begin(argv[1], R"({"model": {"lr": 0.1}, "name": "x", "flag": true})", resumed);
    for (int step = resumed + 1; step < 6; ++step) board.metrics(step, {{"loss", resumed < 0 ? step : 10 * step}});
    if (resumed < 0) {
      std::vector<uint8_t> pixels(4 * 8 * 3, 128);
      int64_t shape[] = {4, 8, 3}, n[] = {100};
      const levin_view image = {pixels.data(), {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
      show(board, "image", "picture", &image, nullptr);
      std::vector<double> samples(100);
      std::iota(samples.begin(), samples.end(), 0.0);
      const levin_view row = {samples.data(), {LEVIN_CPU, 0}, 1, {LEVIN_FLOAT, 64, 1}, n, nullptr, 0};
      show(board, "histogram", "weights", &row, nullptr);
      show(board, "text", "note", nullptr, "hello");
      const std::vector<float> sound(800, 0.5f);
      board.media(levin::Media::audio("beep", sound.data(), 400, 2, 8000).step(3).caption("two channels"));
      board.media(levin::Media::video("grey", moving(1).data(), 5, 70, 90, 1, 20).step(3));
      board.media(levin::Media::video("coloured", moving(3).data(), 5, 70, 90, 3, 20).step(3));
      board.media(levin::Media::figure("curve", levin::Figure("loss").size(64, 32).line("", {0, 1}, {1, 0})).step(3));
      board.media(levin::Media::pr_curve("classes", {true, true, false, false}, {1, 0.6, 0.4, 0}, 5).step(3));
      board.media(levin::Media::graph("net", {{"x", "Input", {}}, {"net/fc", "Linear", {"x"}}}).step(3));
      board.media(levin::Media::layout(
          {{"losses", {{"both", {"train_loss", "val_loss"}}, {"range", {"v", "low", "high"}, true}}}}));
      const std::vector<float> vectors = {1, 2, 3.5f, -4};
      board.media(
          levin::Media::embedding("words", vectors.data(), 2, 2, {"word", "n"}, {{"cat", 1}, {"a\tb", 2}}).step(3));
      board.media(levin::Media::embedding("plain", vectors.data(), 4, 1).step(3));
      board.media(levin::Media::table("worst", {"file", "loss"}, {{"a.png", 2.5}}).step(3));
    }
    board.finalize();
  }
}
