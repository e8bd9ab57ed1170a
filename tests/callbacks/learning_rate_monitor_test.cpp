#include "callbacks/learning_rate_monitor/names.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace learning_rate_monitor_test {
using namespace levin::learning_rate_monitor;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

std::string joined(const std::vector<std::vector<std::string>>& names) {
  std::string out;
  for (const auto& groups : names)
    for (const std::string& name : groups) out += (out.empty() ? "" : " ") + name;
  return out;
}

// Two epochs of two batches; the schedule divides the learning rate by ten.
std::vector<levin::testing::LoggedNow> log_of(FakeHost& host, const levin::testing::Options& options,
                                              const char* schedule) {
  if (*schedule) host.schedulers.push_back({0, "", schedule});
  Component monitor(host, "learning_rate_monitor", options);
  monitor.send(LEVIN_HOOK_TRAIN_START);
  double& lr = host.optimizers[0].groups[0].options["lr"];
  for (int64_t step = 0; step < 4; ++step) {
    host.at(step / 2, step);
    if (step % 2 == 0) monitor.send(LEVIN_HOOK_TRAIN_EPOCH_START);
    monitor.send_batch(LEVIN_HOOK_TRAIN_BATCH_START, step % 2, 2);
    const bool steps = std::string(schedule) == "step" || (*schedule && step % 2 == 1);
    if (steps) lr /= 2;
  }
  return host.logged_now;
}

}  // namespace

TEST_CASE("learning rates are named by class, number and group") {
  struct Case {
    std::vector<Optimizer> optimizers;
    const char* names;
  };
  const Case cases[] = {
      {{{"SGD", {""}, ""}}, "lr-SGD"},
      {{{"SGD", {"only"}, ""}}, "lr-SGD/only"},
      {{{"SGD", {"", ""}, ""}}, "lr-SGD/pg1 lr-SGD/pg2"},
      {{{"SGD", {"bias", ""}, ""}}, "lr-SGD/bias lr-SGD/pg2"},
      {{{"Adam", {""}, ""}, {"SGD", {""}, ""}}, "lr-Adam lr-SGD"},
      {{{"Adam", {""}, ""}, {"Adam", {""}, ""}, {"Adam", {""}, ""}}, "lr-Adam lr-Adam-1 lr-Adam-2"},
      {{{"SGD", {"", ""}, ""}, {"SGD", {""}, ""}}, "lr-SGD/pg1 lr-SGD/pg2 lr-SGD-1"},
      {{{"Adam", {""}, "mine"}, {"Adam", {""}, ""}}, "mine lr-Adam"},
  };
  for (const Case& c : cases) CHECK(joined(names(c.optimizers, "")) == c.names);
  CHECK(joined(names({{"SGD", {""}, ""}}, "optim/")) == "optim/lr-SGD");
  CHECK_THROWS_WITH(names({{"SGD", {"a", "a"}, ""}}, ""), ContainsSubstring("'a'"));
}

TEST_CASE("learning rates are logged when their schedule changes them") {
  struct Case {
    levin::testing::Options options;
    const char* schedule;
    std::vector<int64_t> steps;
    std::vector<double> rates;
  };
  const Case cases[] = {
      {{}, "", {0, 0, 1, 2, 2, 3}, {1, 1, 1, 1, 1, 1}},
      {{}, "epoch", {0, 2}, {1, 0.5}},
      {{}, "step", {0, 1, 2, 3}, {1, 0.5, 0.25, 0.125}},
      {{{"logging_interval", "epoch"}}, "step", {0, 2}, {1, 0.25}},
      {{{"logging_interval", "step"}}, "epoch", {0, 1, 2, 3}, {1, 1, 0.5, 0.5}},
  };
  for (const Case& c : cases) {
    FakeHost host;
    host.optimizers = {{"SGD", {{"", {{"lr", 1}}}}}};
    std::vector<int64_t> steps;
    std::vector<double> rates;
    for (const auto& logged : log_of(host, c.options, c.schedule)) {
      steps.push_back(logged.step);
      rates.push_back(logged.values.at("lr-SGD"));
    }
    CHECK(steps == c.steps);
    CHECK(rates == c.rates);
  }
}

TEST_CASE("momentum and weight decay are logged on demand") {
  FakeHost host;
  host.optimizers = {{"SGD", {{"", {{"lr", 0.1}, {"momentum", 0.9}, {"weight_decay", 0.01}}}}},
                     {"Adam", {{"", {{"lr", 0.2}, {"beta1", 0.8}}}}}};
  Component monitor(host, "learning_rate_monitor", {{"log_momentum", true}, {"log_weight_decay", true}});
  monitor.send(LEVIN_HOOK_TRAIN_START);
  monitor.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  CHECK(host.logged_now.at(0).values == std::map<std::string, double>{{"lr-SGD", 0.1},
                                                                      {"lr-SGD-momentum", 0.9},
                                                                      {"lr-SGD-weight_decay", 0.01},
                                                                      {"lr-Adam", 0.2},
                                                                      {"lr-Adam-momentum", 0.8},
                                                                      {"lr-Adam-weight_decay", 0}});
}

TEST_CASE("steps that are not logged cost nothing") {
  FakeHost host;
  host.optimizers = {{"SGD", {{"", {{"lr", 1}}}}}};
  host.numbers["should_update_logs"] = 0;
  CHECK(log_of(host, {{"logging_interval", "step"}}, "").empty());
}

TEST_CASE("learning_rate_monitor needs a logger") {
  FakeHost host;
  host.numbers["num_loggers"] = 0;
  Component monitor(host, "learning_rate_monitor");
  CHECK_THROWS_WITH(monitor.send(LEVIN_HOOK_TRAIN_START),
                    ContainsSubstring("LearningRateMonitor") && ContainsSubstring("logger"));
}

TEST_CASE("a group that is added between two epochs is logged from then on") {
  FakeHost host;
  host.optimizers = {{"SGD", {{"", {{"lr", 1}}}}}};
  Component monitor(host, "learning_rate_monitor");
  monitor.send(LEVIN_HOOK_TRAIN_START);
  monitor.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  host.optimizers[0].groups.push_back({"backbone", {{"lr", 0.5}}});
  host.at(1, 4);
  monitor.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  REQUIRE(host.logged_now.size() == 2);
  CHECK(host.logged_now[0].values == std::map<std::string, double>{{"lr-SGD", 1}});
  CHECK(host.logged_now[1].values == std::map<std::string, double>{{"lr-SGD/pg1", 1}, {"lr-SGD/backbone", 0.5}});
}

}  // namespace learning_rate_monitor_test
