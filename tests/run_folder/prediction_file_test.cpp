#include "core/run_folder/prediction_file.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstddef>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

namespace {

Batch batch_of(std::vector<int64_t> ids) {
  Batch batch;
  batch.sample_ids = std::move(ids);
  return batch;
}

// Predictions of two processes, whose rows alternate, in batches of two. gaps: odd batches of the first process have
// no prediction. ids: the rows have indices; otherwise they come from a stream.
struct RowsInTurns {
  std::vector<int64_t> rows[2];
  bool ids, gaps;
};
std::vector<float> in_order(const std::vector<RowsInTurns>& loaders) {
  PredictionFile all;
  for (const int rank : {0, 1}) {
    PredictionFile own;
    for (size_t l = 0; l < loaders.size(); ++l)
      for (size_t i = 0; i < loaders[l].rows[rank].size(); i += 2) {
        const auto begin = loaders[l].rows[rank].begin() + static_cast<std::ptrdiff_t>(i);
        const std::vector<int64_t> of_batch(begin, begin + 2);
        Batch batch = batch_of(loaders[l].ids ? of_batch : std::vector<int64_t>());
        batch.tensors = {at::tensor(of_batch).to(at::kFloat)};
        batch.publish({"x"});
        const bool empty = loaders[l].gaps && rank == 0 && i / 2 % 2 == 1;
        own.add(empty ? std::vector<NamedTensor>() : std::vector<NamedTensor>{{"y", batch.tensors[0]}}, batch, l);
      }
    for (PredictedBatch& b : own.batches()) b.rank = rank, all.batches().push_back(b);
  }
  all.put_in_order(/*in_turns=*/true);
  const TempFolder folder;
  const CheckpointReader file(all.write(folder.path().string()).files.at(0));
  const at::Tensor y = file.tensor("y");
  return {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()};
}

at::Tensor rows(int64_t first, int64_t end, int64_t width) {
  return at::arange(first * width, end * width, at::kFloat).reshape({end - first, width});
}

}  // namespace

TEST_CASE("predictions of all batches become one tensor, with the rows they are for") {
  const TempFolder folder;
  PredictionFile file;
  file.add({{"y", rows(0, 3, 2)}, {"label", at::arange(0, 3, at::kLong)}}, batch_of({5, 4, 3}));
  file.add({{"y", rows(3, 5, 2)}, {"label", at::arange(3, 5, at::kLong)}}, batch_of({2, 1}));
  const auto written = file.write(folder.path().string()).files;
  REQUIRE(written.size() == 2);
  const CheckpointReader reader(written[0]);
  CHECK(at::equal(reader.tensor("y"), rows(0, 5, 2)));
  CHECK(at::equal(reader.tensor("label"), at::arange(0, 5, at::kLong)));
  CHECK(reader.tensor("sample").numel() == 5);
  CHECK(read_file(written[1]) == "sample,y_0,y_1,label\n5,0,1,0\n4,2,3,1\n3,4,5,2\n2,6,7,3\n1,8,9,4\n");
}

TEST_CASE("rows that have names are known by them, too") {
  const TempFolder folder;
  PredictionFile file;
  file.add({{"y", rows(0, 2, 1)}}, batch_of({1, 0}), 0, {"b/cat.png", "a/\"x\", y.png"});
  const auto written = file.write(folder.path().string()).files;
  REQUIRE(written.size() == 2);
  CHECK(read_file(written[1]) == "sample,name,y\n1,b/cat.png,0\n0,\"a/\"\"x\"\", y.png\",1\n");

  PredictionFile without;
  without.add({{"y", rows(0, 2, 1)}}, batch_of({1, 0}), 0, {"", ""});
  CHECK(read_file(without.write(folder.path().string()).files[1]) == "sample,y\n1,0\n0,1\n");
}

