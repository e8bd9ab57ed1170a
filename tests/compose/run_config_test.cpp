#include "core/config/run_config.hpp"

#include "catch.hpp"
#include "fake_source.hpp"
#include "host/compose/saved_run.hpp"

using namespace levin::core;
using nlohmann::json;

TEST_CASE("a run's configuration survives being written and read") {
  FakeSource source;
  auto config = built(source, {said("callback.best", "keeper"), said("ckpt_path", "last")}).config;
  config.ckpt_run = "/runs/0";
  config.resume = "/runs/1";
  config.slurm_job = "17_3";
  config.torchrun_job = "7 /tmp/a";
  const json j = to_json(config);
  CHECK(to_json(run_config_from_json(json::parse(j.dump()), "config.json")) == j);
}

TEST_CASE("secrets are left out of what is saved") {
  FakeSource source;
  const auto config = built(source, {said("model.token", "hunter2")}).config;
  CHECK(to_json(config).dump().find("hunter2") != std::string::npos);
  const json shown = to_json_without_secrets(config);
  CHECK(shown.dump().find("hunter2") == std::string::npos);
  CHECK(shown.at("model").at("options").count("lr") == 1);
}

TEST_CASE("what is not a run's configuration is refused") {
  for (const char* text : {"[]", "{}", R"({"levin": 2})", R"({"levin": "x"})", R"({"levin": 1})"}) {
    CHECK_THROWS_WITH(run_config_from_json(json::parse(text), "config.json"),
                      ContainsSubstring("config.json: not a run's configuration"));
  }
}

TEST_CASE("whatever stands in the place of a value is told by file and key, or is a configuration") {
  FakeSource source;
  const json whole = to_json(
      built(source, {said("callback.best", "keeper"), said("logger", "board"), said("ckpt_path", "last")}).config);
  const json instead[] = {nullptr, true, -1, 1e300, "rm", json::array(), json::object(), json::array({1}), {{"x", 1}}};
  size_t refused = 0;
  const json values = whole.flatten();
  for (const auto& item : values.items()) {
    // Every value, and everything that contains it.
    for (json::json_pointer at(item.key()); !at.empty(); at.pop_back()) {
      for (const json& value : instead) {
        json forged = whole;
        forged[at] = value;
        INFO(at.to_string() << " = " << value);
        try {
          settings_from_run(run_config_from_json(forged, "config.json"));
        } catch (const Error& e) {
          ++refused;
          CHECK(e.kind() == ErrorKind::usage);
          CHECK_THAT(e.what(), ContainsSubstring("config.json") && !ContainsSubstring("json.exception"));
        }
      }
    }
  }
  CHECK(refused > 300);
}

TEST_CASE("a saved run becomes the same run again, and options can be changed") {
  FakeSource source;
  const auto first =
      built(source, {said("model", "coach"), said("trainer.max_time", "00:01:00:00"), said("callback.best", "keeper"),
                     said("trainer.seed_everything", false), said("trainer.enable_progress_bar", false),
                     said("logger", "board"), said("trainer.check_val_every_n_epoch", nullptr)});
  RunRequest request;
  request.recommendations = false;
  request.settings = settings_from_run(first.config);
  const auto again = build_run(request, source);
  auto expected = to_json(first.config), got = to_json(again.config);
  expected.erase("origins");
  got.erase("origins");
  CHECK(got == expected);

  request.settings.push_back(said("trainer.max_epochs", 99));
  request.settings.push_back(said("callback.best.monitor", "acc"));
  const auto changed = build_run(request, source);
  CHECK(changed.config.trainer.at("max_epochs") == 99);
  CHECK(changed.config.callbacks.at(0).options.at("monitor") == "acc");
}
