#include <cmath>

#include "callbacks/weight_averaging/swa_rule.hpp"
#include "callbacks/weight_averaging/update_rule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

using levin::Stage;
using levin::testing::Component;
using levin::testing::element;
using levin::testing::FakeHost;
using levin::testing::Options;
using levin::testing::Tensor;
using levin::weight_averaging::annealed_lr;
using levin::weight_averaging::swa_epochs;
using levin::weight_averaging::UpdateRule;

namespace {

// A model with one weight, 1 at first, which every step makes 0.1 smaller.
struct Fit {
  explicit Fit(const char* id, const Options& options = {}) {
    host.params.push_back({"w", host.tensor({1.0F}, {1}), LEVIN_PARAMETER, true});
    host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
    component = std::make_unique<Component>(host, id, options);
    component->send(LEVIN_HOOK_FIT_START);
  }
  double w() const { return element(Tensor::of(host.params[0].tensor).view, 0); }
  void step() {
    levin::testing::set_element(Tensor::of(host.params[0].tensor).view, 0, w() - 0.1);
    host.at(epoch, ++global_step);
    component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 1);
  }
  double validated() {
    component->send(LEVIN_HOOK_VALIDATION_EPOCH_START, Stage::validate);
    const double seen = w();
    component->send(LEVIN_HOOK_VALIDATION_EPOCH_END, Stage::validate);
    return seen;
  }
  double end() {
    host.at(epoch, global_step);
    component->send(LEVIN_HOOK_TRAIN_END);
    return w();
  }
  FakeHost host;
  std::unique_ptr<Component> component;
  int64_t epoch = 0, global_step = 0;
};

}  // namespace

TEST_CASE("weight_averaging validates with the mean of all steps and leaves it in the model") {
  Fit fit("weight_averaging");
  fit.step();
  fit.step();
  CHECK(fit.validated() == Approx(0.85));
  CHECK(fit.w() == Approx(0.8));
  fit.step();
  fit.step();
  CHECK(fit.end() == Approx(0.75));
}

TEST_CASE("ema_weight_averaging copies the weights first and then moves towards them") {
  Fit fit("ema_weight_averaging", {{"decay", 0.9}, {"update_starting_at_step", 1}});
  fit.step();
  CHECK(fit.validated() == Approx(1.0));
  fit.step();
  CHECK(fit.validated() == Approx(0.8));
  fit.step();
  CHECK(fit.validated() == Approx(0.8 + 0.1 * (0.7 - 0.8)));
}

TEST_CASE("an exception in a validation leaves the model with its own weights") {
  Fit fit("weight_averaging");
  fit.step();
  fit.step();
  fit.component->send(LEVIN_HOOK_VALIDATION_EPOCH_START, Stage::validate);
  fit.component->send(LEVIN_HOOK_EXCEPTION);
  CHECK(fit.w() == Approx(0.8));
}

TEST_CASE("the rule of updates counts steps and epochs from 0") {
  UpdateRule rule;
  rule.every_n_steps = 5;
  rule.starting_at_step = 10;
  for (int64_t step = 0; step <= 20; ++step) CHECK(rule.after_step(step) == (step == 10 || step == 15 || step == 20));
  CHECK_FALSE(rule.after_epoch(100));
  rule.starting_at_epoch = 2;
  CHECK_FALSE(rule.after_epoch(1));
  CHECK(rule.after_epoch(2));
}

TEST_CASE("the epochs of stochastic averaging follow from a count or a fraction") {
  CHECK(swa_epochs(0.5, true, 4).first == 1);
  CHECK(swa_epochs(0.8, true, 10).first == 7);
  CHECK(swa_epochs(2, false, 5).first == 1);
  CHECK(swa_epochs(1, false, 5).first == 0);
  CHECK(swa_epochs(0.0, true, 5).first == 0);
  CHECK(swa_epochs(2, false, 5).last == 4);
}

TEST_CASE("the learning rate anneals to that of stochastic averaging") {
  CHECK(annealed_lr(0.1, 0.01, 0, 2, true) == Approx(0.1));
  CHECK(annealed_lr(0.1, 0.01, 1, 2, true) == Approx(0.055));
  CHECK(annealed_lr(0.1, 0.01, 1, 4, false) == Approx(0.0775));
  CHECK(annealed_lr(0.1, 0.01, 9, 2, true) == 0.01);
  CHECK(annealed_lr(0.1, 0.01, 0, 0, true) == 0.01);
}

TEST_CASE("stochastic_weight_averaging averages the weights at the start of its epochs") {
  Fit fit("stochastic_weight_averaging", {{"swa_lrs", "0.05"}, {"swa_epoch_start", "2"}, {"annealing_epochs", 0}});
  fit.host.numbers["max_epochs"] = 3;
  fit.component->send(LEVIN_HOOK_FIT_START);
  double sum = 0;
  for (fit.epoch = 0; fit.epoch < 3; ++fit.epoch) {
    fit.host.at(fit.epoch, fit.global_step);
    fit.component->send(LEVIN_HOOK_TRAIN_EPOCH_START);
    if (fit.epoch >= 1) sum += fit.w();
    if (fit.epoch >= 1) CHECK(fit.host.optimizers[0].groups[0].options["lr"] == 0.05);
    fit.step();
  }
  CHECK(fit.end() == Approx(sum / 2));
}

TEST_CASE("stochastic_weight_averaging refuses what makes no sense") {
  FakeHost host;
  for (const Options& options :
       {Options{{"swa_epoch_start", "0"}}, Options{{"swa_epoch_start", "1.5"}}, Options{{"swa_lrs", "-1"}}})
    CHECK_THROWS(Component(host, "stochastic_weight_averaging", options));
  Component two(host, "stochastic_weight_averaging");
  host.optimizers.resize(2);
  CHECK_THROWS_WITH(two.send(LEVIN_HOOK_FIT_START), ContainsSubstring("one optimizer"));
}
