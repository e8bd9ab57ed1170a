#include "levin/testing.hpp"

#include <cmath>

#include "catch.hpp"
#include "levin/dist.hpp"
#include "levin/host_tensor.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Null;

namespace {

struct Options : levin::Callback {
  static constexpr const char* kinds[] = {"a", "b", nullptr};
  static constexpr const char* former[] = {"count", nullptr};
  static constexpr levin_option options[] = {
      levin::renamed(levin::integer("n", "3", "", 0, 10), former),
      levin::number("x", "0.5", "", 0, 1),
      levin::with(levin::flag("f", "null", ""), LEVIN_OPT_NULLABLE),
      levin::choice("k", "\"a\"", "", kinds),
      levin::json("j", "{\"q\": [1]}", ""),
      {"is", LEVIN_T_INTS, 0, "[1, 2]", "", 1, 0, nullptr, nullptr, nullptr},
  };
  explicit Options(const levin::Args& args) : json(args.json()), j(args.text("j")) {
    const levin_value& is = args.raw()->values[5];
    for (uint32_t i = 0; i < is.len; ++i) sum += static_cast<const int64_t*>(is.v.p)[i];
  }
  void on_fit_start(const levin::Event& event) { event.run().print(json + " " + j + " " + std::to_string(sum)); }
  std::string json, j;
  int64_t sum = 0;
};
const levin_component options_component = levin::callback<Options>("options", "for tests");

// Counts the ranks whose value equals its own, and waits for a maximum over two ranks.
struct Counter : levin::Callback {
  void on_fit_start(const levin::Event& event) {
    const levin::Dist dist(event.run());
    const levin::OwnedTensor rows = levin::OwnedTensor::of(host(), {3}, {1});
    const levin::TensorList all = dist.all_gather(rows.get());
    for (size_t rank = 0; rank < all.size(); ++rank)
      same += levin::HostTensor(event.run(), all[rank]).numbers() == std::vector<double>{3};
    const levin::Group group = dist.new_group({1, 0});
    if (group.is_member()) dist.all_reduce_async(rows.get(), LEVIN_REDUCE_MAX, group).wait();
    const levin::OwnedTensor part = levin::OwnedTensor::of(host(), {0}, {1});
    dist.reduce_scatter(part.get(), all.handles());
    CHECK(levin::HostTensor(event.run(), part.get()).numbers() == std::vector<double>{3});
    const levin::OwnedTensor two = levin::OwnedTensor::of(host(), {0, 0}, {2});
    CHECK_THROWS(dist.reduce_scatter(two.get(), all.handles()));
    event.run().print(std::to_string(same) + " of " + std::to_string(dist.all_gather_bytes("x").size()) + ", rank " +
                      std::to_string(group.rank()) + " of the group");
  }
  int same = 0;
};
const levin_component counter_component = levin::callback<Counter>("counter", "for tests");

struct Squares : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {2}), levin::target("y", 3)}; }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? 10 : 0; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    if (index >= 10) throw levin::Error(LEVIN_E_INVALID, "no such row");
    row.data<float>(0)[0] = static_cast<float>(index);
    row.data<float>(0)[1] = static_cast<float>(index * index);
    *row.data<int64_t>(1) = index % 3;
  }
};
const levin_component squares = levin::data_module<Squares>("squares", "for tests");

// Accesses the field and type that the index selects.
struct Careless : levin::DataModule {
  std::vector<levin::Field> fields() {
    return {levin::input("x", levin::float32, {2}), levin::target("y", 3),
            levin::input("half", {LEVIN_FLOAT, 16, 1}, {}), levin::input("mask", {LEVIN_BOOL, 8, 1}, {})};
  }
  int64_t rows(levin::Split) { return 10; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    if (index == 0) row.data<double>(0);
    if (index == 1) row.data<float>(1);
    if (index == 2) row.data<float>(4);
    if (index == 3) row.data<int16_t>(2);
    if (index == 4) row.data<int64_t>(static_cast<size_t>(-1));
    row.data<uint16_t>(2), row.data<bool>(3), row.data<uint8_t>(3), row.data<const float>(0);
  }
};
const levin_component careless = levin::data_module<Careless>("careless", "for tests");

