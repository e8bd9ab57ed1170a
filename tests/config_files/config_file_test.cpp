// Configurations in JSON, YAML and TOML: the same document, and errors with their place.
#include "host/config_files/config_file.hpp"

#include "catch.hpp"
#include "host/compose/setting.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

std::string nested(const std::string& open, const std::string& close, int depth) {
  std::string out;
  for (int i = 0; i < depth; ++i) out += open;
  for (int i = 0; i < depth; ++i) out += close;
  return out;
}

void refused(const char* name, const std::string& text, const std::string& message) {
  INFO(text.substr(0, 200));
  try {
    parse_config(text, name);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK_THAT(error.what(), ContainsSubstring(message));
  }
}

}  // namespace

TEST_CASE("the three formats give the same settings, in the order of the file") {
  const char* files[][2] = {{"run.json", R"({"model": {"component": "mlp", "lr": 1e-3},
  "trainer": {"max_epochs": 3, "precision": "bf16-mixed", "limit_val_batches": 0.5, "deterministic": true},
  "callback": {"best": {"component": "model_checkpoint", "monitor": null}},
  "data": {"component": "mnist", "mean": [0.5, 1]}})"},
                            {"run.yaml", R"(# a comment
model: {component: mlp, lr: 1e-3}
trainer:
  max_epochs: 3
  precision: bf16-mixed
  limit_val_batches: 0.5
  deterministic: true
callback:
  best:
    component: "model_checkpoint"
    monitor:
data:
  component: mnist
  mean:
    - 0.5
    - 1
)"},
                            {"RUN.TOML", R"(model = {component = "mlp", lr = 1e-3}
[trainer]
max_epochs = 3
precision = "bf16-mixed"
limit_val_batches = 0.5
deterministic = true
[callback.best]
component = "model_checkpoint"
[data]
component = "mnist"
mean = [0.5, 1]
)"}};
  const json expected = {{"model", "mlp"},
                         {"model.lr", 1e-3},
                         {"trainer.max_epochs", 3},
                         {"trainer.precision", "bf16-mixed"},
                         {"trainer.limit_val_batches", 0.5},
                         {"trainer.deterministic", true},
                         {"callback.best", "model_checkpoint"},
                         {"data", "mnist"},
                         {"data.mean", {0.5, 1}}};
  for (const auto& [name, text] : files) {
    INFO(name);
    json seen;
    std::vector<std::string> order;
    for (const Setting& setting : settings_from_config(parse_config(text, name), name, rank_file)) {
      if (setting.key == "callback.best.monitor") continue;  // TOML has no null
      seen[setting.key] = setting.value;
      order.push_back(setting.key);
    }
    CHECK(seen == expected);
    CHECK(order.front() == "model");
    CHECK(order.back() == "data.mean");
  }
}

TEST_CASE("a setting names the line and the column of its key") {
  const auto line_of = [](const char* name, const char* text) {
    return settings_from_config(parse_config(text, name), name, rank_file).back().origin;
  };
  CHECK(line_of("a.yml", "model: mlp\n\ntrainer:\n  max_epochs: 3\n") == "a.yml:4:3");
  CHECK(line_of("a.toml", "model = 'mlp'\n\n[trainer]\nmax_epochs = 3\n") == "a.toml:4:1");
  CHECK(line_of("a.toml", "model = 'mlp'\ntrainer.max_epochs = 3\n") == "a.toml:2:9");
}

TEST_CASE("plain values of YAML are those of its core schema") {
  const json value =
      parse_config(
          "a: no\nb: '3'\nc: 0x1F\nd: 0o17\ne: 1.\nf: -.5e2\ng: .inf\nh: ~\ni: True\nj: 007\nk: !!str 5\n"
          "l: 12:30\nm: +4\nn: 2024-01-01\no: &x [1]\np: *x\n",
          "a.yaml")
          .value;
  CHECK(value == json{{"a", "no"},
                      {"b", "3"},
                      {"c", 31},
                      {"d", 15},
                      {"e", 1.0},
                      {"f", -50.0},
                      {"g", "inf"},
                      {"h", nullptr},
                      {"i", true},
                      {"j", 7},
                      {"k", "5"},
                      {"l", "12:30"},
                      {"m", 4},
                      {"n", "2024-01-01"},
                      {"o", {1}},
                      {"p", {1}}});
}

