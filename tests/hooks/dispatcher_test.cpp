#include "core/hooks/dispatcher.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/progress/saved_progress.hpp"

using namespace levin::core;

namespace {

using Calls = std::vector<std::string>;

// A receiver that records its name and returns a status.
struct Receiver {
  std::string name;
  Calls* calls = nullptr;
  levin_status answer = LEVIN_OK;
  ComponentSchema schema;
  levin_event last{};
  levin_status on(const levin_event& event) {
    calls->push_back(name);
    last = event;
    return answer;
  }
};

levin_status receive(void* self, const levin_event* event) { return static_cast<Receiver*>(self)->on(*event); }

const levin_callback callback_table = [] {
  levin_callback t{};
  t.o.size = sizeof t;
  t.on = &receive;
  return t;
}();
const levin_model model_table = [] {
  levin_model t{};
  t.o.size = sizeof t;
  t.visit = [](void*, const levin_visitor*) -> levin_status { return LEVIN_OK; };
  t.step = [](void*, const levin_step_in*, const levin_step_out*) -> levin_status { return LEVIN_OK; };
  t.on = &receive;
  return t;
}();

// Callbacks a, b, ... with these flags, and a model; all declare the hook.
class Scene {
 public:
  explicit Scene(const std::vector<uint64_t>& flags, uint32_t hook = LEVIN_HOOK_TRAIN_EPOCH_END) {
    receivers_.resize(flags.size() + 1);
    for (size_t i = 0; i <= flags.size(); ++i) {
      Receiver& r = receivers_[i];
      r.name = i < flags.size() ? std::string(1, static_cast<char>('a' + i)) : "model";
      r.calls = &calls;
      r.schema.flags = i < flags.size() ? flags[i] : 0;
      r.schema.hooks[hook / 64] |= LEVIN_BIT(hook);
    }
    std::vector<std::unique_ptr<Callback>> callbacks;
    for (size_t i = 0; i < flags.size(); ++i)
      callbacks.push_back(std::make_unique<Callback>(origin(i), &callback_table.o, &receivers_[i]));
    model_ = std::make_unique<Model>(origin(flags.size()), &model_table.o, &receivers_.back());
    dispatcher = std::make_unique<Dispatcher>(*model_, nullptr, std::move(callbacks));
  }
  Receiver& receiver(size_t i) { return receivers_[i]; }
  Receiver& model() { return receivers_.back(); }
  Calls calls;
  RunProgress progress;
  std::unique_ptr<Dispatcher> dispatcher;

 private:
  ComponentOrigin origin(size_t i) { return {receivers_[i].name, "libtest.so", &receivers_[i].schema, false}; }
  std::vector<Receiver> receivers_;
  std::unique_ptr<Model> model_;
};

}  // namespace

TEST_CASE("callbacks are called in their order, tuners first, checkpoints last, then the model") {
  struct Case {
    std::vector<uint64_t> flags;
    Calls order;
  };
  for (const Case& c : {Case{{0, 0, 0}, {"a", "b", "c", "model"}},
                        {{LEVIN_F_LAST, 0, LEVIN_F_FIRST}, {"c", "b", "a", "model"}},
                        {{LEVIN_F_LAST, LEVIN_F_LAST, 0}, {"c", "a", "b", "model"}},
                        {{LEVIN_F_MONITOR, 0}, {"a", "b", "model"}}}) {
    Scene scene(c.flags, LEVIN_HOOK_FIT_START);
    scene.dispatcher->fire(LEVIN_HOOK_FIT_START, scene.progress);
    CHECK(scene.calls == c.order);
  }
}

TEST_CASE("at the end of a training epoch callbacks that monitor come after the model") {
  Scene scene({LEVIN_F_MONITOR, 0, LEVIN_F_MONITOR | LEVIN_F_LAST, 0});
  scene.dispatcher->train_epoch_end(scene.progress);
  CHECK(scene.calls == Calls{"b", "d", "model", "a", "c"});
}

