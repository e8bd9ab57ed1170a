#include <set>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/optim/lr_schedulers/lr_scheduler.hpp"
#include "errors/code_of.hpp"
#include "levin/detail/task_options.hpp"
#include "plain_target.hpp"

using namespace levin::core;
using nlohmann::json;

TEST_CASE("the option of supervised tasks has every schedule that needs no function of the model, and none") {
  std::set<std::string> option, known = {"none"};
  for (const char* const* id = levin::detail::builtin_scheduler_ids; *id; ++id) option.insert(*id);
  for (const OptimSpec& spec : schedule_table())
    if (spec.id != "lambda" && spec.id != "multiplicative") known.insert(spec.id);
  CHECK(option == known);
}

TEST_CASE("schedules are found by their name and by Python's class name") {
  std::set<std::string> names;
  for (const auto& spec : schedule_table()) {
    REQUIRE(names.insert(spec.id).second);
    REQUIRE(names.insert(spec.class_name).second);
  }
  PlainTarget target({0.1});
  for (const char* name : {"step", "StepLR"}) {
    const auto schedule = make_scheduler(name, {{"step_size", 2}}, target);
    REQUIRE(schedule->id() == "step");
    REQUIRE(schedule->name() == "StepLR");
  }
}

TEST_CASE("wrong schedules and options are refused with the valid names") {
  PlainTarget target({0.1, 0.2}, false);
  struct Row {
    std::string name, options, message;
  };
  const Row rows[] = {
      {"one_cicle", "{}", "did you mean 'one_cycle'?"},
      {"nothing_like_it", "{}", "reduce_on_plateau"},
      {"step", "{}", R"(needs the option 'step_size' (steps between two decays), as in {"step_size":10})"},
      {"multi_step", "{}", R"(as in {"milestones":[10,20]})"},
      {"exponential", "{}", R"(as in {"gamma":0.5})"},
      {"cyclic", R"({"max_lr": 1})", "needs the option 'base_lr' (lowest learning rate, or one a group)"},
      {"cyclic", R"({"base_lr": 0, "max_lr": 1, "scale_fn": "x"})", "no 'scale_fn', as a function cannot be given"},
      {"CyclicLR", R"({"base_lr": 0, "max_lr": 1, "scale_mode": "cycle"})", "use the schedule 'lambda'"},
      {"step", R"({"step_size": 0})", "expected int >= 1"},
      {"step", R"({"step_size": 1, "gama": 0.1})", "did you mean 'gamma'?"},
      {"constant", R"({"factor": 2})", "expected float in [0, 1]"},
      {"constant", R"({"factor": 0})", "above 0"},
      {"cosine_annealing", "{}", "needs the option 'T_max'"},
      {"one_cycle", R"({"max_lr": 1})", "needs total_steps"},
      {"one_cycle", R"({"max_lr": 1, "epochs": 3})", "needs total_steps"},
      {"one_cycle", R"({"max_lr": 1, "total_steps": 10})", "no momentum"},
      {"one_cycle", R"({"max_lr": [1], "total_steps": 10, "cycle_momentum": false})", "each of the 2 parameter groups"},
      {"cyclic", R"({"base_lr": 0.1, "max_lr": 1})", "no momentum"},
      {"lambda", "{}", "the model passes them"},
      {"reduce_on_plateau", R"({"factor": 1})", "must be below 1"},
      {"reduce_on_plateau", R"({"mode": "mix"})", "min"},
      {"sequential", R"({"schedulers": [{"name": "exponential", "gamma": 0.9}], "milestones": [3]})",
       "one milestone less"},
      {"sequential", R"({"schedulers": [{"nome": "exponential"}], "milestones": []})", "expected a schedule as"},
      {"chained", R"({"schedulers": [{"name": "reduce_on_plateau"}]})", "needs a metric"},
  };
  for (const auto& row : rows) {
    INFO(row.name << " " << row.options);
    REQUIRE_THROWS_WITH(make_scheduler(row.name, json::parse(row.options), target), ContainsSubstring(row.message));
  }
  CHECK(code_of([&] { make_scheduler("one_cycle", {{"max_lr", 1.0}}, target); }) == "E0231");
}

TEST_CASE("one cycle ends after its steps") {
  PlainTarget target({0.1});
  const auto schedule = make_scheduler("one_cycle", {{"max_lr", 1.0}, {"total_steps", 3}}, target);
  for (int i = 0; i < 3; ++i) schedule->step();
  REQUIRE_THROWS_WITH(schedule->step(), ContainsSubstring("raise total_steps"));
}

TEST_CASE("the run's number of steps serves where a schedule is not told") {
  PlainTarget one({0.1}), two({0.1});
  SchedulerContext context;
  context.total_steps = 40;
  const auto by_run = make_scheduler("one_cycle", json::object(), one, context);
  const auto told = make_scheduler("one_cycle", {{"max_lr", 0.1}, {"total_steps", 40}}, two);
  for (int i = 0; i < 40; ++i) {
    REQUIRE(one.lrs == two.lrs);
    by_run->step();
    told->step();
  }
}

TEST_CASE("what others do to a learning rate is kept by schedules that step from the last value") {
  PlainTarget target({0.1});
  const auto schedule = make_scheduler("exponential", {{"gamma", 0.5}}, target);
  target.lrs[0] = 8;
  schedule->step();
  REQUIRE(target.lrs[0] == 4);
}

