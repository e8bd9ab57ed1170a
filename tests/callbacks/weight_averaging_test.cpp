#include <cmath>
#include <memory>

#include "callbacks/weight_averaging/swa_rule.hpp"
#include "callbacks/weight_averaging/update_rule.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace weight_averaging_test {
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

// A model with one weight, initially 1, which every step reduces by 0.1.
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
  rule.every_n_steps = 0;
  CHECK_FALSE(rule.after_step(10));
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
       {Options{{"swa_epoch_start", "0"}}, Options{{"swa_epoch_start", "1.5"}}, Options{{"swa_lrs", "-1.0"}},
        Options{{"swa_lrs", "0.0"}}, Options{{"swa_lrs", "{\"a\": 0.1}"}}, Options{{"swa_epoch_start", "[2]"}}})
    CHECK_THROWS(Component(host, "stochastic_weight_averaging", options));
  for (const char* integers : {"1", "[0.2, 1]"})  // as in Lightning: a learning rate must not be an integer
    CHECK_THROWS_WITH(Component(host, "stochastic_weight_averaging", Options{{"swa_lrs", integers}}),
                      ContainsSubstring("swa_lrs") && ContainsSubstring("1.0"));
  CHECK_NOTHROW(Component(host, "stochastic_weight_averaging", Options{{"swa_lrs", "[0.2, 1.0]"}}));
  Component two(host, "stochastic_weight_averaging");
  host.optimizers.resize(2);
  CHECK_THROWS_WITH(two.send(LEVIN_HOOK_FIT_START), ContainsSubstring("one optimizer"));
}

namespace {

// Stochastic averaging of epoch 0, and the following epoch that updates the statistics. Each batch reports the
// statistic of "bn"; "frozen" is a BatchNorm in evaluation mode.
struct Normalized {
  Normalized() {
    host.params.push_back({"w", host.tensor({1.0F}, {1}), LEVIN_PARAMETER, true});
    host.params.push_back({"bn.running_mean", host.tensor({7.0F, 7.0F}, {2}), LEVIN_BUFFER, false});
    host.params.push_back({"frozen.running_mean", host.tensor({5.0F}, {1}), LEVIN_BUFFER, false});
    host.modules = {{"", "Net", 0, true}, {"bn", "BatchNorm1d", 1, true}, {"frozen", "BatchNorm1d", 1, false}};
    host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
    host.schedulers.push_back({0, "", "step"});
    host.numbers["max_epochs"] = 1;
    component = std::make_unique<Component>(host, "stochastic_weight_averaging", Options{{"swa_epoch_start", "1"}});
  }
  void epoch(int64_t epoch) {
    host.at(epoch, epoch);
    component->send(LEVIN_HOOK_TRAIN_EPOCH_START);
  }
  void batch(double statistic) {
    component->send_batch(LEVIN_HOOK_TRAIN_BATCH_START, 0, 2);
    levin_view& view = Tensor::of(host.params[1].tensor).view;
    for (int64_t i = 0; i < 2; ++i) levin::testing::set_element(view, i, 0.9 * element(view, i) + 0.1 * statistic);
    component->send_batch(LEVIN_HOOK_TRAIN_BATCH_END, 0, 2);
  }
  double value(size_t param) const { return element(Tensor::of(host.params[param].tensor).view, 0); }
  double lr() { return host.optimizers[0].groups[0].options["lr"]; }
  FakeHost host;
  std::unique_ptr<Component> component;
};

}  // namespace

TEST_CASE("the statistics of batch normalization are computed anew, but for layers that do not train") {
  Normalized m;
  m.component->send(LEVIN_HOOK_FIT_START);
  CHECK(m.host.numbers["max_epochs"] == 2);
  m.epoch(0);
  m.epoch(1);
  CHECK(m.lr() == 0);
  m.batch(2);
  CHECK(m.value(1) == Approx(2));
  m.batch(4);
  CHECK(m.value(1) == Approx(3));
  CHECK(m.value(2) == 5);
}

TEST_CASE("an epoch of statistics that is resumed in its middle goes on with them") {
  Normalized first;
  first.component->send(LEVIN_HOOK_FIT_START);
  first.epoch(0);
  first.epoch(1);
  first.batch(2);
  Normalized second;
  second.component->load(first.component->save());
  second.component->send(LEVIN_HOOK_FIT_START);
  second.host.at(1, 1);
  second.component->send(LEVIN_HOOK_TRAIN_START);
  CHECK(second.lr() == 0);
  CHECK(second.host.calls == std::vector<std::string>{"pause_scheduler 0"});
  second.batch(4);
  CHECK(second.value(1) == Approx(3));
}

TEST_CASE("an averaging epoch that is resumed in its middle has its learning rate, and no schedule moves it") {
  const Options options{{"swa_lrs", "[0.05]"}, {"swa_epoch_start", "2"}, {"annealing_epochs", 0}};
  Fit first("stochastic_weight_averaging", options);
  first.host.at(1, 4);
  first.component->send(LEVIN_HOOK_TRAIN_EPOCH_START);
  for (const int64_t epoch : {1, 2}) {
    Fit second("stochastic_weight_averaging", options);
    second.host.schedulers.push_back({0, "", "step"});
    second.component->load(first.component->save());
    second.host.at(epoch, 6);
    second.component->send(LEVIN_HOOK_TRAIN_START);
    const bool within = epoch == 1;  // in epoch 2 the callback gets the epoch's start hook
    CHECK(second.host.optimizers[0].groups[0].options["lr"] == (within ? 0.05 : 0.1));
    CHECK(second.host.calls.size() == within);
  }
}

}  // namespace weight_averaging_test
