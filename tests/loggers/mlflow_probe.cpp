// usage: mlflow_probe FOLDER TRACKING_URI STATUS. Logs a run into FOLDER/run, which goes on after its checkpoint and is
// then resumed from it, and ends with this status. Prints the messages of the logger. Fails if a call is slow.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <vector>

#include "levin/testing.hpp"

namespace {

using levin::testing::Component;

levin_value number_value(double value) {
  levin_value out{};
  out.type = LEVIN_T_FLOAT;
  out.v.f = value;
  return out;
}

// The fake host takes messages of one thread; the logger has two.
void (*log_of_fake_host)(const levin_host*, int32_t, const char*);
void log_locked(const levin_host* host, int32_t level, const char* text) {
  static std::mutex one;
  const std::lock_guard<std::mutex> lock(one);
  log_of_fake_host(host, level, text);
}

void begin(Component& logger, const std::string& folder, int64_t resumed_step) {
  logger.begin(folder + "/run", "{}", resumed_step, "first \"try\"", {"vision", "size=small"},
               {{"model.lr", number_value(0.1)}});
}

void log_steps(Component& logger, int64_t from, int64_t to, double factor) {
  for (int64_t step = from; step < to; ++step)
    logger.metrics(step, {{"train/loss", factor * static_cast<double>(step)}, {"acc:top 1", 0.5}, {"acc@top 1", 0.25}});
}

void log_files(Component& logger, const std::string& folder) {
  std::vector<uint8_t> pixels(4 * 8 * 3, 128);
  int64_t shape[] = {4, 8, 3};
  const levin_view image = {pixels.data(), {LEVIN_CPU, 0}, 3, {LEVIN_UINT, 8, 1}, shape, nullptr, 0};
  logger.media({sizeof(levin_media), 0, "image", "picture", 3, &image, nullptr, nullptr, 0});
  levin_media text{sizeof(levin_media), 0, "text", "note", 3, nullptr, nullptr, nullptr, 0};
  text.text = "hello";
  logger.media(text);
  std::ofstream(folder + "/notes.txt") << "first";
  logger.artifact(folder + "/notes.txt", "notes.txt");
  std::ofstream(folder + "/notes.txt") << "second";
  logger.artifact(folder + "/notes.txt", "notes.txt");
  logger.artifact(folder + "/tables", "tables");
  levin::Saved saved;
  saved.path = folder + "/best.ckpt";
  saved.best = true;
  logger.after_save(saved);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string folder = argv[1];
  std::filesystem::create_directories(folder + "/tables/deep");
  std::ofstream(folder + "/best.ckpt") << "weights";
  std::ofstream(folder + "/tables/a.csv") << "1,2\n";
  std::ofstream(folder + "/tables/deep/b.csv") << "3\n";
  levin::testing::FakeHost host;
  log_of_fake_host = host.raw()->log;
  const_cast<levin_host*>(host.raw())->log = log_locked;
  host.texts["default_root_dir"] = folder;
  host.texts["run_uid"] = "0123456789abcdef0123456789abcdef";
  const levin::testing::Options options = {
      {"tracking_uri", argv[2]}, {"experiment_name", "probe \"1\""}, {"log_model", "best"}};
  const auto start = std::chrono::steady_clock::now();
  levin::testing::State state;
  {
    Component logger(host, "mlflow", options);
    begin(logger, folder, -1);
    log_steps(logger, 0, 1200, 1);
    logger.hparams("{\"model.width\": 64}");
    state = logger.save();
    log_steps(logger, 1200, 1300, 1);  // lost, or on the server already
    logger.flush();
    logger.finalize("interrupted");
  }
  Component logger(host, "mlflow", options);
  logger.load(state);
  begin(logger, folder, 1199);
  log_steps(logger, 1200, 1300, 1);  // the same values as before
  log_steps(logger, 1300, 1310, 2);
  logger.metrics(1310, {{"odd", std::nan("")}, {"inf", INFINITY}});
  log_files(logger, folder);
  const auto logged = std::chrono::steady_clock::now();
  logger.finalize(argv[3]);
  for (const auto& message : host.messages) std::printf("%d %s\n", message.first, message.second.c_str());
  // A server that hangs is waited for 5 s when the first session is interrupted, and by nothing else.
  return logged - start < std::chrono::seconds(12) ? 0 : 1;
}