levin_status count_tensors(const levin_visitor* visitor, const char*, levin_tensor*, uint32_t) {
  ++*static_cast<int*>(visitor->ctx);
  return LEVIN_OK;
}

}  // namespace

TEST_CASE("options come from the defaults and the test, in the order of the schema") {
  FakeHost host;
  Component component(host, options_component, {{"x", 1}, {"k", "b"}});
  component.send(LEVIN_HOOK_FIT_START);
  CHECK(host.printed.at(0) ==
        "{\"n\":3,\"x\":1.000000,\"f\":null,\"k\":\"b\",\"j\":{\"q\": [1]},\"is\":[1,2]} {\"q\": [1]} 3");
}

TEST_CASE("the fake host has as many ranks as the test says, which give what it says") {
  FakeHost host;
  host.world_size = 2;
  Component component(host, counter_component);
  component.send(LEVIN_HOOK_FIT_START);
  CHECK(host.printed.at(0) == "2 of 2, rank 1 of the group");
  CHECK(host.calls == std::vector<std::string>{"all_gather 0", "all_reduce 3", "reduce_scatter 0", "reduce_scatter 0"});
  CHECK(host.live_tensors == 0);
  host.gathered = [&](levin_tensor* mine) {
    levin_tensor* const other = host.tensor({4}, {1});
    for (levin_tensor* one : {mine, other}) host.raw()->tensor_retain(host.raw(), one);
    return std::vector<levin_tensor*>{mine, other};
  };
  component.send(LEVIN_HOOK_FIT_START);
  CHECK(host.printed.at(1) == "3 of 2, rank 1 of the group");  // one more rank was counted
}

TEST_CASE("an option may be given under a former name, but not twice") {
  FakeHost host;
  Component component(host, options_component, {{"count", 7}});
  component.send(LEVIN_HOOK_FIT_START);
  CHECK_THAT(host.printed.at(0), ContainsSubstring("{\"n\":7,"));
  CHECK_THROWS_WITH(Component(host, options_component, {{"count", 7}, {"n", 8}}),
                    ContainsSubstring("'n' is given twice"));
}

TEST_CASE("wrong options are refused as the real host does") {
  FakeHost host;
  const auto make = [&](const levin::testing::Options& o) { Component(host, options_component, o); };
  CHECK_THROWS_WITH(make({{"m", 1}}), ContainsSubstring("no option 'm'"));
  CHECK_THROWS_WITH(make({{"n", 11}}), ContainsSubstring("'n' is 11") && ContainsSubstring("range"));
  CHECK_THROWS_WITH(make({{"n", 1.5}}), ContainsSubstring("type"));
  CHECK_THROWS_WITH(make({{"n", Null{}}}), ContainsSubstring("type"));
  CHECK_THROWS_WITH(make({{"k", "c"}}), ContainsSubstring("choices"));
  CHECK_NOTHROW(make({{"f", Null{}}}));
  CHECK_NOTHROW(make({{"f", false}, {"is", std::vector<int64_t>{}}}));
}

