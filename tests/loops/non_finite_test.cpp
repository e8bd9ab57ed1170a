// Non-finite losses and gradients: no weight changes, and the policy decides how the run continues.
#include "core/loops/optimization/non_finite_guard.hpp"

#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/optim/optimizers/optimizer.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

// Steps of automatic optimization on batches of ones.
class Steps {
 public:
  explicit Steps(LoopScene& scene) : scene_(scene), batch_(scene) {}
  void run(const AccumulationWindow& window = {true, true, 1, 1.0}) {
    StepOutputs out;
    scene_.optimization->run({batch_.in, 0, window}, out);
  }

 private:
  LoopScene& scene_;
  OnesBatch batch_;
};

void spoil(at::Tensor w, double value) { w.mutable_grad() = at::full_like(w, value); }

std::string problem(NonFiniteGuard& guard, bool wait = false) {
  try {
    guard.settle(wait);
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::non_finite);
    return e.what();
  }
  return "";
}

at::Tensor running_mean = at::zeros({1});  // a buffer of the model

const double not_a_number = std::nan(""), infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a loss that is not finite changes no weight, and stops the run") {
  ToyNet net;
  net.infinite_loss = true;
  LoopScene scene(net);
  Steps(scene).run();
  CHECK(scene.w() == 1.0);
  CHECK_THAT(problem(scene.optimization->guard()), ContainsSubstring("global_step 0") &&
                                                       ContainsSubstring("the loss is inf") &&
                                                       ContainsSubstring("no weight was changed"));
  CHECK(problem(scene.optimization->guard()).empty());
}

TEST_CASE("running statistics of a batch whose loss is not finite are put back before the run stops") {
  ToyNet net;
  net.infinite_loss = true;
  net.table.visit = [](void* self, const levin_visitor* v) -> levin_status {
    v->tensor(v, "w", borrow(ToyNet::of(self).weight), LEVIN_PARAMETER);
    return v->tensor(v, "mean", borrow(running_mean), LEVIN_BUFFER);
  };
  LoopScene scene(net);
  running_mean.fill_(0.25);
  net.in_step = [&](const levin_step_in&) { running_mean.fill_(not_a_number); };
  Steps(scene).run();
  CHECK_FALSE(problem(scene.optimization->guard()).empty());
  CHECK(running_mean.item<float>() == 0.25f);
  CHECK(scene.optimization->guard().skipped().total == 1);
}

TEST_CASE("a gradient that is not finite stops the run by the name of its parameter, whatever clips it") {
  for (const auto algorithm : {GradientClipAlgorithm::norm, GradientClipAlgorithm::value})
    for (const double value : {not_a_number, infinity})
      for (const double clip : {0.0, 0.5}) {
        INFO(value << " clipped at " << clip);
        ToyNet net(0, {LEVIN_HOOK_AFTER_BACKWARD});
        LoopScene scene(net);
        if (clip > 0) scene.plan.optimization.gradient_clip_val = clip;
        scene.plan.optimization.gradient_clip_algorithm = algorithm;
        net.in_hook = [&](const levin_event&) { spoil(net.weight, value); };
        Steps(scene).run();
        CHECK(scene.w() == 1.0);
        CHECK_THAT(problem(scene.optimization->guard()),
                   ContainsSubstring("the gradient of 'w' is not finite, and the loss is 1"));
      }
}

TEST_CASE("skip leaves such steps out, counts them, and goes on") {
  ToyNet net(0, {LEVIN_HOOK_AFTER_BACKWARD});
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::skip;
  int step = 0;
  net.in_hook = [&](const levin_event&) {
    if (step++ % 2 == 0) spoil(net.weight, not_a_number);
  };
  Steps steps(scene);
  for (int i = 0; i < 6; ++i) {
    steps.run();
    scene.optimization->guard().settle(false);
  }
  CHECK(scene.w() == Approx(0.7));
  CHECK(scene.progress.global_step() == 6);
  CHECK(scene.warnings.size() == 2);  // for the first and second step; the next would be for the fourth, the eighth ...
  scene.optimization->guard().end_fit();
  CHECK_THAT(scene.warnings.back(), ContainsSubstring("3 of 6 optimizer steps were skipped"));
}

