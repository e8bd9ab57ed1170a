// usage: wandb_probe RUN_FOLDER. Logs a run for Weights & Biases, which is killed after a checkpoint, and its
// resumption.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "levin/testing.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  levin::testing::FakeHost host;
  host.texts["run_uid"] = "0123456789abcdef0123456789abcdef";
  const std::string options = R"({"model": {"lr": 0.1, "name": "mlp"}, "flag": true})";
  levin::testing::State state;
  {
    levin::testing::Component logger(host, "wandb", {{"project", "probe"}, {"entity", "us"}});
    logger.begin(argv[1], options, -1, "first try", {"vision", "small"});
    for (int64_t step = 0; step < 2000; ++step)
      logger.metrics(step, {{"loss", static_cast<double>(step) / 2}, {"acc", 0.5}});
    logger.flush();
    state = logger.save();
    logger.metrics(2000, {{"lost", 1}});
    logger.flush();
  }
  levin::testing::Component logger(host, "wandb", {{"project", "probe"}, {"entity", "us"}});
  logger.load(state);
  logger.begin(argv[1], options, 1999, "first try", {"vision", "small"});
  for (int64_t step = 2000; step < 2010; ++step)
    logger.metrics(step, {{"loss", static_cast<double>(step) / 2}, {"acc", 0.75}});
  logger.metrics(2010, {{"odd", std::nan("")}, {"high", INFINITY}, {"low", -INFINITY}});
  logger.hparams(R"({"model.width": 64})");
  std::vector<uint8_t> pixels(4 * 8 * 3, 128);
  logger.media(levin::Media::image("a/picture", pixels.data(), 4, 8, 3).step(2010).caption("grey"));
  std::vector<double> samples(100);
  std::iota(samples.begin(), samples.end(), 0.0);
  samples[99] = std::nan("");
  logger.media(levin::Media::histogram("weights", samples.data(), 100).step(2010));
  logger.media(levin::Media::text("note", std::string(100000, 'x')).step(2010));
  logger.media(levin::Media::table("worst", {"file", "loss"}, {{"a.png", 2.5}, {"b.png", 1}}).step(2010));
  const std::filesystem::path kept = std::filesystem::path(argv[1]) / "kept";
  std::filesystem::create_directories(kept / "deep");
  std::ofstream(kept / "one.txt") << "one";
  std::ofstream(kept / "deep" / "two.txt") << "two";
  logger.artifact(kept.string(), "notes");
  logger.finalize();
}
