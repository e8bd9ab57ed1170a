// Batches of rows of similar length: the order alone, and the loaders of several ranks.
#include "core/data/loader_set.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/data/bucket_sampler.hpp"
#include "sdk/include/levin/data_extensions.h"
#include "tests/data/handing_module.hpp"
#include "tests/data/toy_data.hpp"

namespace bucket_sampler_test {

using namespace levin::core;

namespace {

using Batches = std::vector<std::vector<int64_t>>;

// Lengths from 1 to 400, most of them short.
int64_t length_of(int64_t row) {
  const auto x = static_cast<int64_t>(SplitMix64(static_cast<uint64_t>(row)).below(20));
  return 1 + x * x;
}
std::vector<int64_t> lengths_of(int64_t rows) {
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < rows; ++row) lengths.push_back(length_of(row));
  return lengths;
}

Batches cut(const std::vector<int64_t>& order, int64_t batch_size) {
  Batches out;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i % static_cast<size_t>(batch_size) == 0) out.emplace_back();
    out.back().push_back(order[i]);
  }
  return out;
}

Batches bucketed(int64_t rows, int64_t batch_size, int64_t epoch, uint64_t seed = 5) {
  const BucketSampler sampler(std::make_unique<RandomSampler>(seed), lengths_of(rows), batch_size, seed);
  std::vector<int64_t> order;
  sampler.order(rows, epoch, order);
  return cut(order, batch_size);
}