TEST_CASE("skip gives up when nothing is learned, and when the weights themselves are not finite") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::skip;
  net.infinite_loss = true;
  Steps steps(scene);
  std::string said;
  for (int i = 0; i < 100 && said.empty(); ++i) {
    steps.run();
    said = problem(scene.optimization->guard());
  }
  CHECK_THAT(said, ContainsSubstring("100 steps in a row were skipped"));

  ToyNet other;
  LoopScene spoilt(other);
  spoilt.plan.numerics.non_finite = NonFinite::skip;
  other.weight.data().fill_(not_a_number);
  Steps(spoilt).run();
  CHECK_THAT(problem(spoilt.optimization->guard()), ContainsSubstring("the parameter 'w' was not finite before"));
}

TEST_CASE("one bad batch of a window leaves out the step of its window, and no other") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::skip;
  Steps steps(scene);
  net.infinite_loss = true;
  steps.run({true, false, 2, 1.0});
  net.infinite_loss = false;
  steps.run({false, true, 2, 1.0});
  CHECK(scene.w() == 1.0);
  steps.run({true, false, 2, 1.0});
  steps.run({false, true, 2, 1.0});
  CHECK(scene.w() == Approx(0.9));
}

TEST_CASE("manual optimization is guarded too, and a loss holds until the gradients are set to zero") {
  ToyNet net(LEVIN_F_MANUAL);
  net.optimizers = 2;
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::skip;
  Optimization& by_hand = *scene.optimization;
  std::vector<double> weights;
  net.in_step = [&](const levin_step_in&) {
    by_hand.zero_grad(0);
    by_hand.manual_backward(net.weight.sum() * infinity, false);
    spoil(net.weight, 1);  // the gradients are finite: only the loss shows the problem
    by_hand.manual_step(0, nullptr, nullptr);
    by_hand.manual_step(1, nullptr, nullptr);
    weights.push_back(scene.w());
    by_hand.zero_grad(1);
    by_hand.manual_backward(net.weight.sum(), false);
    by_hand.manual_step(1, nullptr, nullptr);
    weights.push_back(scene.w());
  };
  Steps(scene).run();
  CHECK(weights == std::vector<double>{1.0, static_cast<double>(0.9f)});
}

TEST_CASE("ignore steps as if nothing had happened") {
  ToyNet net;
  net.infinite_loss = true;
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::ignore;
  Steps(scene).run();
  CHECK_FALSE(std::isfinite(scene.w()));
  CHECK(problem(scene.optimization->guard(), true).empty());
}

TEST_CASE("roll_back asks for the last checkpoint with the reason, and says where it went") {
  ToyNet net;
  net.infinite_loss = true;
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::roll_back;
  std::string why;
  scene.optimization->guard().on_roll_back([&](const std::string& reason) {
    why = reason;
    return std::string("went back");
  });
  Steps(scene).run();
  CHECK(problem(scene.optimization->guard()).empty());
  CHECK_THAT(why, ContainsSubstring("global_step 0: ") && ContainsSubstring("the loss is inf"));
  CHECK(scene.warnings == std::vector<std::string>{"went back"});
}

TEST_CASE("LBFGS: a bad first evaluation, and a step to infinity, change neither weights nor history") {
  for (const char* search : {"none", "strong_wolfe"}) {
    INFO(search);
    ToyNet net;
    LoopScene scene(net);
    ParamGroup group;
    at::Tensor w = net.weight;
    group.params = {w};
    group.names = {"w"};
    nlohmann::json options = {{"lr", 0.5}, {"max_iter", 4}};
    if (std::string(search) != "none") options["line_search_fn"] = search;
    const auto lbfgs = make_optimizer("lbfgs", options, {group});
    NonFiniteGuard& guard = scene.optimization->guard();
    double scale = 1;
    const auto closure = [&]() -> at::Tensor {
      lbfgs->zero_grad();
      at::Tensor loss = (w * w).sum() * scale;
      loss.backward();
      guard.see_loss(loss);
      return loss.detach();
    };
    scene.optimization->guarded_step(*lbfgs, closure);
    CHECK(problem(guard).empty());
    const double after = scene.w();
    CHECK(after < 1.0);
    const nlohmann::json history = lbfgs->state_dict().values;
    scale = not_a_number;
    scene.optimization->guarded_step(*lbfgs, closure);
    CHECK(scene.w() == after);
    CHECK(lbfgs->state_dict().values == history);
    CHECK_THAT(problem(guard), ContainsSubstring("the loss is nan"));
    scale = 1;
    scene.optimization->guarded_step(*lbfgs, [&]() -> at::Tensor {
      const at::Tensor loss = closure();
      if (std::exchange(scale, not_a_number) != 1) spoil(w, not_a_number);
      return loss;
    });
    CHECK(std::isfinite(scene.w()));
    const std::string said = problem(guard);  // a line search recovers by itself
    if (std::string(search) == "none") CHECK_THAT(said, ContainsSubstring("led to weights that are not finite"));
  }
}

