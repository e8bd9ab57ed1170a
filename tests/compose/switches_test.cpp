// The callbacks and loggers of a run: by default, by name, and by trainer options that components serve.
#include "catch.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "fake_source.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {
using Names = std::vector<std::string>;

Names callbacks(std::vector<Setting> settings) {
  FakeSource source;
  return names(built(source, std::move(settings)).config.callbacks);
}

Names loggers(std::vector<Setting> settings) {
  FakeSource source;
  return names(built(source, std::move(settings)).config.loggers);
}
}  // namespace

TEST_CASE("the callbacks of a run") {
  struct Row {
    std::vector<Setting> settings;
    Names names;
  };
  const std::vector<Row> rows = {
      {{}, {"stopper", "bar", "keeper"}},
      {{said("callback", "clock")}, {"clock", "stopper", "bar", "keeper"}},
      {{said("callback.a", "clock"), said("callback.b", "clock")}, {"a", "b", "stopper", "bar", "keeper"}},
      // options of the user replace the defaults
      {{said("callback.best", "keeper")}, {"best", "stopper", "bar"}},
      {{said("callback.best", "keeper"), said("callback.last", "keeper")}, {"best", "last", "stopper", "bar"}},
      {{said("callback", "dots")}, {"dots", "stopper", "keeper"}},
      {{said("callback", "stopper")}, {"stopper", "bar", "keeper"}},
      {{said("callback.stopper", false)}, {"bar", "keeper"}},
      {{said("callback.stopper", "false")}, {"bar", "keeper"}},
      {{said("callback.stopper", "true")}, {"stopper", "bar", "keeper"}},
      {{said("callback.clock", "true")}, {"clock", "stopper", "bar", "keeper"}},
      {{said("callback.clock", true)}, {"clock", "stopper", "bar", "keeper"}},
      {{said("callback.stopper", "clock")}, {"stopper", "bar", "keeper"}},
      // options served by components
      {{said("trainer.enable_checkpointing", false)}, {"stopper", "bar"}},
      {{said("trainer.enable_checkpointing", "true")}, {"stopper", "bar", "keeper"}},
      {{said("trainer.enable_checkpointing", nullptr)}, {"stopper", "bar", "keeper"}},
      {{said("trainer.enable_progress_bar", false)}, {"stopper", "keeper"}},
      {{said("callback.keeper", false), said("trainer.enable_checkpointing", true)}, {"stopper", "bar", "keeper"}},
      {{said("trainer.max_time", "00:01:00:00")}, {"clock", "stopper", "bar", "keeper"}},
      {{said("callback.t", "clock"), said("trainer.max_time", "00:01:00:00")}, {"t", "stopper", "bar", "keeper"}},
      {{said("trainer.barebones", true)}, {"stopper"}},
      {{said("trainer.fast_dev_run", true)}, {"stopper", "bar", "keeper"}},
  };
  for (const auto& row : rows) {
    INFO((row.settings.empty() ? "nothing" : row.settings.back().key));
    CHECK(callbacks(row.settings) == row.names);
  }
}

TEST_CASE("the loggers of a run") {
  struct Row {
    std::vector<Setting> settings;
    Names names;
  };
  const std::vector<Row> rows = {
      {{}, {"table", "board"}},
      {{said("logger", "board")}, {"board"}},
      {{said("logger.mine", "board"), said("logger", "table")}, {"mine", "table"}},
      {{said("trainer.logger", false)}, {}},
      {{said("trainer.logger", true)}, {"table", "board"}},
      {{said("trainer.logger", false, rank_file), said("logger", "board")}, {"board"}},
      {{said("trainer.fast_dev_run", 2)}, {}},
      {{said("trainer.barebones", true)}, {}},
  };
  for (const auto& row : rows) {
    INFO((row.settings.empty() ? "nothing" : row.settings.back().key));
    CHECK(loggers(row.settings) == row.names);
  }
}

TEST_CASE("a served option reaches the component") {
  FakeSource source;
  auto run = built(source, {said("trainer.max_time", "00:01:00:00")});
  CHECK(run.config.callbacks.front().options == json({{"duration", "00:01:00:00"}}));
  CHECK(run.config.trainer.count("max_time") == 0);
  CHECK(run.config.trainer.at("max_epochs").is_null());
  CHECK(make_run_plan(run.config.trainer, run.config.timed).duration.max_epochs == -1);  // the timer ends the run
  run = built(source, {said("callback.t", "clock"), said("callback.t.duration", "x"), said("trainer.max_time", "x")});
  CHECK(run.config.callbacks.front().options == json({{"duration", "x"}}));
}

TEST_CASE("contradictions about components are refused, naming both sides") {
  struct Row {
    std::vector<Setting> settings;
    const char *first, *second;
  };
  const std::vector<Row> rows = {
      {{said("callback.best", "keeper"), said("trainer.enable_checkpointing", false)},
       "enable_checkpointing",
       "callback.best"},
      {{said("callback.a", "bar"), said("callback.b", "bar")}, "callback.a", "callback.b"},
      {{said("callback.a", "stopper"), said("callback.b", "stopper")}, "callback.a and callback.b", "equal options"},
      {{said("trainer.barebones", true), said("trainer.enable_progress_bar", true)},
       "barebones",
       "enable_progress_bar"},
      {{said("trainer.barebones", true), said("callback", "dots")}, "barebones", "dots"},
      {{said("callback", "clock"), said("callback.clock.duration", "a"), said("trainer.max_time", "b")},
       "max_time",
       "callback.clock.duration"},
      {{said("trainer.enable_checkpointing", "maybe")}, "enable_checkpointing", "maybe"},
  };
  for (const auto& row : rows) {
    INFO(row.first << " and " << row.second);
    CHECK_THROWS_WITH(callbacks(row.settings), ContainsSubstring(row.first) && ContainsSubstring(row.second));
  }
}

TEST_CASE("an option for a component that is off is without effect, and said to be") {
  FakeSource source;
  const auto run = built(source, {said("trainer.enable_checkpointing", false), said("callback.keeper.monitor", "x")});
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings[0] ==
        "--callback.keeper.monitor: no effect, because callback.keeper is off: trainer.enable_checkpointing=false");
}

TEST_CASE("a default component that is not there is left out, with a word") {
  FakeSource source;
  RunRequest request = request_of({});
  request.settings.push_back({"callback.ghost", "ghost", "default.json", rank_default});
  request.settings.push_back({"callback.ghost.monitor", "x", "default.json", rank_default});
  const auto run = build_run(request, source);
  CHECK(names(run.config.callbacks) == Names{"stopper", "bar", "keeper"});
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], ContainsSubstring("default.json: no callback 'ghost'"));
}
