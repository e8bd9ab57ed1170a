#include <cmath>

#include "catch.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/optim/lr_schedulers/lr_scheduler.hpp"
#include "golden.hpp"
#include "plain_target.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

double factor(const std::string& name, int64_t step) {
  const double t = static_cast<double>(step);
  if (name == "power") return std::pow(0.99, t);
  if (name == "steps") return 1.0 - static_cast<double>(step / 100) * 0.05;
  if (name == "inverse") return 1.0 / (1.0 + 0.01 * t);
  return 0.999;
}

struct Run {
  explicit Run(const json& the_case) : test(the_case), target(test["lrs"].get<std::vector<double>>()) {
    SchedulerContext context;
    for (const std::string name : test.value("factors", json::array())) {
      context.factors.push_back([name](int64_t step) { return factor(name, step); });
    }
    schedule = make_scheduler(test["name"], test["options"], target, context);
  }

  void step(int64_t n) {
    if (schedule->needs_metric()) {
      schedule->step(test["sign"].get<double>() * (10.0 / static_cast<double>(1 + n / 40) + 0.5 * noise()));
    } else if (n <= test.value("steps", 1000)) {
      schedule->step();
    }
  }

  const json& test;
  PlainTarget target;
  std::unique_ptr<LrScheduler> schedule;
  golden::Noise noise{0};
};

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

TEST_CASE("schedules give Python's values for 1,000 steps") {
  const auto name = GENERATE(as<std::string>{}, "step", "multi_step", "constant", "linear", "exponential", "polynomial",
                             "cosine_annealing", "cosine_annealing_warm_restarts", "one_cycle", "cyclic", "lambda",
                             "multiplicative", "sequential", "chained", "reduce_on_plateau", "warmup");
  const json cases = golden::load("schedulers/" + name);
  for (const json& test : cases) {
    INFO(name << " " << test["options"].dump());
    Run run(test);
    for (int64_t n = 0; n <= 1000; ++n) {
      if (n > 0) run.step(n);
      for (std::size_t g = 0; g < run.target.lrs.size(); ++g) {
        const double lr = run.target.lrs[g], wanted = test["lr"][g][n];
        if (!near(lr, wanted)) FAIL("step " << n << ", group " << g << ": lr " << lr << ", Python has " << wanted);
        if (!test.contains("momentum")) continue;
        const double momentum = run.target.momenta[g], expected = test["momentum"][g][n];
        if (!near(momentum, expected)) FAIL("step " << n << ": momentum " << momentum << ", Python has " << expected);
      }
      REQUIRE(run.schedule->last_lr() == run.target.lrs);
    }
  }
}

TEST_CASE("a schedule that is loaded continues bit for bit") {
  for (const auto& spec : schedule_table()) {
    const json cases = golden::load("schedulers/" + spec.id);
    for (const json& test : cases) {
      INFO(spec.id << " " << test["options"].dump());
      Run whole(test), second(test);
      for (int64_t n = 1; n <= 500; ++n) whole.step(n);
      second.schedule->load_state_dict(json::parse(whole.schedule->state_dict().dump()));
      second.target.lrs = whole.target.lrs;
      second.target.momenta = whole.target.momenta;
      second.noise = whole.noise;
      for (int64_t n = 501; n <= 1000; ++n) {
        whole.step(n);
        second.step(n);
        REQUIRE(second.target.lrs == whole.target.lrs);
        REQUIRE(second.target.momenta == whole.target.momenta);
      }
    }
  }
}
