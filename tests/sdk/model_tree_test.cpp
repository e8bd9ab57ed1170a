#include "levin/torch/model_tree.hpp"

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "levin/torch/supervised_task.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;
using SizesByName = std::map<std::string, std::string>;

namespace {

// Two watched layers and an unwatched one. Records the state in which its forward ran.
struct Watched : levin::Model {
  torch::nn::Sequential body;
  torch::nn::Linear head, hidden;
  bool fails = false, trained = true, recorded = true;
  at::ScalarType type = at::kFloat;

  Watched()
      : body(register_module("body", torch::nn::Sequential(torch::nn::Linear(3, 4), torch::nn::BatchNorm1d(4)))),
        head(register_module("head", torch::nn::Linear(4, 2))),
        hidden(register_module("hidden", torch::nn::Linear(2, 2))) {}
  torch::Tensor example_input() const { return torch::zeros({2, 3}); }
  torch::Tensor forward(torch::Tensor x) {
    trained = is_training() || body->is_training() || body[1]->is_training();
    recorded = at::GradMode::is_enabled();
    type = x.scalar_type();
    x = levin::watch(body, x);
    if (fails) throw levin::Error(LEVIN_E_INVALID, "not today");
    return hidden(levin::watch(head, x));
  }
};
const levin_component watched = levin::model<Watched>("watched", "for tests");

struct NoExample : levin::Model {
  torch::Tensor forward(torch::Tensor x) { return x; }
};
const levin_component no_example = levin::model<NoExample>("no_example", "for tests");

struct Scores : torch::nn::Module {
  torch::nn::Linear out;
  explicit Scores(const levin::DataInfo& data)
      : out(register_module("out", torch::nn::Linear(data.input_size(), data.classes()))) {}
  torch::Tensor forward(torch::Tensor x) { return levin::watch(out, x.flatten(1)); }
};
struct Tokens : Scores {
  using Scores::Scores;
  torch::Tensor example_input() const { return torch::zeros({3, 4}); }
};

Watched& watched_in(const Component& component) {
  return levin::detail::Holder<Watched, levin::detail::ModelExtra>::of(component.self()).object;
}

const levin_modules& modules_of(const levin_object& table, void* self) {
  return *static_cast<const levin_modules*>(table.extension(self, "levin.modules/1"));
}

levin_status collect_sizes(const levin_object& table, void* self, SizesByName& out) {
  const auto each = [](void* ctx, const char* name, const char* in, const char* result) {
    (*static_cast<SizesByName*>(ctx))[name] = std::string(in) + " -> " + result;
  };
  return modules_of(table, self).sizes(self, nullptr, each, &out);
}

// Returns the sizes of a classifier for images [2, 2] of three classes.
template <class Net>
SizesByName sizes_in_task(FakeHost& host) {
  const levin_component component = levin::classifier<Net>("task", "for tests");
  const levin_field fields[] = {{"x", levin::float32, 2, {2, 2}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
                                {"y", levin::int64, 0, {0}, LEVIN_ROLE_TARGET, 0, 3, nullptr}};
  const levin_data_info data = {sizeof data, 0, fields, 2, sizeof fields[0], {4, 0, 0, 0}};
  const levin::testing::CheckedOptions options(component, {});
  const levin_create in = {sizeof in, LEVIN_STAGE_FIT, options.args(), &data, "task"};
  void* self = nullptr;
  const levin_object* table = nullptr;
  REQUIRE(component.create(host.raw(), &in, &self, &table) == LEVIN_OK);
  SizesByName sizes;
  CHECK(collect_sizes(*table, self, sizes) == LEVIN_OK);
  table->destroy(self);
  return sizes;
}

}  // namespace

TEST_CASE("a model gives the sizes of the modules that it watches") {
  FakeHost host;
  const Component model(host, watched);
  SizesByName sizes;
  REQUIRE(collect_sizes(model.table<levin_object>(), model.self(), sizes) == LEVIN_OK);
  CHECK(sizes == SizesByName{{"body", "[2, 3] -> [2, 4]"},
                             {"body.0", "[2, 3] -> [2, 4]"},
                             {"body.1", "[2, 4] -> [2, 4]"},
                             {"head", "[2, 4] -> [2, 2]"}});
  CHECK(levin::detail::SizeWatch::current() == nullptr);
}

TEST_CASE("the example runs in evaluation and without gradients, and leaves modes and buffers as they were") {
  FakeHost host;
  const Component component(host, watched);
  Watched& model = watched_in(component);
  const bool fails = GENERATE(false, true);
  model.fails = fails;
  model.body[1]->eval();  // frozen
  const torch::Tensor mean = model.named_buffers()["body.1.running_mean"].clone();
  SizesByName sizes;
  const levin_status status = collect_sizes(component.table<levin_object>(), component.self(), sizes);
  CHECK(status == (fails ? LEVIN_E_INVALID : LEVIN_OK));
  CHECK(host.failure == (fails ? "not today" : ""));
  CHECK(sizes.empty() == fails);
  CHECK_FALSE(model.trained);
  CHECK_FALSE(model.recorded);
  CHECK(at::GradMode::is_enabled());
  CHECK(model.is_training());
  CHECK(model.body[0]->is_training());
  CHECK_FALSE(model.body[1]->is_training());
  CHECK(model.head->is_training());
  CHECK(model.named_buffers()["body.1.running_mean"].equal(mean));
  CHECK(levin::detail::SizeWatch::current() == nullptr);
}

TEST_CASE("the example has the type of the parameters") {
  FakeHost host;
  const Component component(host, watched);
  watched_in(component).to(at::kDouble);
  SizesByName sizes;
  REQUIRE(collect_sizes(component.table<levin_object>(), component.self(), sizes) == LEVIN_OK);
  CHECK(watched_in(component).type == at::kDouble);
}

TEST_CASE("a model without an example has no sizes to give") {
  FakeHost host;
  const Component model(host, no_example);
  CHECK(modules_of(model.table<levin_object>(), model.self()).sizes == nullptr);
}

TEST_CASE("a supervised task makes its example from the data, where its rows have one shape, or has its network's") {
  FakeHost host;
  CHECK(sizes_in_task<Scores>(host) == SizesByName{{"out", "[1, 4] -> [1, 3]"}});
  CHECK(sizes_in_task<Tokens>(host) == SizesByName{{"out", "[3, 4] -> [3, 3]"}});
  levin::DataInfo none;
  CHECK_FALSE(levin::example_of(none).defined());
  const levin_field fields[] = {{"y", levin::int64, 0, {0}, LEVIN_ROLE_TARGET, 0, 3, nullptr},
                                {"x", levin::uint8, 2, {3, 2}, LEVIN_ROLE_INPUT, 0, 0, nullptr},
                                {"z", levin::float32, 1, {5}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
  const levin_data_info raw = {sizeof raw, 0, fields, 3, sizeof fields[0], {4, 0, 0, 0}};
  const torch::Tensor example = levin::example_of(levin::DataInfo(&raw));
  CHECK(example.sizes() == torch::IntArrayRef{1, 3, 2});
  CHECK(example.scalar_type() == at::kByte);
  levin_field ragged = fields[1];
  ragged.shape[0] = -1;
  const levin_data_info uneven = {sizeof uneven, 0, &ragged, 1, sizeof ragged, {4, 0, 0, 0}};
  CHECK_FALSE(levin::example_of(levin::DataInfo(&uneven)).defined());
}
