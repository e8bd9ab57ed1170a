#include "core/data/loader.hpp"

#include <ATen/ops/equal.h>

#include <algorithm>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/data/batch_feed.hpp"
#include "tests/data/toy_data.hpp"

using namespace levin::core;

namespace {

struct Made {
  DataModule data;
  Loader loader;
  Made(ToyData& toy, const LoaderOptions& options)
      : data(toy.module()), loader(data, LEVIN_TRAIN, 0, *data.describe(LEVIN_TRAIN, 0), options) {}
};

LoaderOptions options(int64_t batch_size, int64_t workers = 0) {
  LoaderOptions o;
  o.batch_size = batch_size;
  o.num_workers = workers;
  o.seed = 11;
  return o;
}

// Returns the rows of each batch of an epoch, read from the tensors and compared with the ids.
std::vector<std::vector<int64_t>> epoch(Loader& loader, int64_t number, int64_t first = 0, int64_t limit = -1) {
  std::vector<std::vector<int64_t>> out;
  loader.begin_epoch(number, first, limit);
  while (Batch* batch = loader.next()) {
    out.emplace_back();
    REQUIRE(batch->rows() == static_cast<int64_t>(batch->sample_ids.size()));
    for (int64_t i = 0; i < batch->rows(); ++i) {
      const float* x = batch->tensors[0].data_ptr<float>() + 2 * i;
      CHECK(x[1] == 10 * x[0]);
      CHECK(static_cast<int64_t>(x[0]) == batch->sample_ids[static_cast<size_t>(i)]);
      out.back().push_back(static_cast<int64_t>(x[0]));
    }
  }
  return out;
}

// One of two processes that take the batches of a stream in turns. The stream cannot be rewound.
struct InTurns {
  ToyData toy{0};
  std::unique_ptr<Made> made;
  InTurns(int rank, int64_t batches) {
    toy.toy.stream = batches;
    toy.toy.repeats = true;
    toy.without_rewind();
    LoaderOptions o = options(2);
    o.share.rank = rank;
    o.share.world_size = 2;
    made = std::make_unique<Made>(toy, o);
  }
  // Returns the first numbers of the process's batches in an epoch.
  std::vector<int> take(int64_t epoch, size_t most, int64_t limit = -1) {
    std::vector<int> out;
    made->loader.begin_epoch(epoch, 0, limit);
    while (out.size() < most) {
      const Batch* batch = made->loader.next();
      if (!batch) break;
      out.push_back(static_cast<int>(*batch->tensors[0].data_ptr<float>()));
    }
    return out;
  }
};

}  // namespace

TEST_CASE("a loader cuts the rows into batches, the last one short or dropped") {
  ToyData toy(7);
  Made made(toy, options(3));
  CHECK(*made.loader.size() == 3);
  CHECK(epoch(made.loader, 0) == std::vector<std::vector<int64_t>>{{0, 1, 2}, {3, 4, 5}, {6}});
  CHECK(epoch(made.loader, 1, 0, 2) == std::vector<std::vector<int64_t>>{{0, 1, 2}, {3, 4, 5}});
  CHECK(epoch(made.loader, 2, 1) == std::vector<std::vector<int64_t>>{{3, 4, 5}, {6}});
  LoaderOptions dropping = options(3);
  dropping.drop_last = true;
  Made other(toy, dropping);
  CHECK(*other.loader.size() == 2);
  CHECK(epoch(other.loader, 0).size() == 2);
}

TEST_CASE("shuffled epochs are the same with any number of workers, and go on in the middle") {
  for (const bool concurrent : {true, false}) {
    ToyData toy(23, concurrent);
    LoaderOptions shuffled = options(4);
    shuffled.shuffle = true;
    Made none(toy, shuffled);
    shuffled.num_workers = 3;
    Made three(toy, shuffled);
    for (int64_t number = 0; number < 3; ++number) {
      const auto whole = epoch(none.loader, number);
      CHECK(epoch(three.loader, number) == whole);
      CHECK(epoch(three.loader, number, 2) == std::vector<std::vector<int64_t>>(whole.begin() + 2, whole.end()));
    }
    CHECK(epoch(none.loader, 0) != epoch(none.loader, 1));
  }
}