std::vector<int64_t> sorted_rows(const Batches& batches) {
  std::vector<int64_t> out;
  for (const auto& batch : batches) out.insert(out.end(), batch.begin(), batch.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<int64_t> numbers_below(int64_t n) {
  std::vector<int64_t> out(static_cast<size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Returns the share of the elements that pad batches.
double padding(const Batches& batches) {
  int64_t all = 0, used = 0;
  for (const auto& batch : batches) {
    int64_t longest = 0;
    for (const int64_t row : batch) longest = std::max(longest, length_of(row)), used += length_of(row);
    all += longest * static_cast<int64_t>(batch.size());
  }
  return 1 - static_cast<double>(used) / static_cast<double>(all);
}

}  // namespace

TEST_CASE("each row is in one batch of an epoch, and the incomplete batch is the last one") {
  for (const int64_t rows : {0, 1, 7, 8, 9, 33, 1000, 8007}) {
    INFO(rows);
    const Batches batches = bucketed(rows, 8, 2);
    CHECK(sorted_rows(batches) == numbers_below(rows));
    for (size_t i = 0; i + 1 < batches.size(); ++i) CHECK(batches[i].size() == 8);
  }
}

TEST_CASE("the ranges of lengths of a pool's batches do not overlap") {
  const Batches batches = bucketed(16000, 32, 1);  // 500 batches in 10 pools
  std::vector<int> batches_with(500);
  for (const auto& batch : batches) {
    REQUIRE(
        std::is_sorted(batch.begin(), batch.end(), [](int64_t a, int64_t b) { return length_of(a) < length_of(b); }));
    for (int64_t length = length_of(batch.front()) + 1; length < length_of(batch.back()); ++length)
      ++batches_with[static_cast<size_t>(length)];
  }
  for (const int n : batches_with) CHECK(n <= 10);  // at most one batch of each pool
}

TEST_CASE("batches of similar length have little padding, and come in random order") {
  std::vector<int64_t> order;
  RandomSampler(5).order(16000, 1, order);
  const Batches batches = bucketed(16000, 32, 1);
  CHECK(padding(cut(order, 32)) > 0.5);
  CHECK(padding(batches) < 0.08);
  int rises = 0;
  for (size_t i = 1; i < batches.size(); ++i) rises += length_of(batches[i][0]) > length_of(batches[i - 1][0]);
  CHECK(rises > 150);
  CHECK(rises < 350);
}

TEST_CASE("the batches depend on the seed and the epoch alone") {
  CHECK(bucketed(1000, 8, 3) == bucketed(1000, 8, 3));
  CHECK(bucketed(1000, 8, 3) != bucketed(1000, 8, 4));
  CHECK(bucketed(1000, 8, 3) != bucketed(1000, 8, 3, 6));
  const Batches before = bucketed(1000, 8, 3), after = bucketed(1000, 8, 4);
  int same = 0;
  for (const auto& batch : before) same += std::count(after.begin(), after.end(), batch) > 0;
  CHECK(same < 5);
}

TEST_CASE("the rows of the incomplete batch, which drop_last drops, are of any length") {
  int64_t shortest = 400, longest = 0;
  for (int64_t epoch = 0; epoch < 40; ++epoch) {
    const std::vector<int64_t> last = bucketed(1003, 8, epoch).back();
    REQUIRE(last.size() == 3);
    shortest = std::min(shortest, length_of(last[0]));
    longest = std::max(longest, length_of(last[2]));
  }
  CHECK(shortest < 20);
  CHECK(longest > 300);
}

namespace {

// Row i has length_of(i) words, each of them i.
struct RaggedModule : HandingModule {
  explicit RaggedModule(int64_t n) : HandingModule(n) {
    fields = {{"x", {LEVIN_INT, 64, 1}, 1, {-1}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
    by_batch();
    make = [this](const levin_fill& in, std::vector<levin_managed*>& out) -> levin_status {
      int64_t longest = 0;
      for (int64_t i = 0; i < in.n; ++i) longest = std::max(longest, length_of(in.indices[i]));
      Tensor& t = tensor({in.n, longest}, LEVIN_INT);
      for (int64_t i = 0; i < in.n; ++i) t.numbers[static_cast<size_t>(i * longest)] = in.indices[i];
      out.push_back(&t.raw);
      return LEVIN_OK;
    };
    table.o.extension = &extension<length_of>;
  }
  static int64_t wrong_length(int64_t row) { return 3 - row; }
  template <int64_t (*Length)(int64_t)>
  static const void* extension(void*, const char* id) {
    static const levin_row_lengths lengths = {sizeof lengths, 0,
                                              [](void*, uint32_t, uint32_t, int64_t n, int64_t* out) -> levin_status {
                                                for (int64_t i = 0; i < n; ++i) out[i] = Length(i);
                                                return LEVIN_OK;
                                              }};
    return std::strcmp(id, LEVIN_ROW_LENGTHS) == 0 ? &lengths : nullptr;
  }
};

LoaderDefaults options() {
  LoaderDefaults o;
  o.batch_size = o.eval_batch_size = 4;
  o.shuffle = o.bucket_by_length = true;
  o.prefetch_factor = 2;
  o.given = {"bucket_by_length"};
  return o;
}

// Returns the batches of an epoch, from batch `first` on.
Batches rows_of(RaggedModule& module, const LoaderDefaults& o, int64_t epoch, const Share& share = {},
                int64_t first = 0, uint32_t split = LEVIN_TRAIN, const RunPlan& plan = {}) {
  const DataModule data = module.module();
  LoaderSet loaders(data, o, plan, 7, share);
  Loader& loader = *loaders.get(split)[0];
  Batches out;
  loader.begin_epoch(epoch, first);
  while (const Batch* batch = loader.next()) {
    out.push_back(batch->sample_ids);
    for (size_t i = 0; i < batch->sample_ids.size(); ++i)
      CHECK(batch->tensors[0].select(0, static_cast<int64_t>(i)).data_ptr<int64_t>()[0] == batch->sample_ids[i]);
  }
  return out;
}

std::string refusal(RaggedModule& module, const LoaderDefaults& o) {
  try {
    rows_of(module, o, 0);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("batches by length go on in the middle of an epoch, with and without a worker") {
  RaggedModule module(63);
  LoaderDefaults worker = options();
  worker.num_workers = 1;
  const Batches whole = rows_of(module, options(), 2);
  CHECK(sorted_rows(whole) == numbers_below(63));
  CHECK(rows_of(module, worker, 2) == whole);
  for (const LoaderDefaults& o : {options(), worker})
    CHECK(rows_of(module, o, 2, {}, 5) == Batches(whole.begin() + 5, whole.end()));
}

TEST_CASE("batches by length are the same with any number of workers") {
  ToyData toy(63);
  const DataModule data = toy.module();
  const auto batches = [&](int64_t workers) {
    LoaderOptions o;
    o.batch_size = 4;
    o.num_workers = workers;
    o.sampler = std::make_shared<BucketSampler>(std::make_unique<RandomSampler>(5), lengths_of(63), 4, 5);
    Loader loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), o);
    Batches out;
    for (const int64_t epoch : {0, 1}) {
      loader.begin_epoch(epoch);
      while (const Batch* batch = loader.next()) out.push_back(batch->sample_ids);
    }
    return out;
  };
  const Batches without = batches(0);
  CHECK(without.size() == 32);
  CHECK(batches(1) == without);
  CHECK(batches(4) == without);
}

TEST_CASE("the last batch by length is dropped with drop_last") {
  RaggedModule module(63);
  LoaderDefaults dropping = options();
  dropping.drop_last = true;
  const Batches whole = rows_of(module, options(), 0), dropped = rows_of(module, dropping, 0);
  REQUIRE(whole.size() == 16);
  CHECK(dropped == Batches(whole.begin(), whole.end() - 1));
}

TEST_CASE("ranks have other rows, as many batches, and similar lengths in a step") {
  RaggedModule module(600);
  std::vector<Batches> of_rank;
  for (const int rank : {0, 1, 2}) of_rank.push_back(rows_of(module, options(), 1, {rank, 3}));
  Batches steps(50);  // the rows of all ranks in a step
  for (const Batches& batches : of_rank) {
    REQUIRE(batches.size() == 50);
    for (size_t step = 0; step < 50; ++step)
      steps[step].insert(steps[step].end(), batches[step].begin(), batches[step].end());
  }
  CHECK(sorted_rows(steps) == numbers_below(600));
  CHECK(padding(steps) < 0.2);
}

TEST_CASE("evaluations keep the order of the rows, and overfit_batches the same batches") {
  RaggedModule module(10);
  const Batches in_order = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}};
  CHECK(rows_of(module, options(), 0, {}, 0, LEVIN_VAL) == in_order);
  RunPlan plan;
  plan.limits.overfit_batches = 3;
  CHECK(rows_of(module, options(), 0, {}, 0, LEVIN_TRAIN, plan) == in_order);
}

TEST_CASE("bucket_by_length is refused where the user gave it and it has no effect") {
  RaggedModule module(63), without(63), wrong(63), fixed(63);
  CHECK(refusal(module, options()) == "");
  without.table.o.extension = nullptr;
  fixed.fields[0].shape[0] = 400;
  LoaderDefaults in_order = options(), recommended = options();
  in_order.shuffle = false;
  recommended.given.clear();
  const std::string begin = "data.bucket_by_length has no effect on the rows of libhands.so (split train): ";
  CHECK_THAT(refusal(without, options()), ContainsSubstring(begin + "the data module does not give their lengths"));
  CHECK_THAT(refusal(fixed, options()), ContainsSubstring(begin + "all of them have one shape"));
  CHECK_THAT(refusal(module, in_order), ContainsSubstring(begin) && ContainsSubstring("data.shuffle is false"));
  in_order.given.clear();
  const std::vector<int64_t> first = {0, 1, 2, 3};
  CHECK(rows_of(module, in_order, 0)[0] == first);
  CHECK(refusal(without, recommended) == "");
  wrong.table.o.extension = &RaggedModule::extension<RaggedModule::wrong_length>;
  CHECK_THAT(refusal(wrong, options()),
             ContainsSubstring("libhands.so: hands.row_length: row 4 of split train has the length -1"));
}

}  // namespace bucket_sampler_test
