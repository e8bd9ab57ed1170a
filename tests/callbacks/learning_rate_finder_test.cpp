#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "callbacks/learning_rate_finder/range_test.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

namespace learning_rate_finder_test {
using namespace levin::learning_rate_finder;
using levin::testing::Component;
using levin::testing::FakeHost;

TEST_CASE("the rates of a range test go from the first to the last") {
  RangeTest test;
  test.min_lr = 1e-4;
  test.max_lr = 1;
  test.steps = 10;
  CHECK(lr_of(test, 0) == 1e-4);
  CHECK(lr_of(test, 1) == Approx(6.309573444801934e-4));
  CHECK(lr_of(test, 9) == Approx(1));
  test.exponential = false;
  CHECK(lr_of(test, 1) == Approx(0.20008));
}

TEST_CASE("the suggestion is where the loss falls most steeply over the rate") {
  std::vector<double> lrs, losses;
  for (int i = 0; i < 30; ++i) {
    lrs.push_back(0.1 * (i + 1));
    losses.push_back(i < 15 ? 1 : i == 15 ? 0.5 : 0.4);
  }
  CHECK(steepest(lrs, losses) == 15u);
  losses[15] = std::nan("");
  CHECK(steepest(lrs, losses) == 14u);
  CHECK_FALSE(steepest({1, 2, 3}, {1, 1, 1}));
}

TEST_CASE("a diverging loss ends the test") {
  Curve curve(RangeTest{});
  CHECK_FALSE(curve.add(0.1, 1, 1));
  CHECK_FALSE(curve.add(0.2, 1, 2));
  CHECK(curve.add(0.3, 1000, 3));
  CHECK(curve.losses().size() == 3);
}

TEST_CASE("learning_rate_finder trains on with its suggestion and writes it into the options") {
  FakeHost host;
  host.texts["run_dir"] = "/tmp";
  host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
  int step = 0;
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = step++ < 20 ? 1 : 0.1;
    return LEVIN_OK;
  };
  Component c(host, "learning_rate_finder",
              {{"num_training_steps", 40}, {"early_stop_threshold", levin::testing::Null{}}});
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(host.calls == std::vector<std::string>{"trial 0", "end of trial 0"});
  REQUIRE(host.options_set.count("model.lr"));
  CHECK(std::stod(host.options_set["model.lr"]) == host.optimizers[0].groups[0].options["lr"]);
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(step == 40);  // runs once per run
}

TEST_CASE("the option that is the learning rate goes by its name, which is checked before a step is taken") {
  FakeHost host;
  host.texts["run_dir"] = "";
  host.texts["config"] = R"({"model": {"options": {"rate": 0.1, "hidden": 8, "kind": "x"}}})";
  host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
  int step = 0;
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = step++ < 20 ? 1 : 0.1;
    return LEVIN_OK;
  };
  const levin::testing::Null never;
  const auto finder = [&](const char* find) {
    return Component(host, "learning_rate_finder",
                     {{"num_training_steps", 40}, {"early_stop_threshold", never}, {"find", find}});
  };
  CHECK_THROWS_WITH(finder("\"rat\"").send(LEVIN_HOOK_FIT_START),
                    ContainsSubstring("attr_name rat: the model has no such option; its numbers are: hidden, rate"));
  finder("false").send(LEVIN_HOOK_FIT_START);
  CHECK(step == 0);
  finder("\"rate\"").send(LEVIN_HOOK_FIT_START);
  CHECK(step == 40);
  CHECK(host.options_set.count("model.rate"));
  CHECK_THROWS_WITH(finder("3"), ContainsSubstring("find is 3; valid: true, false, the name of an option"));
}

TEST_CASE("losses are those of the accumulated batches") {
  const TempFolder dir;
  FakeHost host;
  host.texts["run_dir"] = dir.path().string();
  host.numbers["accumulate_grad_batches"] = 4;
  host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = 2;
    return LEVIN_OK;
  };
  Component c(host, "learning_rate_finder", {{"num_training_steps", 3}, {"update_attr", false}});
  c.send(LEVIN_HOOK_FIT_START);
  CHECK(host.media == std::vector<std::string>{"figure/lr_find"});
  const auto found = nlohmann::json::parse(dir.read("lr_find.json"));
  REQUIRE(found["loss"].size() == 3);
  // The moving average of n equal losses; the bias correction divides by 1 - 0.98^(n + 1).
  CHECK(found["loss"][0].get<double>() == Approx(0.5 * 0.02 / (1 - 0.98 * 0.98)));
}

TEST_CASE("a suggestion is not set where a schedule would overwrite it; who starts anew is told how") {
  FakeHost host;
  host.texts["run_dir"] = "";
  host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
  host.schedulers.push_back({0, "", "step"});
  int step = 0;
  host.trial_step = [&](int64_t, double* loss) -> levin_status {
    *loss = step++ < 20 ? 1 : 0.1;
    return LEVIN_OK;
  };
  Component c(host, "learning_rate_finder",
              {{"num_training_steps", 40}, {"early_stop_threshold", levin::testing::Null{}}});
  c.send(LEVIN_HOOK_FIT_START);
  REQUIRE(host.options_set.count("model.lr"));
  CHECK(host.optimizers[0].groups[0].options["lr"] != std::stod(host.options_set["model.lr"]));
  REQUIRE(host.messages.size() == 1);
  CHECK_THAT(host.messages[0].second, ContainsSubstring("start again with --model.lr " + host.options_set["model.lr"]));
}

}  // namespace learning_rate_finder_test