TEST_CASE("workers fill the next epoch while this one ends, and whatever epoch comes is the same") {
  ToyData toy(23);
  LoaderOptions shuffled = options(4);
  shuffled.shuffle = true;
  Made none(toy, shuffled);
  shuffled.num_workers = 2;
  shuffled.next_epoch = [](int64_t number) { return number < 8 ? std::optional<int64_t>(number + 1) : std::nullopt; };
  Made ahead(toy, shuffled);
  struct Pass {
    int64_t epoch, first, limit;
  };
  const Pass passes[] = {{0, 0, -1}, {1, 0, -1}, {2, 0, 3},  {3, 0, -1}, {4, 0, 2},  {7, 0, -1},
                         {8, 2, -1}, {8, 0, -1}, {9, 0, -1}, {1, 5, -1}, {2, 0, -1}, {3, 1, 4}};
  for (const Pass& pass : passes) {
    INFO("epoch " << pass.epoch << " from " << pass.first << ", limit " << pass.limit);
    CHECK(epoch(ahead.loader, pass.epoch, pass.first, pass.limit) ==
          epoch(none.loader, pass.epoch, pass.first, pass.limit));
  }
}

TEST_CASE("the last batch of an epoch stays as it is while the next epoch is filled") {
  ToyData toy(20);
  LoaderOptions two = options(2, 2);
  two.next_epoch = [](int64_t number) { return number + 1; };
  Made made(toy, two);
  for (int64_t number = 0; number < 3; ++number) {
    made.loader.begin_epoch(number);
    Batch* batch = nullptr;
    for (int i = 0; i < 10; ++i) batch = made.loader.next();
    const int all = static_cast<int>(10 * (number + 1));
    for (int i = 0; i < 5000 && toy.toy.calls < all + 4; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(toy.toy.calls == all + 4);  // as many as there are other slots
    CHECK(batch->sample_ids == std::vector<int64_t>{18, 19});
    CHECK(batch->tensors[0].data_ptr<float>()[2] == 19);
    CHECK(made.loader.next() == nullptr);
  }
}

TEST_CASE("a row that fails in the next epoch ends that epoch and not this one") {
  ToyData toy(10);
  toy.toy.throws_at = 5;
  toy.toy.throws_in = 1;
  LoaderOptions two = options(2, 2);
  two.next_epoch = [](int64_t number) { return number + 1; };
  Made made(toy, two);
  CHECK(epoch(made.loader, 0).size() == 5);
  made.loader.begin_epoch(1);
  CHECK(made.loader.next());
  CHECK(made.loader.next());
  CHECK_THROWS_WITH(made.loader.next(), ContainsSubstring("no such row"));
  CHECK(epoch(made.loader, 2).size() == 5);
}

TEST_CASE("a loader of slow rows gets workers by itself, in the middle of an epoch, and gives the same batches") {
  ToyData toy(60), slow(60), alone(60, /*concurrent=*/false);
  slow.toy.sleeps_ms = alone.toy.sleeps_ms = 2;
  LoaderOptions chosen = options(4);
  chosen.shuffle = true;
  Made none(toy, chosen);
  chosen.num_workers = std::nullopt;
  chosen.cores = 3;
  Made made(slow, chosen), turns(alone, chosen);
  CHECK(made.loader.workers() == 0);
  for (int64_t number = 0; number < 3; ++number) CHECK(epoch(made.loader, number) == epoch(none.loader, number));
  CHECK(made.loader.workers() == 3);
  CHECK(epoch(turns.loader, 0) == epoch(none.loader, 0));
  CHECK(turns.loader.workers() == 0);
  chosen.cores = 1;
  Made one(slow, chosen);
  CHECK(epoch(one.loader, 0) == epoch(none.loader, 0));
  CHECK(one.loader.workers() == 0);
}

TEST_CASE("the number of workers is what the step needs not to wait") {
  struct Case {
    double fill, step;
    int64_t cores, workers;
  };
  for (const Case& c : {Case{1, 100, 8, 0}, Case{12, 100, 8, 1}, Case{100, 100, 8, 1}, Case{101, 100, 8, 2},
                        Case{350, 100, 8, 4}, Case{5000, 100, 8, 8}, Case{5000, 0, 2, 2}, Case{5000, 100, 1, 0},
                        Case{0.0004, 0.0001, 8, 0}, Case{0.00055, 0.0001, 8, 6}}) {
    INFO(c.fill << " beside " << c.step << " on " << c.cores);
    FillCost cost;
    for (int i = 0; i < 3; ++i) cost.add(c.fill, c.step);
    CHECK_FALSE(cost.workers(c.cores));
    cost.add(c.fill, c.step);
    CHECK(*cost.workers(c.cores) == c.workers);
  }
}

TEST_CASE("a tensor that somebody still holds is not overwritten") {
  for (const int64_t workers : {0, 2}) {
    ToyData toy(40);
    Made made(toy, options(2, workers));
    std::vector<at::Tensor> held, copies;
    made.loader.begin_epoch(0);
    while (Batch* batch = made.loader.next()) {
      held.push_back(workers ? batch->tensors[0] : batch->tensors[0].select(1, 0));
      copies.push_back(held.back().clone());
    }
    REQUIRE(held.size() == 20);
    for (size_t i = 0; i < held.size(); ++i) CHECK(at::equal(held[i], copies[i]));
  }
}

TEST_CASE("a failing row reaches the loop with the plugin's name, from any thread") {
  for (const int64_t workers : {0, 2}) {
    ToyData toy(10);
    toy.toy.throws_at = 5;
    Made made(toy, options(2, workers));
    made.loader.begin_epoch(0);
    CHECK(made.loader.next());
    CHECK(made.loader.next());
    CHECK_THROWS_WITH(made.loader.next(),
                      ContainsSubstring("libtoy.so") && ContainsSubstring("fill") && ContainsSubstring("no such row"));
  }
}

TEST_CASE("a stream is read to its end, one batch ahead, and rewound for each epoch") {
  ToyData toy(0);
  toy.toy.stream = 3;
  {
    const DataModule data = toy.module();
    std::vector<std::unique_ptr<Loader>> one;
    one.push_back(std::make_unique<Loader>(data, LEVIN_TRAIN, 0u, *data.describe(LEVIN_TRAIN, 0), options(2, 4)));
    CHECK_FALSE(one[0]->size());
    BatchFeed feed(one, CombinedMode::sequential, {-1});
    for (int64_t number = 0; number < 2; ++number) {
      feed.begin_epoch(number, 0, -1);
      std::vector<float> seen;
      while (BatchGroup* group = feed.next()) {
        seen.push_back(*group->parts[0]->tensors[0].data_ptr<float>());
        CHECK(feed.done() == (seen.size() == 3));
      }
      CHECK(seen == std::vector<float>{0, 1, 2});
    }
    CHECK(toy.toy.rewound == std::vector<int64_t>{0, 1});
  }
  CHECK(ToyData::managed == 0);
}

TEST_CASE("processes go on at the same place of a stream that cannot be rewound") {
  using Numbers = std::vector<int>;
  InTurns first(0, 100), second(1, 100);
  for (int epoch = 0; epoch < 3; ++epoch) {
    CHECK(first.take(epoch, 9, 2) == Numbers{4 * epoch, 4 * epoch + 2});
    CHECK(second.take(epoch, 9, 2) == Numbers{4 * epoch + 1, 4 * epoch + 3});
  }
  // Only one process reaches the end within the epoch. The other has one more batch, and does not read beyond it.
  InTurns with_more(0, 5), with_less(1, 5);
  for (int epoch = 0; epoch < 3; ++epoch) {
    CHECK(with_more.take(epoch, 3) == Numbers{0, 2, 4});
    CHECK(with_less.take(epoch, 3) == Numbers{1, 3});
  }
}

TEST_CASE("a data module that hands nothing over is refused by name") {
  ToyData toy(3);
  levin_data empty{};
  empty.o.size = sizeof empty;
  CHECK_THROWS_WITH(DataModule({"toy", "libtoy.so", &toy.schema, false}, &empty.o, nullptr),
                    ContainsSubstring("describe"));
  empty.describe = toy.module().table().describe;
  CHECK_THROWS_WITH(DataModule({"toy", "libtoy.so", &toy.schema, false}, &empty.o, nullptr),
                    ContainsSubstring("one of fill, batch, next, resident"));
}