TEST_CASE("schedules of one optimizer share its initial learning rates") {
  PlainTarget target({0.1});
  const auto first = make_scheduler("constant", {{"factor", 0.5}, {"total_iters", 100}}, target);
  SchedulerContext context;
  context.factors.push_back([](int64_t) { return 1.0; });
  const auto second = make_scheduler("lambda", json::object(), target, context);
  REQUIRE(target.lrs[0] == 0.1);
}

TEST_CASE("groups that join later follow the schedules that need no initial learning rate") {
  PlainTarget target({0.1});
  const auto schedule = make_scheduler("exponential", {{"gamma", 0.5}}, target);
  SchedulerContext context;
  context.factors.push_back([](int64_t) { return 2.0; });
  target.lrs.push_back(1.0);
  target.momenta.push_back(0.9);
  schedule->step();
  REQUIRE(target.lrs == std::vector<double>{0.05, 0.5});
}

TEST_CASE("a warm-up in front of a plateau passes on metrics only afterwards") {
  PlainTarget target({1.0});
  const json after = {{"name", "reduce_on_plateau"}, {"patience", 0}, {"factor", 0.5}};
  const auto schedule =
      make_scheduler("warmup", {{"warmup_steps", 2}, {"start_factor", 0.0}, {"after", after}}, target);
  REQUIRE(schedule->needs_metric());
  std::vector<double> seen{target.lrs[0]};
  for (int i = 0; i < 5; ++i) {
    schedule->step(1.0);
    seen.push_back(target.lrs[0]);
  }
  REQUIRE(seen == std::vector<double>{0, 0.5, 1, 1, 0.5, 0.25});
}

TEST_CASE("the state of another schedule is refused") {
  PlainTarget target({0.1}), wide({0.1, 0.2});
  const auto step = make_scheduler("step", {{"step_size", 2}}, target);
  const auto other = make_scheduler("exponential", {{"gamma", 0.5}}, target);
  const auto two = make_scheduler("step", {{"step_size", 2}}, wide);
  REQUIRE_THROWS_WITH(step->load_state_dict(other->state_dict()), ContainsSubstring("'exponential'"));
  REQUIRE_THROWS_WITH(step->load_state_dict(two->state_dict()), ContainsSubstring("2 parameter groups, here are 1"));
  REQUIRE_THROWS_WITH(step->load_state_dict(json::object()), ContainsSubstring("does not fit"));
}

TEST_CASE("a schedule goes on with multiplied rates as one that began with them") {
  const json cosine = {{"name", "cosine_annealing"}, {"T_max", 20}}, linear = {{"name", "linear"}, {"total_iters", 4}};
  struct Row {
    std::string name;
    json options;
  };
  const Row rows[] = {
      {"step", {{"step_size", 2}}},
      {"multi_step", {{"milestones", {2, 7}}}},
      {"exponential", {{"gamma", 0.9}}},
      {"polynomial", {{"total_iters", 20}}},
      {"constant", {{"total_iters", 6}}},
      {"linear", {{"total_iters", 6}}},
      {"cosine_annealing", {{"T_max", 6}}},
      {"cosine_annealing_warm_restarts", {{"T_0", 4}}},
      {"one_cycle", {{"total_steps", 20}}},
      {"warmup", {{"warmup_steps", 6}, {"after", cosine}}},
      {"warmup", {{"warmup_steps", 2}, {"after", cosine}}},
      {"sequential", {{"schedulers", {linear, cosine}}, {"milestones", {6}}}},
      {"sequential", {{"schedulers", {linear, cosine}}, {"milestones", {3}}}},
      {"chained", {{"schedulers", {linear, cosine}}}},
  };
  for (const Row& row : rows) {
    INFO(row.name << " " << row.options.dump());
    PlainTarget before({0.1}), after({0.2}), whole({0.2});
    const auto saved = make_scheduler(row.name, row.options, before);
    const auto loaded = make_scheduler(row.name, row.options, after);
    const auto expected = make_scheduler(row.name, row.options, whole);
    for (int i = 0; i < 5; ++i) saved->step(), expected->step();
    loaded->load_state_dict(saved->state_dict());
    loaded->scale_rates(2);
    after.lrs = {before.lrs[0] * 2};
    after.set_initial_lr(0, before.initial_lr(0) * 2);
    REQUIRE_FALSE(loaded->has_own_rates());
    for (int i = 0; i < 10; ++i) {
      REQUIRE(after.lrs[0] == Approx(whole.lrs[0]).margin(1e-12));
      loaded->step(), expected->step();
    }
  }
}

TEST_CASE("schedules whose options say the rates have their own") {
  PlainTarget target({0.1});
  CHECK(make_scheduler("cyclic", {{"base_lr", 0.1}, {"max_lr", 1.0}}, target)->has_own_rates());
  const json own = {{"name", "one_cycle"}, {"max_lr", 1.0}, {"total_steps", 3}}, linear = {{"name", "linear"}};
  CHECK(make_scheduler("one_cycle", {{"max_lr", 1.0}, {"total_steps", 3}}, target)->has_own_rates());
  CHECK(make_scheduler("warmup", {{"warmup_steps", 2}, {"after", own}}, target)->has_own_rates());
  CHECK(make_scheduler("sequential", {{"schedulers", {linear, own}}, {"milestones", {2}}}, target)->has_own_rates());
  CHECK(make_scheduler("chained", {{"schedulers", {own, linear}}}, target)->has_own_rates());
}
