// Replicas of a model in one process: rows are split, outputs and gradients are combined.
#include "core/strategies/dp/dp.hpp"

#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/data/source/batch.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/precision/precision.hpp"
#include "tests/loops/toy_net.hpp"

using namespace levin::core;

namespace {

// dp on two CPU "devices" over the instances of a model in these two nets.
struct DpScene {
  ToyNet nets[2];
  Processes alone;
  DpStrategy dp{{}, {at::kCPU, at::kCPU}, alone};
  size_t made = 0;
  std::unique_ptr<Model> model = dp.make_model([this] { return nets[made++].created(); });
  std::unique_ptr<Precision> precision = make_precision(PrecisionType::true_32, at::kCPU);
  LoggerList loggers{{}, [](const std::string&) {}};
  LoggerConnector log{loggers, {1}};

  StepOutputs step(const levin_step_in& in) {
    StepOutputs out;
    dp.step({*model, *precision, in, out, log});
    return out;
  }
};

// A batch of rows {0, 0}, {1, 1}, ...
class Rows {
 public:
  explicit Rows(int64_t rows) {
    batch_.tensors = {at::arange(rows, at::kFloat).reshape({rows, 1}).repeat({1, 2})};
    batch_.publish({"x"});
    raw_ = batch_.raw();
    in.size = sizeof in;
    in.stage = LEVIN_STAGE_FIT;
    in.batch = raw_;
    in.batches = &raw_;
    in.n_batches = 1;
  }
  levin_step_in in{};

 private:
  Batch batch_;
  const levin_batch* raw_;
};

}  // namespace

TEST_CASE("each replica gets its share of the rows, and the gradients add up on the first one") {
  DpScene scene;
  scene.dp.place(*scene.model, at::kFloat);
  scene.dp.begin(*scene.model);

  Rows rows(4);
  const StepOutputs out = scene.step(rows.in);
  CHECK(scene.nets[0].steps.size() == 1);
  CHECK(scene.nets[1].steps.size() == 1);
  CHECK(out.loss.item<double>() == Approx(1.5));  // the weight 1 times the mean of 0, 1, 2 and 3

  scene.dp.backward(out.loss, false);
  scene.dp.after_backward();
  CHECK(scene.nets[0].weight.grad().item<double>() == Approx(1.5));
}

TEST_CASE("replicas compute with the weights that the first one has now") {
  DpScene scene;
  scene.dp.place(*scene.model, at::kFloat);
  scene.nets[0].weight.detach().fill_(3);
  Rows rows(4);
  CHECK(scene.step(rows.in).loss.item<double>() == Approx(4.5));
}

TEST_CASE("a batch of one row goes to the first replica alone") {
  DpScene scene;
  scene.dp.place(*scene.model, at::kFloat);
  Rows rows(1);
  scene.step(rows.in);
  CHECK(scene.nets[0].steps.size() == 1);
  CHECK(scene.nets[1].steps.empty());
}

TEST_CASE("the hooks that set a model up reach each instance, on which services act then") {
  DpScene scene;
  std::vector<const Model*> seen;
  for (ToyNet& net : scene.nets) net.in_hook = [&](const levin_event&) { seen.push_back(&instance_of(*scene.model)); };
  levin_event event{};
  event.size = sizeof event;
  for (const uint32_t hook : {LEVIN_HOOK_SETUP, LEVIN_HOOK_FIT_START}) {
    event.hook = hook;
    scene.model->on(event);
  }
  REQUIRE(seen.size() == 3);  // setup of both, on_fit_start of the first
  CHECK(seen[0] == scene.model.get());
  CHECK(seen[1] != scene.model.get());
  CHECK(seen[2] == scene.model.get());
}

TEST_CASE("a model that steps its optimizers itself is refused") {
  ToyNet net(LEVIN_F_MANUAL);
  Model model = net.model();
  Processes alone;
  DpStrategy dp({}, {at::kCPU, at::kCPU}, alone);
  CHECK_THROWS_WITH(dp.begin(model), Catch::Contains("steps its optimizers itself") && Catch::Contains("use ddp"));
}