TEST_CASE("tensors are copied from strided views, read, and counted") {
  FakeHost host;
  float values[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  const levin_view transposed = {values, {LEVIN_CPU, 0}, 2, levin::float32, shape, strides, 0};
  levin_tensor* tensor = nullptr;
  REQUIRE(host.raw()->tensor_from_view(host.raw(), &transposed, &tensor) == LEVIN_OK);
  levin_view view;
  host.raw()->tensor_view(host.raw(), tensor, &view);
  const float want[] = {1, 4, 2, 5, 3, 6};
  for (int i = 0; i < 6; ++i) CHECK(levin::testing::element(view, i) == want[i]);
  double item;
  CHECK(host.raw()->tensor_item(host.raw(), tensor, &item) == LEVIN_E_INVALID);
  CHECK(host.live_tensors == 1);
  host.raw()->tensor_retain(host.raw(), tensor);
  host.raw()->tensor_release(host.raw(), tensor);
  CHECK(host.live_tensors == 1);
  host.raw()->tensor_release(host.raw(), tensor);
  CHECK(host.live_tensors == 0);
  CHECK(host.raw()->tensor_item(host.raw(), host.tensor({2.5}), &item) == LEVIN_OK);
  CHECK(item == 2.5);
}

TEST_CASE("parameters can be frozen, snapshot, averaged and exchanged") {
  FakeHost host;
  host.params = {{"body.w", host.tensor({0, 4}, {2})}, {"head.w", host.tensor({8}, {1})}};
  const levin::detail::Services services(host.raw());
  const levin_params& params = *services.params;
  CHECK(params.requires_grad(host.run(), "body.*", 0) == LEVIN_OK);
  CHECK(params.requires_grad(host.run(), "tail.*", 0) == LEVIN_E_NOT_FOUND);
  CHECK_FALSE(host.params[0].requires_grad);
  CHECK(host.params[1].requires_grad);
  const levin::Run run(&services, host.run());
  const uint64_t id = run.snapshot();
  const levin_view& w = levin::testing::Tensor::of(host.params[0].tensor).view;
  levin::testing::set_element(w, 0, 2);
  run.lerp(id, 0.5);
  run.swap(id);
  CHECK(levin::testing::element(w, 0) == 1);
  CHECK(levin::testing::element(w, 1) == 4);
  int visited = 0;
  const levin_visitor visitor = {sizeof visitor, 0, &visited, &count_tensors};
  params.visit(host.run(), &visitor);
  params.snapshot_visit(host.run(), id, &visitor);
  CHECK(visited == 4);
  run.drop(id);
  CHECK_THROWS_AS(run.drop(id), levin::Error);
}

TEST_CASE("a data module's rows are filled in") {
  FakeHost host;
  Component data(host, squares);
  levin::testing::setup(data, levin::Stage::fit);
  CHECK(levin::testing::describe(data, levin::Split::train).rows == 10);
  CHECK_THROWS_AS(levin::testing::describe(data, levin::Split::val), levin::Error);
  const auto rows = levin::testing::fill(data, levin::Split::train, {4, 2});
  CHECK(rows.names == std::vector<std::string>{"x", "y"});
  const double x[] = {4, 16, 2, 4};
  for (int i = 0; i < 4; ++i) CHECK(rows.at(0, i) == x[i]);
  CHECK(rows.at(1, 0) == 1);
  CHECK_THROWS_WITH(levin::testing::fill(data, levin::Split::train, {10}), "no such row");
}

TEST_CASE("a row gives a field's numbers in the type of the field only") {
  FakeHost host;
  Component data(host, careless);
  const auto get = [&](int64_t index) { levin::testing::fill(data, levin::Split::train, {index}); };
  CHECK_THROWS_WITH(get(0), "field 0 ('x') is of float32, and Row::data was asked for its float64 numbers");
  CHECK_THROWS_WITH(get(1), "field 1 ('y') is of int64, and Row::data was asked for its float32 numbers");
  CHECK_THROWS_WITH(get(2), "a row has 4 fields, numbered from 0, and no field 4");
  CHECK_THROWS_WITH(get(3), ContainsSubstring("field 2 ('half') is of float16") && ContainsSubstring("int16"));
  CHECK_THROWS_WITH(get(4), ContainsSubstring("no field 18446744073709551615"));
  CHECK_NOTHROW(get(5));
}

TEST_CASE("a service can be missing") {
  FakeHost host;
  host.missing_services.insert("levin.params/1");
  const levin::detail::Services services(host.raw());
  CHECK(services.params == nullptr);
  CHECK(services.optim != nullptr);
  CHECK_THROWS_WITH(levin::Run(&services, host.run()).params(), ContainsSubstring("levin.params/1"));
}

TEST_CASE("optimizers and schedules are described and changed") {
  FakeHost host;
  host.optimizers = {{"SGD", {{"all", {{"lr", 0.1}}}}}};
  host.schedulers = {{0, "", "step"}};
  const levin::detail::Services services(host.raw());
  const levin_optim& optim = *services.optim;
  CHECK(optim.set(host.run(), 0, 0, "lr", 0.2) == LEVIN_OK);
  double lr = 0;
  CHECK(optim.get(host.run(), 0, 0, "lr", &lr) == LEVIN_OK);
  CHECK(lr == 0.2);
  CHECK(optim.get(host.run(), 0, 1, "lr", &lr) == LEVIN_E_INVALID);
  CHECK(optim.get(host.run(), 0, 0, "momentum", &lr) == LEVIN_E_INVALID);
  CHECK(optim.set(host.run(), 0, 0, "momentum", 0.9) == LEVIN_E_INVALID);
  optim.backward(host.run(), nullptr, 0);
  optim.step(host.run(), 0, nullptr, nullptr);
  CHECK(host.calls == std::vector<std::string>{"backward 0", "step 0"});
}

TEST_CASE("checkpoints are listed as they were saved, announced and removed") {
  FakeHost host;
  host.writes_files = false;
  const levin::detail::Services services(host.raw());
  const levin::Run run(&services, host.run());
  for (const char* path : {"a.ckpt", "b.ckpt", "c.ckpt", "a.ckpt"}) run.save_checkpoint(path);
  run.remove_checkpoint("b.ckpt");
  run.announce_checkpoint({"a.ckpt", true, false, "val_loss", 0.5});
  run.announce_checkpoint({"a.ckpt", false, true});
  const auto listed = run.list_checkpoints();
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].path == "c.ckpt");
  CHECK_FALSE((listed[0].best || listed[0].last));
  CHECK(std::isnan(listed[0].score));
  CHECK(listed[1].path == "a.ckpt");
  CHECK((listed[1].best && listed[1].last));
  CHECK(listed[1].score == 0.5);
}

