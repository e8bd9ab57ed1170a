#include "host/compose/setting.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {
std::vector<Setting> read(const std::string& text) {
  return settings_from_config(parse_json_document(text, "run.json"), "run.json", rank_file);
}

std::vector<std::string> keys(const std::vector<Setting>& settings) {
  std::vector<std::string> out;
  for (const auto& s : settings) out.push_back(s.key);
  return out;
}
}  // namespace

TEST_CASE("a configuration file is the nested form of the options, in its own order") {
  const auto settings = read(R"({
    "model": {"component": "net", "depth": 18},
    "data": "libdigits.so",
    "callback": {"late": {"component": "keeper", "monitor": "x"}, "early": "stopper", "bar": false, "clock": {"duration": 1}},
    "logger": {"table": {}},
    "trainer": {"max_epochs": 3},
    "seed_everything": 7,
    "ckpt_path": "best"
  })");
  CHECK(keys(settings) == std::vector<std::string>{"model", "model.depth", "data", "callback.late",
                                                   "callback.late.monitor", "callback.early", "callback.bar",
                                                   "callback.clock", "callback.clock.duration", "logger.table",
                                                   "trainer.max_epochs", "trainer.seed_everything", "ckpt_path"});
  CHECK(settings[1].value == 18);
  CHECK(settings[1].origin == "run.json:2:35");
  CHECK(settings[6].value == false);
  CHECK(settings[10].origin == "run.json:6:17");
}

TEST_CASE("dotted keys say the same") {
  const auto settings = read(R"({"trainer.max_epochs": 3, "callback.best.monitor": "x"})");
  CHECK(keys(settings) == std::vector<std::string>{"trainer.max_epochs", "callback.best.monitor"});
}

TEST_CASE("no logger at all is the Trainer's logger option") {
  CHECK(keys(read(R"({"logger": false})")) == std::vector<std::string>{"trainer.logger"});
}

TEST_CASE("a configuration of another shape is refused with its line") {
  struct Row {
    const char *text, *message;
  };
  const std::vector<Row> rows = {
      {"[1]", "run.json:1:1: a configuration is a JSON object"},
      {"{\n\"trianer\": {}}", "run.json:2:1: no such key 'trianer'; did you mean 'trainer'?"},
      {"{\"trainer\": 3}", "run.json:1:2: 'trainer' is an object of options"},
      {"{\"callback\": [1]}", "'callback' is an object of instances"},
      {"{\"model\": 3}", "'model' is the name of a component or an object"},
      {"{\n\"callback\": {\n\"x\": 3}}", "run.json:3:1: 'callback.x' is the name of a component or an object"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK_THROWS_WITH(read(row.text), ContainsSubstring(row.message));
  }
}

TEST_CASE("the environment gives options of the Trainer") {
  std::vector<std::string> unknown;
  const auto settings = settings_from_environment({{"LEVIN_TRAINER_MAX_EPOCHS", "7"},
                                                   {"PL_TRAINER_MAX_EPOCHS", "8"},
                                                   {"PL_TRAINER_BLABLA", "1"},
                                                   {"LEVIN_TRAINER_BLABLA", "1"},
                                                   {"LEVIN_TRAINER_MAX_STEPS", ""},
                                                   {"HOME", "/"}},
                                                  {"max_epochs", "max_steps"}, unknown);
  REQUIRE(settings.size() == 2);
  CHECK(settings[1].origin == "LEVIN_TRAINER_MAX_EPOCHS");  // the last one takes effect
  CHECK(settings[1].value == "7");
  CHECK(unknown == std::vector<std::string>{"LEVIN_TRAINER_BLABLA"});
}