TEST_CASE("who does not declare a hook is not called") {
  Scene scene({0}, LEVIN_HOOK_FIT_START);
  scene.dispatcher->fire(LEVIN_HOOK_FIT_END, scene.progress);
  CHECK(scene.calls.empty());
}

TEST_CASE("the strongest answer counts, and everybody is called") {
  struct Case {
    levin_status a, b, model, result;
  };
  for (const Case& c : {Case{LEVIN_OK, LEVIN_OK, LEVIN_OK, LEVIN_OK},
                        {LEVIN_SKIP, LEVIN_OK, LEVIN_OK, LEVIN_SKIP},
                        {LEVIN_SKIP, LEVIN_SKIP_EPOCH, LEVIN_OK, LEVIN_SKIP_EPOCH},
                        {LEVIN_OK, LEVIN_OK, LEVIN_SKIP_EPOCH, LEVIN_SKIP_EPOCH},
                        {17, LEVIN_SKIP, LEVIN_OK, LEVIN_SKIP},
                        {LEVIN_OK, LEVIN_SKIP_EPOCH, 17, LEVIN_SKIP_EPOCH},
                        {LEVIN_STOP, LEVIN_OK, LEVIN_OK, LEVIN_OK}}) {
    Scene scene({0, 0}, LEVIN_HOOK_TRAIN_BATCH_START);
    scene.receiver(0).answer = c.a;
    scene.receiver(1).answer = c.b;
    scene.model().answer = c.model;
    CHECK(scene.dispatcher->fire(LEVIN_HOOK_TRAIN_BATCH_START, scene.progress) == c.result);
    CHECK(scene.calls.size() == 3);
  }
}

TEST_CASE("a stop that is answered reaches the run with the name of who asked") {
  Scene scene({0, 0}, LEVIN_HOOK_TRAIN_BATCH_END);
  scene.receiver(1).answer = LEVIN_STOP;
  scene.dispatcher->fire(LEVIN_HOOK_TRAIN_BATCH_END, scene.progress);
  CHECK(scene.progress.stop.asked());
  CHECK_THAT(scene.progress.stop.reason(), ContainsSubstring("b"));
}

TEST_CASE("a failure ends the sending and names plugin, instance and hook") {
  Scene scene({0, 0}, LEVIN_HOOK_TRAIN_START);
  scene.receiver(0).answer = LEVIN_E_IO;
  CHECK_THROWS_WITH(scene.dispatcher->fire(LEVIN_HOOK_TRAIN_START, scene.progress),
                    ContainsSubstring("libtest.so: a.on_train_start: ") && ContainsSubstring("input/output error"));
  CHECK(scene.calls == Calls{"a"});
}

TEST_CASE("an exception is told to everybody, whoever fails meanwhile") {
  Scene scene({0, 0}, LEVIN_HOOK_EXCEPTION);
  scene.receiver(0).answer = LEVIN_E_STATE;
  const std::string problem = scene.dispatcher->fire_to_all(LEVIN_HOOK_EXCEPTION, scene.progress, "the loss is gone");
  CHECK_THAT(problem, ContainsSubstring("a.on_exception"));
  CHECK(scene.calls == Calls{"a", "b", "model"});
}

TEST_CASE("an event says where the run is") {
  Scene scene({0}, LEVIN_HOOK_TRAIN_BATCH_END);
  RunProgress& progress = scene.progress;
  put_progress(progress, 3, 40);
  progress.begin_batches(/*goes_on=*/false);
  for (int i = 0; i < 8; ++i) progress.begin_batch();
  progress.place.n_batches = 9;
  progress.seed = 5;
  scene.dispatcher->fire(LEVIN_HOOK_TRAIN_BATCH_END, scene.progress);
  const levin_event& e = scene.receiver(0).last;
  CHECK(e.size == sizeof(levin_event));
  CHECK(e.hook == LEVIN_HOOK_TRAIN_BATCH_END);
  CHECK(e.epoch == 3);
  CHECK(e.global_step == 40);
  CHECK(e.batch_idx == 7);
  CHECK(e.dataloader_idx == -1);
  CHECK(e.n_batches == 9);
  CHECK(e.seed == 5);
  CHECK(e.batch == nullptr);
}