TEST_CASE("what no configuration can have is refused with its place") {
  refused("a.yaml", "model: mlp\nmodel: cnn\n", "a.yaml:2:1: 'model' is given twice");
  refused("a.yaml", "model: [mlp\n", "a.yaml:1:8: this bracket is not closed");
  refused("a.yaml", "a: 1\nmodel: {component: mlp\ndata: mnist\n", "a.yaml:2:8: this bracket is not closed");
  refused("a.yaml", "a: {b: [1, {c: 2}\n", "a.yaml:1:8: this bracket is not closed");
  refused("a.yaml", "model: mlp\n  data: x\n", "a.yaml:2:7: this is no YAML: ");
  refused("a.yaml", "\tmodel: mlp\n", "a.yaml:1:1: a tab indents this line");
  refused("a.yaml", "trainer:\n  \tmax_epochs: 3\n", "a.yaml:2:3: a tab indents this line");
  refused("a.yaml", "- mlp\n", "a.yaml:1:1: a configuration is a YAML mapping");
  refused("a.yaml", "a: 1\n---\nb: 2\n", "a.yaml:2:1: the YAML document ends before this");
  // yaml-cpp finds documents without end here.
  refused("a.yaml", "{a}, b", "a.yaml:1:4: the YAML document ends before this");
  refused("a.yaml", "b:\n  a: 'x\n  c: 1\n", "a.yaml:2:6: the quotation mark is not closed");
  refused("a.yaml", "a: \"x\nc: 1\n", "a.yaml:1:4: the quotation mark is not closed");
  refused("a.yaml", "a: 'it''s\nc: \"\\\"\"\n", "a.yaml:1:4: the quotation mark is not closed");
  refused("a.yaml", "a: !!python/object:os.system x\n",
          "the tag tag:yaml.org,2002:python/object:os.system is not read");
  refused("a.yaml", "a: &x {b: 1}\nc:\n  <<: *x\n", "a.yaml:3:3: merge keys (<<) are not read");
  refused("a.yaml", "? [a]\n: 1\n", "a.yaml:1:3: a key is a word");
  refused("a.yaml", "a: !!int abc\n", "a.yaml:1:4: 'abc' is not what its tag says");
  refused("a.yaml", "a: \"b\xff\"\n", "a.yaml:1:");
  refused("a.yaml", "\"\xff\": 1\n", "a.yaml:1:1: the key is not UTF-8");
  refused("a.yaml", "a: *x\n", "a.yaml:1:4: this is no YAML: ");
  refused("a.yaml", "a: " + nested("[", "]", 300), "nested deeper than 100 levels");
  refused("a.yaml", "a: " + nested("[", "]", 100000), "a.yaml:1:");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) bomb += ", " + before;
    bomb += "]\n";
  }
  refused("a.yaml", bomb, "there are more than 20000 values");
  refused("a.yaml", "a: &a [*a]\n", "nested deeper than 100 levels");
  refused("a.yaml", "a: &a {b: *a}\n", "nested deeper than 100 levels");
  std::string long_text = "a: &a " + std::string(1 << 20, 'x') + "\nb: [*a";
  for (int i = 0; i < 100; ++i) long_text += ", *a";
  refused("a.yaml", long_text + "]\n", "the texts have more than 16 MiB");
  for (const char* name : {"a.yaml", "a.toml", "a.json"})
    refused(name, std::string((4 << 20) + 1, ' '), "the file has more than 4 MiB");
  refused("a.yaml", std::string("\177ELF\0\1\2\xff\xfe", 9), "a.yaml:1:");

  refused("a.toml", "model = 'a'\nmodel = 'b'\n", "a.toml:2:");
  refused("a.toml", "model = \n", "a.toml:1:");
  refused("a.toml", "a = 2024-01-01\n", "a.toml:1:5: dates and times are not read");
  refused("a.toml", "a = " + nested("[", "]", 150), "a.toml:1:");
  refused("a.toml", "a = " + nested("[", "]", 100000), "a.toml:1:");
  refused("a.json", "{\"a\": 1,}", "a.json:1:9");
  refused("a.json", "{\"a\": 1e400}", "a.json:1:11: the number '1e400' is too large");
}

TEST_CASE("an empty YAML or TOML file sets nothing") {
  for (const char* text : {"", "# trainer: {max_epochs: 3}\n"})
    for (const char* name : {"run.yaml", "run.toml"}) CHECK(parse_config(text, name).value == json::object());
}

TEST_CASE("a text with a NUL is refused in each format") {
  for (const char* name : {"run.yaml", "run.toml", "run.json"})
    refused(name, std::string("#\n# ä\0\n", 8), std::string(name) + ":2:4: here is a NUL character");
  refused("run.json", R"({"model": {"lr": "a\u0000b"}})", "run.json:1:12: a text has a NUL character");
  refused("run.json", R"({"a\u0000b": 1})", "a text has a NUL character");
  refused("run.yaml", R"(model: "a\0b")", "run.yaml:1:1: a text has a NUL character");
  refused("run.toml", R"(model = "a\u0000b")", "run.toml:1:1: a text has a NUL character");
}

TEST_CASE("columns count characters in every format") {
  refused("a.yaml", "{täß: 1, täß: 2}\n", "a.yaml:1:10: ");
  refused("a.json", "{\"täß\": 1, \"täß\": 2}", "a.json:1:12: ");
  refused("a.json", "{\"täß\": 1,}", "a.json:1:11");
  refused("a.toml", "x = {\"täß\" = 1, \"täß\" = 2}\n", "a.toml:1:25: ");
  const auto column_of = [](const char* name, const char* text) {
    return parse_config(text, name).places.at("a/b").column;
  };
  CHECK(column_of("a.yaml", "a: {täß: 1, b: 2}\n") == 13);
  CHECK(column_of("a.json", "{\"a\": {\"täß\": 1, \"b\": 2}}") == 18);
  CHECK(column_of("a.toml", "a = {\"täß\" = 1, b = 2}\n") == 17);
}

TEST_CASE("the elements of a list have places of their own") {
  const auto column_of = [](const char* name, const char* text, const char* path) {
    return parse_config(text, name).places.at(path).column;
  };
  CHECK(column_of("a.yaml", "a: [{b: 1}, {b: 2}]\n", "a/0/b") == 6);
  CHECK(column_of("a.yaml", "a: [{b: 1}, {b: 2}]\n", "a/1/b") == 14);
  CHECK(column_of("a.toml", "a = [{b = 1}, {b = 2}]\n", "a/1/b") == 16);
  CHECK(column_of("a.json", "{\"a\": [{\"b\": 1}, {\"b\": 2}]}", "a/1/b") == 19);
}
