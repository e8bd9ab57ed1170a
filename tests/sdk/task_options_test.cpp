#include "levin/detail/task_options.hpp"

#include "catch.hpp"
#include "levin/testing.hpp"

using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

constexpr levin::TaskDefaults recommended = [] {
  levin::TaskDefaults d;
  d.optimizer = "\"sgd\"";
  d.lr = "0.5";
  d.momentum = "0.75";
  d.nesterov = "true";
  d.weight_decay = "0.25";
  return d;
}();

// The optimizer and the schedule passed to the host.
struct Plan {
  levin_status optimizer_answer = LEVIN_OK, scheduler_answer = LEVIN_OK;
  std::string optimizer, scheduler, interval;

  static levin_status add_optimizer(const levin_optim_plan* raw, const levin_optimizer_desc* desc, uint32_t*) {
    auto& plan = *static_cast<Plan*>(raw->ctx);
    plan.optimizer = desc->options_json;
    return plan.optimizer_answer;
  }
  static levin_status add_scheduler(const levin_optim_plan* raw, const levin_scheduler_desc* desc, uint32_t*) {
    auto& plan = *static_cast<Plan*>(raw->ctx);
    plan.scheduler = desc->options_json;
    plan.interval = desc->interval;
    return plan.scheduler_answer;
  }
};

struct Configured : levin::Callback {
  static std::pair<const levin_option*, uint32_t> option_table() {
    static const std::vector<levin_option> all = levin::detail::TaskOptions::declared(recommended);
    return {all.data(), static_cast<uint32_t>(all.size())};
  }
  const levin::detail::TaskOptions options;
  explicit Configured(const levin::Args& o) : options(o, recommended) {}
  void on_fit_start() {}
};
const levin_component configured = levin::callback<Configured>("configured", "for tests");

Plan plan_of(const levin::testing::Options& options, Plan plan = {}) {
  FakeHost host;
  Component component(host, configured, options);
  const auto& object = levin::detail::Holder<Configured, levin::detail::NoExtra>::of(component.self()).object;
  levin_optim_plan raw{};
  raw.size = sizeof raw;
  raw.ctx = &plan;
  raw.run = host.run();
  raw.add_optimizer = &Plan::add_optimizer;
  raw.add_scheduler = &Plan::add_scheduler;
  levin::OptimPlan wrapper(&object.services(), &raw);
  object.options.configure(wrapper);
  return plan;
}

}  // namespace

TEST_CASE("an optimizer gets those of the common options that it has") {
  struct Case {
    const char *optimizer, *options;
  };
  const Case cases[] = {{"sgd", R"({"lr":0.5,"weight_decay":0.25,"momentum":0.75,"nesterov":true})"},
                        {"SGD", R"({"lr":0.5,"weight_decay":0.25,"momentum":0.75,"nesterov":true})"},
                        {"rmsprop", R"({"lr":0.5,"weight_decay":0.25,"momentum":0.75})"},
                        {"adam", R"({"lr":0.5,"weight_decay":0.25})"},
                        {"AdamW", R"({"lr":0.5,"weight_decay":0.25})"},
                        {"adagrad", R"({"lr":0.5,"weight_decay":0.25})"},
                        {"lbfgs", R"({"lr":0.5})"},
                        {"lamb", R"({"lr":0.5,"weight_decay":0.25})"},
                        {"muon", R"({"lr":0.5,"weight_decay":0.25})"},  // its own momentum is not sgd's
                        {"rprop", R"({"lr":0.5})"},
                        {"of_a_plugin", R"({"lr":0.5})"}};
  for (const Case& c : cases) {
    INFO(c.optimizer);
    CHECK(plan_of({{"optimizer", c.optimizer}}).optimizer == c.options);
  }
}

TEST_CASE("an option that the user changed reaches an optimizer that may refuse it") {
  struct Case {
    levin::testing::Options given;
    const char* options;
  };
  const Case cases[] = {
      {{{"optimizer", "adam"}, {"momentum", 0.5}}, R"({"lr":0.5,"weight_decay":0.25,"momentum":0.5})"},
      {{{"optimizer", "lbfgs"}, {"weight_decay", 0.5}}, R"({"lr":0.5,"weight_decay":0.5})"},
      {{{"optimizer", "of_a_plugin"}, {"weight_decay", 0.0}}, R"({"lr":0.5,"weight_decay":0})"},
      {{{"optimizer", "of_a_plugin"}, {"momentum", 0.5}, {"nesterov", false}},
       R"({"lr":0.5,"momentum":0.5,"nesterov":false})"},
      {{{"optimizer", "adam"}, {"nesterov", false}}, R"({"lr":0.5,"weight_decay":0.25})"},  // has no effect
      {{{"optimizer", "lbfgs"}, {"weight_decay", 0.0}}, R"({"lr":0.5})"},
      {{{"optimizer", "lbfgs"}, {"optimizer_options", R"({"max_iter": 5})"}}, R"({"lr":0.5,"max_iter": 5})"}};
  for (const Case& c : cases) {
    INFO(c.options);
    CHECK(plan_of(c.given).optimizer == c.options);
  }
}

TEST_CASE("one cycle leaves the momentum alone where the optimizer has none") {
  const auto schedule = [](const char* optimizer) {
    return plan_of({{"optimizer", optimizer}, {"scheduler", "one_cycle"}}).scheduler;
  };
  for (const char* optimizer : {"sgd", "adam", "adamw", "rmsprop", "nadam", "lion", "muon", "of_a_plugin"})
    CHECK(schedule(optimizer) == R"({"max_lr":0.5,"total_steps":40})");
  for (const char* optimizer : {"adagrad", "lbfgs", "adadelta", "asgd", "rprop"})
    CHECK(schedule(optimizer) == R"({"max_lr":0.5,"total_steps":40,"cycle_momentum":false})");
  CHECK(plan_of({{"scheduler", "one_cycle"}}).interval == "step");
  CHECK(plan_of({{"scheduler", "step"}}).interval == "epoch");
}

TEST_CASE("what a host refuses stands behind the options that it is about") {
  const Plan no_optimizer = {LEVIN_E_INVALID, LEVIN_OK, {}, {}, {}},
             no_schedule = {LEVIN_OK, LEVIN_E_INVALID, {}, {}, {}};
  CHECK_THROWS_WITH(plan_of({{"optimizer", "adan"}}, no_optimizer), "--model.optimizer adan");
  CHECK_THROWS_WITH(plan_of({{"scheduler", "step"}, {"scheduler_options", R"({"gamma": 1})"}}, no_schedule),
                    R"(--model.scheduler step with --model.scheduler_options '{"gamma": 1}')");
  CHECK_THROWS_WITH(plan_of({{"scheduler_options", "[]"}}), ContainsSubstring("not a JSON object"));
}
