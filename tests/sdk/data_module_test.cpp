#include "levin/data_module.hpp"

#include "catch.hpp"
#include "levin/testing.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

// Two train loaders of 3 and 5 rows, and a validation stream; each has `weights` sample weights.
struct Weighted : levin::DataModule {
  static constexpr levin_option options[] = {levin::integer("weights", "3", ""), levin::flag("subset", "false", "")};
  const int64_t weights;
  const bool subset;
  explicit Weighted(const levin::Args& o) : weights(o.integer("weights")), subset(o.flag("subset")) {}
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {})}; }
  int64_t loaders(levin::Split split) { return split == levin::Split::train ? 2 : 1; }
  int64_t rows(levin::Split split, int64_t loader) {
    if (split == levin::Split::val) return -1;
    return loader == 0 ? 3 : 5;
  }
  void get(levin::Split, int64_t, int64_t index, levin::Row& row) { row.data<float>(0)[0] = static_cast<float>(index); }
  void dataloader(levin::LoaderPlan& plan) {
    plan.weighted(std::vector<double>(static_cast<size_t>(weights), 1.0), 7);
    if (subset) plan.subset({0});
  }
};
const levin_component weighted = levin::data_module<Weighted>("weighted", "for tests");

// Returns the loader settings passed by the host, as changed by the data module.
levin_loader make_loader(Component& data, uint32_t split, uint32_t loader) {
  levin_loader wish{};
  wish.size = sizeof wish;
  wish.split = split;
  wish.loader = loader;
  wish.batch_size = 2;
  data.check(data.table<levin_data>().dataloader(data.self(), &wish));
  return wish;
}

struct Named : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::target("y", 3, {"cat", "dog"})}; }
  int64_t rows(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
  static constexpr bool state_before_setup = true;
  std::string row_name(levin::Split split, int64_t index) {
    if (split == levin::Split::test) throw levin::Error(LEVIN_E_IO, "no names");
    return "row " + std::to_string(index);
  }
  std::string dir;
  void run_dir(const std::string& path) {
    if (path.empty()) throw levin::Error(LEVIN_E_IO, "no folder");
    dir = path;
  }
  const void* extension(const char* id) { return std::string(id) == "mine" ? &dir : nullptr; }
};
const levin_component named = levin::data_module<Named>("named", "for tests");

// A stream of two-row batches; the number of batches is the epoch's number.
struct Ticks : levin::DataModule {
  int64_t left = 0;
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {3}), levin::target("y", 2)}; }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? -1 : 0; }
  void rewind(levin::Split, int64_t epoch) { left = epoch; }
  bool next(levin::Split, std::vector<levin_managed*>& batch) {
    if (left-- == 0) return false;
    batch = {levin::managed<float>({1, 2, 3, 4, 5, 6}, {2, 3}), levin::managed<int64_t>({0, 1}, {2})};
    return true;
  }
};
const levin_component ticks = levin::data_module<Ticks>("ticks", "for tests");

}  // namespace

TEST_CASE("a stream hands its batches over, and they live until they are deleted") {
  FakeHost host;
  Component data(host, ticks);
  CHECK(levin::testing::describe(data, levin::Split::train).rows == -1);
  const levin_data& table = data.table<levin_data>();
  levin_managed* batch[4] = {};
  uint32_t n = 0;
  levin_fill wanted{sizeof wanted, LEVIN_TRAIN, 0, 0, nullptr, 2, 1, 0};
  data.check(table.rewind(data.self(), &wanted));
  REQUIRE(table.next(data.self(), &wanted, batch, 4, &n) == LEVIN_OK);
  REQUIRE(n == 2);
  CHECK(batch[0]->major == 1);
  CHECK(batch[0]->view.shape[1] == 3);
  CHECK(levin::testing::element(batch[0]->view, 5) == 6);
  CHECK(levin::testing::element(batch[1]->view, 1) == 1);
  for (uint32_t i = 0; i < n; ++i) batch[i]->deleter(batch[i]);
  CHECK(table.next(data.self(), &wanted, batch, 4, &n) == LEVIN_STOP);
  CHECK_THROWS_WITH(levin::managed<float>({1, 2}, {3}),
                    ContainsSubstring("3 elements") && ContainsSubstring("2 values"));
}

TEST_CASE("a data module names its rows and asks for its state and the run's folder by extensions, beside its own") {
  FakeHost host;
  Component data(host, named), plain(host, ticks);
  const auto* names = static_cast<const levin_row_names*>(data.extension(LEVIN_ROW_NAMES));
  REQUIRE(names);
  const char* name = nullptr;
  REQUIRE(names->name(data.self(), LEVIN_PREDICT, 0, 7, &name) == LEVIN_OK);
  CHECK(std::string(name) == "row 7");
  CHECK(names->name(data.self(), LEVIN_TEST, 0, 7, &name) == LEVIN_E_IO);
  CHECK(data.extension(LEVIN_STATE_BEFORE_SETUP) != nullptr);
  levin::testing::run_dir(data, "/runs/7");
  levin::testing::run_dir(plain, "/runs/7");
  REQUIRE(data.extension("mine") != nullptr);
  CHECK(*static_cast<const std::string*>(data.extension("mine")) == "/runs/7");
  CHECK_THROWS_WITH(levin::testing::run_dir(data, ""), "no folder");
  for (const char* id : {LEVIN_ROW_NAMES, LEVIN_STATE_BEFORE_SETUP, LEVIN_RUN_DIR, "mine"})
    CHECK(plain.extension(id) == nullptr);
}

TEST_CASE("a weighted sampler has one weight for each row of its loader") {
  FakeHost host;
  Component three(host, weighted, {{"weights", 3}}), five(host, weighted, {{"weights", 5}});
  const levin_loader made = make_loader(three, LEVIN_TRAIN, 0);
  CHECK(made.sampler == LEVIN_SAMPLER_WEIGHTED);
  CHECK(made.n == 7);
  CHECK(made.weights[2] == 1.0);
  CHECK_NOTHROW(make_loader(five, LEVIN_TRAIN, 1));
  CHECK_THROWS_WITH(make_loader(three, LEVIN_TRAIN, 1),
                    "a weighted sampler needs one weight for each row: 5 rows, 3 weights");
  CHECK_THROWS_WITH(make_loader(five, LEVIN_TRAIN, 0),
                    "a weighted sampler needs one weight for each row: 3 rows, 5 weights");
}

TEST_CASE("a stream has no weighted sampler, as its rows are not known") {
  FakeHost host;
  Component data(host, weighted);
  CHECK_THROWS_WITH(make_loader(data, LEVIN_VAL, 0),
                    "a weighted sampler needs one weight for each row: unknown rows, 3 weights");
}

TEST_CASE("weights do not count when another sampler is chosen after them") {
  FakeHost host;
  Component data(host, weighted, {{"weights", 1}, {"subset", true}});
  const levin_loader made = make_loader(data, LEVIN_TRAIN, 0);
  CHECK(made.sampler == LEVIN_SAMPLER_SUBSET);
  CHECK(made.n == 1);
}

TEST_CASE("a field that names its classes names all of them") {
  FakeHost host;
  Component data(host, named);
  CHECK_THROWS_WITH(levin::testing::describe(data, levin::Split::train), "field 'y' has 3 classes and names 2 of them");
}