TEST_CASE("the memory of the device is what the test says, or not known") {
  FakeHost host;
  const levin::detail::Services services(host.raw());
  const levin::Run run(&services, host.run());
  CHECK_FALSE(run.memory());
  host.memory = {1000, 4000};
  CHECK(run.memory()->used == 1000);
  CHECK(run.memory()->total == 4000);
}

TEST_CASE("ranks are those that the test says, and calls to all of them are seen") {
  FakeHost host;
  const levin::detail::Services services(host.raw());
  const levin::Run run(&services, host.run());
  CHECK(run.rank() == 0);
  CHECK(run.world_size() == 1);
  host.rank = 2, host.world_size = 4;
  CHECK(run.rank() == 2);
  CHECK(run.world_size() == 4);
  levin_tensor* tensor = host.tensor({1, 2});
  run.all_reduce(tensor);
  run.all_reduce(tensor, LEVIN_REDUCE_MAX);
  run.broadcast(tensor, 3);
  run.barrier();
  const auto reduction = [](uint32_t reduce) { return "all_reduce " + std::to_string(reduce); };
  CHECK(host.calls ==
        std::vector<std::string>{reduction(LEVIN_REDUCE_SUM), reduction(LEVIN_REDUCE_MAX), "broadcast 3", "barrier"});
}

TEST_CASE("a host without ranks says so") {
  FakeHost host;
  host.missing_services.insert("levin.dist/1");
  const levin::detail::Services services(host.raw());
  CHECK_THROWS_WITH(levin::Run(&services, host.run()).rank(), ContainsSubstring("levin.dist/1"));
}

TEST_CASE("a component waits for the checkpoints that it had saved") {
  FakeHost host;
  host.writes_files = false;
  const levin::detail::Services services(host.raw());
  const levin::Run run(&services, host.run());
  run.save_checkpoint("a.ckpt");
  run.wait_for_checkpoints();
  CHECK(host.calls == std::vector<std::string>{"wait"});
}