TEST_CASE("rows that have names are in the table however many numbers are predicted for them") {
  const TempFolder folder;
  PredictionFile file;
  std::vector<std::string> names;
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < 1001; ++i) ids.push_back(i), names.push_back("pictures/" + std::to_string(i) + ".png");
  file.add({{"prediction", at::arange(0, 1001, at::kLong).remainder(2)}, {"scores", at::full({1001, 1000}, 1.0)}},
           batch_of(ids), 0, names);
  const auto written = file.write(folder.path().string(), {"cat", "dog"});
  REQUIRE(written.files.size() == 2);
  CHECK(written.left_out == std::vector<std::string>{"scores"});
  const std::string text = read_file(written.files[1]);
  CHECK_THAT(text, Catch::Matchers::StartsWith(
                       "sample,name,prediction,prediction_name\n0,pictures/0.png,0,cat\n1,pictures/1.png,1,dog\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1002);

  PredictionFile alone;  // every prediction is large, or is not one value per row
  alone.add({{"scores", at::full({2, 600000}, 1.0)}, {"mean", at::full({}, 1.0)}}, batch_of({0, 1}), 0, {"a", "b"});
  const auto of_names = alone.write(folder.path().string(), {"cat", "dog"});
  REQUIRE(of_names.files.size() == 2);
  CHECK(read_file(of_names.files[1]) == "sample,name\n0,a\n1,b\n");
  CHECK(of_names.left_out == std::vector<std::string>{"scores", "mean"});
}

TEST_CASE("predicted classes have their names beside their numbers, where the names say more") {
  const TempFolder folder;
  const auto table = [&](const at::Tensor& predicted, const std::vector<std::string>& names) {
    PredictionFile file;
    file.add({{"prediction", predicted}, {"label", at::arange(0, 2, at::kLong)}}, batch_of({7, 8}));
    return read_file(file.write(folder.path().string(), names).files.at(1));
  };
  const at::Tensor classes = at::tensor(std::vector<int64_t>{1, 0});
  CHECK(table(classes, {"T-shirt, top", "Coat"}) ==
        "sample,prediction,prediction_name,label\n7,1,Coat,0\n8,0,\"T-shirt, top\",1\n");
  CHECK(table(classes, {"0", "1"}) == "sample,prediction,label\n7,1,0\n8,0,1\n");
  CHECK(table(classes, {"cat"}) == "sample,prediction,label\n7,1,0\n8,0,1\n");                    // there is no class 1
  CHECK(table(classes.to(at::kFloat), {"a", "b"}) == "sample,prediction,label\n7,1,0\n8,0,1\n");  // not classes
  CHECK(table(at::tensor(std::vector<int64_t>{1234567891234, 1}), {}) ==
        "sample,prediction,label\n7,1234567891234,0\n8,1,1\n");
}

TEST_CASE("a value a batch is one row, and tensors of different lengths make no table") {
  const TempFolder folder;
  PredictionFile file;
  for (const double value : {1.0, 2.0}) file.add({{"score", at::full({}, value)}, {"y", rows(0, 3, 1)}}, batch_of({}));
  const auto written = file.write(folder.path().string()).files;
  REQUIRE(written.size() == 1);
  CHECK(CheckpointReader(written[0]).tensor("score").numel() == 2);
  CHECK(CheckpointReader(written[0]).tensor("y").numel() == 6);
}

TEST_CASE("what stood first is kept by loader and batch, as it was, in memory of its own") {
  PredictionFile file;
  at::Tensor reused = rows(0, 2, 1);
  file.add({{"y", reused}, {"z", rows(0, 2, 3)}}, batch_of({}), 0);
  reused.fill_(-1);
  file.add({{"y", at::full({}, 4.0)}}, batch_of({}), 2);
  file.add({}, batch_of({}), 3);
  REQUIRE(file.first().size() == 3);
  REQUIRE(file.first()[0].size() == 1);
  CHECK(at::equal(file.first()[0][0], rows(0, 2, 1)));
  CHECK(file.first()[1].empty());
  CHECK(file.first()[2].at(0).dim() == 0);
}

TEST_CASE("many numbers are not written as text, and none are not written at all") {
  const TempFolder folder;
  PredictionFile many;
  many.add({{"y", at::full({1001, 1000}, 1.0)}}, batch_of({}));
  CHECK(many.write(folder.path().string()).files.size() == 1);
  CHECK(PredictionFile().write(folder.path().string()).files.empty());
}

TEST_CASE("what processes predicted in turns is in the order of rows, also where a batch predicts nothing") {
  const std::vector<int64_t> even = {0, 2, 4, 6, 8, 10}, odd = {1, 3, 5, 7, 9, 11};
  CHECK(in_order({{{even, odd}, true, false}}) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(in_order({{{even, odd}, true, true}}) == std::vector<float>{0, 1, 2, 3, 5, 7, 8, 9, 10, 11});
}

TEST_CASE("predictions for rows and for the batches of a stream are each in their order") {
  const RowsInTurns known{{{0, 2}, {1, 3}}, true, false}, stream{{{4, 5, 8, 9}, {6, 7}}, false, false};
  CHECK(in_order({known, stream}) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(in_order({stream, known}) == std::vector<float>{4, 5, 6, 7, 8, 9, 0, 1, 2, 3});
}
