#include "callbacks/prediction_writer/npy.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace prediction_writer_test {
namespace fs = std::filesystem;
using levin::Stage;
using levin::prediction_writer::Array;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Options;

namespace {

// Writes predictions of two batches, of two rows and one row, to an empty folder.
fs::path predicted(const Options& options) {
  const fs::path dir = fs::temp_directory_path() / "levin_prediction_writer_test";
  fs::remove_all(dir);
  FakeHost host;
  host.texts["run_dir"] = dir.string();
  Component c(host, "prediction_writer", options);
  for (int64_t batch = 0; batch < 2; ++batch) {
    levin_event event = host.event(LEVIN_HOOK_PREDICT_BATCH_END, Stage::predict);
    const std::vector<int64_t> ids = batch == 0 ? std::vector<int64_t>{7, 8} : std::vector<int64_t>{9};
    const levin_batch raw{sizeof raw, 0, nullptr, nullptr, static_cast<int64_t>(ids.size()), ids.data()};
    const levin_named output{"loss", batch == 0 ? host.tensor({1, 2}, {2}) : host.tensor({3}, {1})};
    event.batch_idx = batch;
    event.dataloader_idx = 0;
    event.batch = &raw;
    event.outputs = &output;
    event.n_outputs = 1;
    c.send(event);
  }
  c.send(LEVIN_HOOK_PREDICT_END, Stage::predict);
  return dir / "predictions";
}

size_t count(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("an array is written as NumPy reads it") {
  Array array{{LEVIN_FLOAT, 32, 1}, {2, 3}, std::string(24, '\1')};
  const std::string file = levin::prediction_writer::npy(array);
  CHECK(file.substr(1, 5) == "NUMPY");
  CHECK((file.size() - 24) % 64 == 0);
  CHECK_THAT(file, ContainsSubstring("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, ), }"));
}

TEST_CASE("predictions are written batch by batch") {
  const fs::path folder = predicted({});
  CHECK(count(folder) == 4);
  CHECK_THAT(bytes_of(folder / "loader_0_batch_0.prediction.npy"), ContainsSubstring("(2, )"));
  CHECK_THAT(bytes_of(folder / "loader_0_batch_1.sample.npy"), ContainsSubstring("'<i8'"));
}

TEST_CASE("predictions are written once for each loader") {
  const fs::path folder = predicted({{"write_interval", "epoch"}});
  CHECK(count(folder) == 2);
  const std::string file = bytes_of(folder / "loader_0.prediction.npy");
  CHECK_THAT(file, ContainsSubstring("(3, )"));
  float last = 0;
  std::memcpy(&last, file.data() + file.size() - sizeof last, sizeof last);
  CHECK(last == 3);
}

TEST_CASE("a tensor that NumPy has no type for is refused and released") {
  FakeHost host;
  Component c(host, "prediction_writer");
  float value = 0;
  int64_t shape = 1;
  const levin_view view{&value, {LEVIN_CPU, 0}, 1, {LEVIN_BFLOAT, 16, 1}, &shape, nullptr, 0};
  levin_tensor* made = host.tensor(view);
  const levin_named output{"loss", made};
  levin_event event = host.event(LEVIN_HOOK_PREDICT_BATCH_END, Stage::predict);
  event.outputs = &output;
  event.n_outputs = 1;
  CHECK_THROWS_WITH(c.send(event), ContainsSubstring("bfloat16"));
  CHECK(levin::testing::Tensor::of(made).references == 1);
}

TEST_CASE("prediction_writer is left out where nothing is to be written") {
  FakeHost host;
  CHECK((Component(host, "prediction_writer").description().flags & LEVIN_F_OFF_IN_FAST_DEV_RUN) != 0);
}

TEST_CASE("each of several processes writes files of its own") {
  const fs::path dir = fs::temp_directory_path() / "levin_prediction_writer_test";
  fs::remove_all(dir);
  FakeHost host;
  host.texts["run_dir"] = dir.string();
  host.world_size = 2;
  host.rank = 1;
  Component c(host, "prediction_writer");
  levin_event event = host.event(LEVIN_HOOK_PREDICT_BATCH_END, Stage::predict);
  const levin_named output{"loss", host.tensor({1, 2}, {2})};
  event.batch_idx = event.dataloader_idx = 0;
  event.outputs = &output;
  event.n_outputs = 1;
  c.send(event);
  CHECK(fs::exists(dir / "predictions" / "rank_1.loader_0_batch_0.prediction.npy"));
  CHECK(count(dir / "predictions") == 1);
}

}  // namespace prediction_writer_test
