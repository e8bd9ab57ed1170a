#include "levin/model.hpp"

#include "catch.hpp"
#include "levin/testing.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

// Records the arguments of its steps.
struct Steps : levin::Model {
  std::vector<int64_t> seen;
  torch::Tensor training_step(const levin::Batch&, int64_t batch_idx, int64_t optimizer_idx) {
    seen = {batch_idx, optimizer_idx};
    return {};
  }
  void validation_step(const levin::Batch&, int64_t batch_idx, int64_t loader) { seen = {batch_idx, loader}; }
  void test_step(const levin::Batch&, int64_t batch_idx, int64_t loader) { seen = {batch_idx, loader}; }
  torch::Tensor predict_step(const levin::Batch&, int64_t batch_idx, int64_t loader) {
    seen = {batch_idx, loader};
    return {};
  }
};
const levin_component steps = levin::model<Steps>("steps", "for tests");

template <class T>
T& object_of(const Component& component) {
  return levin::detail::Holder<T, levin::detail::ModelExtra>::of(component.self()).object;
}

std::vector<int64_t> arguments_in(Component& model, FakeHost& host, uint32_t stage) {
  levin_step_in in{};
  in.size = sizeof in;
  in.stage = stage;
  in.run = host.run();
  in.batch_idx = 7;
  in.dataloader_idx = stage == LEVIN_STAGE_FIT ? 0 : 2;
  levin_step_1x in_1x{};
  in_1x.optimizer_idx = 1;
  if (stage == LEVIN_STAGE_FIT) in.step_1x = &in_1x;
  const levin_step_out out{};
  model.check(model.table<levin_model>().step(model.self(), &in, &out));
  return object_of<Steps>(model).seen;
}

struct Rows : levin::DataModule {
  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {})}; }
  int64_t rows(levin::Split) { return 1; }
  void get(levin::Split, int64_t, levin::Row&) {}
};
struct Concurrent : Rows {
  static constexpr bool concurrent = true;
  int dataloaders = 0, exceptions = 0;
  void train_dataloader() { ++dataloaders; }
  void on_exception() { ++exceptions; }
  void on_validation_model_train() {}  // a hook of models only
};
struct Single : Rows {
  static constexpr bool concurrent = false;
};

template <class D>
struct Owner : levin::Model {
  levin::OwnData<D> own_data;
  int starts = 0;
  void on_fit_start() { ++starts; }
};
const levin_component concurrent = levin::model<Owner<Concurrent>>("concurrent", "for tests");
const levin_component single = levin::model<Owner<Single>>("single", "for tests");
const levin_component plain = levin::model<Owner<Rows>>("plain", "for tests");

}  // namespace

TEST_CASE("the third argument of a step is the optimizer's number in training and the loader's elsewhere") {
  FakeHost host;
  Component model(host, steps);
  CHECK(arguments_in(model, host, LEVIN_STAGE_FIT) == std::vector<int64_t>{7, 1});
  for (const uint32_t stage : {LEVIN_STAGE_SANITY, LEVIN_STAGE_VALIDATE, LEVIN_STAGE_TEST, LEVIN_STAGE_PREDICT})
    CHECK(arguments_in(model, host, stage) == std::vector<int64_t>{7, 2});
}

TEST_CASE("a model's component says for its own data that rows may be filled on several threads") {
  CHECK((concurrent.flags & LEVIN_F_CONCURRENT) != 0);
  CHECK((single.flags & LEVIN_F_CONCURRENT) == 0);
  CHECK((plain.flags & LEVIN_F_CONCURRENT) == 0);
}

TEST_CASE("a model's component has the hooks of its own data, but those that take the trainer's way from it") {
  CHECK(plain.hooks[0] == LEVIN_BIT(LEVIN_HOOK_FIT_START));
  CHECK(plain.hooks[1] == 0);
  CHECK(concurrent.hooks[0] == (LEVIN_BIT(LEVIN_HOOK_FIT_START) | LEVIN_BIT(LEVIN_HOOK_EXCEPTION)));
  CHECK(concurrent.hooks[1] == LEVIN_BIT(LEVIN_HOOK_TRAIN_DATALOADER));
}

TEST_CASE("a hook that only one of a model and its own data has does nothing in the other") {
  FakeHost host;
  Component component(host, concurrent);
  auto& model = object_of<Owner<Concurrent>>(component);
  void* data = nullptr;
  const levin_data* table = nullptr;
  REQUIRE(component.table<levin_model>().data_module(component.self(), &data, &table) == LEVIN_OK);
  for (const uint32_t hook : {LEVIN_HOOK_FIT_START, LEVIN_HOOK_TRAIN_DATALOADER, LEVIN_HOOK_EXCEPTION}) {
    const levin_event event = host.event(hook);
    CHECK(component.table<levin_model>().on(component.self(), &event) == LEVIN_OK);
  }
  CHECK(model.starts == 1);
  CHECK(model.own_data->dataloaders == 0);
  CHECK(model.own_data->exceptions == 0);
  for (const uint32_t hook : {LEVIN_HOOK_FIT_START, LEVIN_HOOK_TRAIN_DATALOADER, LEVIN_HOOK_EXCEPTION}) {
    const levin_event event = host.event(hook);
    CHECK(table->on(data, &event) == LEVIN_OK);
  }
  CHECK(model.starts == 1);
  CHECK(model.own_data->dataloaders == 1);
  CHECK(model.own_data->exceptions == 1);
}

TEST_CASE("a batch gives its input and its target by role, whatever their names and their order") {
  const levin_field fields[] = {{"label", levin::int64, 0, {0}, LEVIN_ROLE_TARGET, 0, 3, nullptr},
                                {"features", levin::float32, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
  const levin_data_info raw = {sizeof raw, 0, fields, 2, sizeof fields[0], {4, 0, 0, 0}};
  const levin::DataInfo data(&raw);
  const torch::Tensor label = torch::ones({4}), features = torch::zeros({4, 2});
  levin_tensor* const described[] = {levin::to_handle(label), levin::to_handle(features)};
  levin_tensor* const reversed[] = {levin::to_handle(features), levin::to_handle(label)};
  const char* const names[] = {"features", "label"};
  for (const levin_batch& batch : {levin_batch{sizeof(levin_batch), 2, described, nullptr, 4, nullptr},
                                   levin_batch{sizeof(levin_batch), 2, reversed, names, 4, nullptr}}) {
    CHECK(levin::Batch(&batch, &data).input().is_same(features));
    CHECK(levin::Batch(&batch, &data).target().is_same(label));
  }
}

TEST_CASE("a batch that has no input or target says why") {
  const levin_field fields[] = {{"x", levin::float32, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
  const levin_data_info raw = {sizeof raw, 0, fields, 1, sizeof fields[0], {4, 0, 0, 0}};
  const levin::DataInfo data(&raw), nothing;
  const torch::Tensor z = torch::zeros({4, 2});
  levin_tensor* const tensors[] = {levin::to_handle(z)};
  const char* const names[] = {"z"};
  const levin_batch batch = {sizeof batch, 1, tensors, names, 4, nullptr};
  CHECK_THROWS_WITH(levin::Batch(&batch, &data).input(), ContainsSubstring("no field 'x'; it has: z"));
  CHECK_THROWS_WITH(levin::Batch(&batch, &data).target(), ContainsSubstring("needs a target field"));
  CHECK_THROWS_WITH(levin::Batch(&batch, &nothing).input(), ContainsSubstring("by position or name"));
  CHECK_THROWS_WITH(levin::Batch(&batch).input(), ContainsSubstring("by position or name"));
}
