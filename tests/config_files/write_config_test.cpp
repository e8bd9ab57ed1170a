#include "host/config_files/write_config.hpp"

#include "catch.hpp"
#include "host/config_files/config_file.hpp"
#include "tests/compose/fake_source.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {
std::vector<Setting> some_settings() {
  return {said("model.depth", "34"),
          said("callback.best", "keeper"),
          said("callback.stopper", false),
          said("logger", "board"),
          said("trainer.limit_train_batches", 1),
          said("trainer.overfit_batches", 0.5),
          said("model.token", "hunter2"),
          said("data.batch_size", 8)};
}
}  // namespace

TEST_CASE("the written configuration says where each value came from") {
  FakeSource source;
  const BuiltRun run = built(source, some_settings());
  for (const char* name : {"a.json", "a.yaml", "a.toml"}) {
    const std::string text = write_config(config_tree(run), name);
    INFO(text);
    CHECK_THAT(text, ContainsSubstring("/fake/net.so:net"));
    const std::string mark = name == std::string("a.json") ? "// " : "# ";
    CHECK_THAT(text, ContainsSubstring(mark + "--model.depth"));
    CHECK_THAT(text, ContainsSubstring(mark + "default"));
    CHECK_THAT(text, ContainsSubstring("token is a secret and not shown: --model.token"));
    CHECK_THAT(text, !ContainsSubstring("hunter2"));
    CHECK_THAT(text, ContainsSubstring("keeper is off: in favour of callback.best"));
  }
}

TEST_CASE("the written configuration, given back, makes the same run in each format") {
  FakeSource source;
  auto settings = some_settings();
  settings.erase(settings.end() - 2);  // the secret is not written
  const auto first = built(source, settings);
  for (const char* name : {"a.json", "a.yaml", "a.toml"}) {
    const std::string text = write_config(config_tree(first), name);
    INFO(text);
    const auto again = build_run(request_of(settings_from_config(parse_config(text, name), name, rank_file)), source);
    auto expected = to_json(first.config), got = to_json(again.config);
    for (const char* said_otherwise : {"origins", "loader_given"}) {
      expected.erase(said_otherwise);
      got.erase(said_otherwise);
    }
    CHECK(got == expected);
  }
}

TEST_CASE("each value is read as it was written") {
  const json values = {"",
                       "plain",
                       "two words",
                       "no",
                       "~",
                       "null",
                       "1e3",
                       "a: b",
                       "#x",
                       "\"q\"\\",
                       "line\nbreak",
                       "\xc3\xa9\x01",
                       "-",
                       "./a.so",
                       "a:b",
                       "0x10",
                       "\x7f",
                       true,
                       false,
                       0,
                       -3,
                       1e-9,
                       2.0,
                       1e300,
                       json::array(),
                       {1, 2},
                       {{"a", {{"b", 1}, {"two words", "x"}}}},
                       {{"y", {1, "no"}}}};
  for (const char* name : {"a.json", "a.yaml", "a.toml"}) {
    ConfigLine root;
    for (size_t i = 0; i < values.size(); ++i)
      root.members.push_back({"k " + std::to_string(i), values[i], "a comment"});
    const std::string text = write_config(root, name);
    INFO(text);
    const json read = parse_config(text, name).value;
    for (size_t i = 0; i < values.size(); ++i) CHECK(read.at("k " + std::to_string(i)) == values[i]);
  }
}

TEST_CASE("a line that is off sets nothing, and is valid without its comment mark") {
  ConfigLine trainer{"trainer"};
  trainer.members = {{"a", json(1), "", true}, {"b", json(2)}, {"c", json(3), "help", true}};
  ConfigLine root;
  root.members = {{"first", json("x")}, trainer};
  for (const char* name : {"a.json", "a.yaml", "a.toml"}) {
    std::string text = write_config(root, name);
    INFO(text);
    CHECK(parse_config(text, name).value == json{{"first", "x"}, {"trainer", {{"b", 2}}}});
    const std::string mark = name == std::string("a.json") ? "// \"" : "# ";
    for (const std::string key : {"a", "c"}) {
      const size_t at = text.find(mark + key);
      REQUIRE(at != std::string::npos);
      text.erase(at, mark.find('"') == std::string::npos ? 2 : 3);
    }
    INFO(text);
    CHECK(parse_config(text, name).value == json{{"first", "x"}, {"trainer", {{"a", 1}, {"b", 2}, {"c", 3}}}});
  }
}