TEST_CASE("what only the device knows is read when somebody waits, with step, loss and parameter") {
  ToyNet net;
  LoopScene scene(net);
  const Optimizer& sgd = scene.optimizers.optimizer(0);
  NonFiniteWatch watch;
  at::Tensor w = net.weight;
  const auto step = [&](double gradient, int64_t number) {
    spoil(w, gradient);
    return watch.mask(sgd, {number, 0, 0}).item<bool>();
  };
  CHECK_FALSE(step(1, 4));
  CHECK(step(infinity, 5));
  CHECK(step(not_a_number, 6));
  spoil(w, infinity);
  CHECK(watch.take(false).empty());
  const std::vector<NonFiniteStep> found = watch.take(true);
  REQUIRE(found.size() == 2);
  CHECK(found[0].place.global_step == 5);
  CHECK(found[1].what == "the gradient of 'w' is not finite");
  for (int i = 0; i < 100; ++i) step(not_a_number, i);
  CHECK(watch.take(false).size() == 100);  // the list is limited
}

TEST_CASE("of other processes what all have agreed on decides, and a loss of this one is told until it is forgotten") {
  ToyNet net;
  LoopScene scene(net);
  const Optimizer& sgd = scene.optimizers.optimizer(0);
  spoil(net.weight, 1);
  const at::Tensor good = at::zeros({1}), bad = at::ones({1});
  NonFiniteWatch watch;
  const auto left_out = [&] {
    const bool on_device = watch.mask(sgd, {}).item<bool>();
    CHECK(watch.passes(sgd, {}, false) == !on_device);
    return on_device;
  };
  watch.see_loss(at::full({1}, infinity));
  watch.share(good);  // agreed on before this loss was seen
  CHECK_FALSE(left_out());
  CHECK(watch.bad_loss(at::kCPU).item<float>() == 1);
  watch.share(bad);
  CHECK(left_out());
  CHECK(watch.take(true).front().what == "the loss is inf");
  watch.forget_losses();
  CHECK(watch.bad_loss(at::kCPU).item<float>() == 0);
  CHECK_FALSE(left_out());
  watch.see_loss(at::ones({1}));
  watch.share(bad);  // of another process
  CHECK(left_out());
  CHECK(watch.bad_loss(at::kCPU).item<float>() == 0);
  CHECK(watch.take(true).front().what == "the loss is nan");
}

TEST_CASE("a checkpoint counts the steps left out so far, also those that nobody was told of yet") {
  ToyNet net(0, {LEVIN_HOOK_AFTER_BACKWARD});
  LoopScene scene(net);
  scene.plan.numerics.non_finite = NonFinite::skip;
  net.in_hook = [&](const levin_event&) { spoil(net.weight, not_a_number); };
  NonFiniteGuard& guard = scene.optimization->guard();
  Steps steps(scene);
  steps.run();
  guard.settle(false);
  steps.run();
  const nlohmann::json saved = guard.skipped().state_dict();
  CHECK(saved == nlohmann::json{{"total", 2}, {"in_a_row", 2}, {"last", 1}});
  guard.settle(false);
  CHECK(guard.skipped().state_dict() == saved);

  guard.set_skipped({});
  CHECK(guard.skipped().total == 0);
  guard.set_skipped(SkippedSteps::from(saved));
  steps.run();
  guard.settle(false);
  CHECK(guard.skipped().in_a_row == 3);
  guard.end_fit();
  CHECK_THAT(scene.warnings.back(), ContainsSubstring("3 of 3 optimizer steps were skipped"));
}
