// host config: files that are written, shown, compared and checked, and --explain, --profile and include in a run.
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "installation.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

const char* const good_config = "model: {component: toy_net, depth: 34}\ndata: {component: toy_rows, rows: 9}\n";

json shown_config(const Installation& installation, const std::string& words) {
  const Answer answer = installation.host("config show --format json " + words);
  CHECK(answer.code == 0);
  return parse_json(answer.out, "shown");
}

}  // namespace

TEST_CASE("config validate prints all mistakes of a file with line and column, and nearest names") {
  const Installation installation;
  installation.write("bad.yaml", R"(model:
  component: toy_net
  depht: 34
data: {component: toy_rows, rows: many}
trainer:
  max_epoch: 3
  max_steps: x
callback:
  best: toy_sav
  toy_halt: {patience: -1}
trianer: {}
profiles:
  fast: {trainer: {min_epochs: [1]}}
  more: {include: base.yaml}
)");
  const Answer answer = installation.host("config validate bad.yaml");
  CHECK(answer.code == 2);
  const std::vector<std::string> lines = split(answer.out, '\n');
  for (const char* part :
       {"bad.yaml:3:3: model.depht: toy_net has no option 'depht'; did you mean 'depth'?",
        "bad.yaml:4:29: data.rows: 'many' is not valid; expected int in [1, 1000000000]",
        "bad.yaml:6:3: trainer.max_epoch: the trainer has no option 'max_epoch'; did you mean 'max_epochs'?",
        "bad.yaml:7:3: trainer.max_steps: 'x' is not valid", "bad.yaml:9:3: ", "did you mean 'toy_save'?",
        "bad.yaml:10:14: callback.toy_halt.patience: -1 is not valid",
        "bad.yaml:11:1: no such key 'trianer'; did you mean 'trainer'?",
        "bad.yaml:13:20: trainer.min_epochs: [1] is not valid",
        "bad.yaml:14:10: no such key 'include'; it stands at the top of a file", "bad.yaml: 9 errors"})
    CHECK_THAT(answer.out, ContainsSubstring(part));
  CHECK(starts_with(lines[0], "bad.yaml:3:3: "));
  const Answer rows = installation.host("config validate --json bad.yaml");
  CHECK(rows.code == 2);
  const json list = parse_json(rows.out, "rows");
  CHECK(list.size() == 9);
  CHECK(list[0]["file"] == "bad.yaml");
  CHECK(list[0]["line"] == 3);
  CHECK(list[0]["column"] == 3);
  CHECK(list[0]["severity"] == "error");
  CHECK(list[0]["code"] == "E0204");
}

TEST_CASE("config validate accepts what a run accepts, and checks the whole run") {
  const Installation installation;
  installation.write("good.yaml", good_config);
  installation.write("part.yaml", "model: {depth: 34}\ntrainer: {max_epochs: 3}\n");
  installation.write("wrong.yaml", std::string(good_config) + "trainer: {min_epochs: 3, max_epochs: 2}\n");
  installation.write("short.yaml", "model: toy_net\ndata: toy_rows\n");
  installation.write("broken.yaml", "model: [\n");
  installation.write("lost.yaml", "model: toy_nett\n");
  const Answer valid = installation.host("config validate good.yaml");
  CHECK(valid.code == 0);
  CHECK(valid.out == "good.yaml: valid\n");
  const Answer part = installation.host("config validate part.yaml good.yaml");
  CHECK(part.code == 0);
  CHECK_THAT(part.out,
             ContainsSubstring("warning: part.yaml:1:9: model.depth: not checked, because no model is named") &&
                 ContainsSubstring("part.yaml: valid\n") && ContainsSubstring("good.yaml: valid\n"));
  CHECK_THAT(installation.host("config validate wrong.yaml").out,
             ContainsSubstring("wrong.yaml: trainer.min_epochs=3 is more than trainer.max_epochs=2"));
  CHECK_THAT(installation.host("config validate short.yaml").out,
             ContainsSubstring("short.yaml:2:1: --data.rows is required"));
  CHECK(installation.host("config validate short.yaml --data.rows 3").code == 0);
  CHECK_THAT(installation.host("config validate broken.yaml").out,
             ContainsSubstring("broken.yaml:1:8: this bracket is not closed"));
  const Answer lost = installation.host("config validate lost.yaml");
  CHECK(lost.code != 0);
  CHECK_THAT(lost.out, ContainsSubstring("lost.yaml:1:1: ") && ContainsSubstring("did you mean 'toy_net'?"));
  CHECK(installation.host("config validate none.yaml").code == 2);
  CHECK(installation.host("config validate --data.rows 3 short.yaml --verbose good.yaml").out ==
        "short.yaml: valid\ngood.yaml: valid\n");
  CHECK_THAT(installation.host("config validate").error(), ContainsSubstring("name a file"));
  CHECK_THAT(installation.host("config").error(), ContainsSubstring("verbs: new, show, diff, validate, schema"));
  CHECK_THAT(installation.host("config shwo").error(), ContainsSubstring("did you mean 'show'?"));
}

TEST_CASE("config validate goes on behind a file that cannot be read, and names the file in every row") {
  const Installation installation;
  installation.write("lost.yaml", "callback:\n  toy_hat: {patience: 3}\n");
  const Answer answer = installation.host("config validate bin none.yaml lost.yaml");
  CHECK(answer.code == 2);
  CHECK_THAT(answer.out, ContainsSubstring("'bin' is a folder without a config.json") &&
                             ContainsSubstring("bin: 1 error\n") && ContainsSubstring("none.yaml: 1 error\n") &&
                             ContainsSubstring("lost.yaml:2:3: ") && ContainsSubstring("lost.yaml: 1 error\n"));
  const json rows = parse_json(installation.host("config validate --json bin none.yaml lost.yaml").out, "rows");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["file"] == "bin");
  CHECK(rows[1]["file"] == "none.yaml");
  CHECK(rows[2]["file"] == "lost.yaml");
}

TEST_CASE("a misspelt option of the Trainer at the top, and a profile of two files, get their nearest name") {
  const Installation installation;
  installation.write("a.yaml", "profiles: {debug: {}}\n");
  installation.write("b.yaml", "include: a.yaml\nprofiles: {debug: {}, big: {}}\n");
  installation.write("c.yaml", "max_epoch: 3\n");
  CHECK_THAT(installation.host("config validate c.yaml").out, ContainsSubstring("did you mean 'trainer.max_epochs'?"));
  CHECK_THAT(installation.host("config show b.yaml --profile dbug").error(), ContainsSubstring("(known: big, debug)"));
}

TEST_CASE("config show prints the configuration in each format, with the sources on request") {
  const Installation installation;
  installation.write("run.yaml", good_config);
  const json run = shown_config(installation, "run.yaml --max_epochs 3");
  CHECK(run["model"]["depth"] == "34");
  CHECK(run["trainer"]["max_epochs"] == 3);
  for (const std::string format : {"yaml", "toml", "json"}) {
    const Answer answer = installation.host("config show run.yaml --max_epochs 3 --origins --format " + format);
    REQUIRE(answer.code == 0);
    CHECK_THAT(answer.out, ContainsSubstring("run.yaml:1:29") && ContainsSubstring("--max_epochs"));
    installation.write("again." + format, answer.out);
    CHECK(shown_config(installation, "again." + format) == run);
  }
  CHECK_THAT(installation.host("config show run.yaml").out, !ContainsSubstring("run.yaml:1"));
  const json shown = parse_json(installation.host("config show --max_epochs 3 run.yaml --json").out, "shown");
  CHECK(shown == run);
  const Answer printed = installation.host("fit --config run.yaml --max_epochs 3 --print_config --json");
  CHECK(json::parse(printed.out) == run);
  CHECK_THAT(installation.host("config show run.yaml --json --format toml").error(), ContainsSubstring("contradict"));
  CHECK_THAT(installation.host("fit --config run.yaml --json").error(),
             ContainsSubstring("--json is for what --explain and --print_config print"));
  CHECK_THAT(installation.host("config show run.yaml --format xml").error(), ContainsSubstring("there is no 'xml'"));
  CHECK_THAT(installation.host("config show run.yaml --max_epoch 3").error(), ContainsSubstring("did you mean"));
}

TEST_CASE("config diff prints what two configurations differ in") {
  const Installation installation;
  installation.write("a.yaml", good_config);
  installation.write("b.toml", "include = 'a.yaml'\nmodel.lr = 1\n[trainer]\nmax_epochs = 3\n");
  installation.write("c.yaml", "trainer: {max_epochs: 5}\n");
  const Answer answer = installation.host("config diff a.yaml b.toml");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("2 values differ\n") && ContainsSubstring("  model.lr: 0.1 -> 1.0\n") &&
                             ContainsSubstring("  trainer.max_epochs: 12 -> 3\n"));
  CHECK_THAT(installation.host("config diff a.yaml a.yaml").out, ContainsSubstring("0 values differ"));
  const json values = parse_json(installation.host("config diff a.yaml b.toml --json").out, "diff");
  CHECK(values["values"]["trainer.max_epochs"] == json{{"first", 12}, {"second", 3}});
  const json parts = parse_json(installation.host("config diff a.yaml c.yaml --json").out, "diff");
  CHECK(parts["values"]["trainer.max_epochs"] == json{{"second", 5}});
  CHECK_THAT(installation.host("config diff a.yaml c.yaml").out,
             ContainsSubstring("not both name a model") && ContainsSubstring("trainer.max_epochs: (none) -> 5"));
  CHECK_THAT(installation.host("config diff a.yaml").error(), ContainsSubstring("name two files or run folders"));
  CHECK_THAT(installation.host("config diff a.yaml bin").error(), ContainsSubstring("a folder without a config.json"));
}

TEST_CASE("config new writes a file with all options, which changes nothing but what was given") {
  const Installation installation;
  const std::string options =
      "--model toy_net --data toy_rows --data.rows 9 --callback best=toy_halt "
      "--callback.best.patience 7 --max_epochs 3";
  const json expected = shown_config(installation, options);
  for (const std::string name : {"new.yaml", "new.toml", "new.json"}) {
    REQUIRE(installation.host("config new " + name + " " + options).code == 0);
    const std::string text = bytes_of(installation.folder() / name);
    INFO(text);
    CHECK_THAT(text, ContainsSubstring("learning rate") && ContainsSubstring("enable_saving"));
    CHECK(shown_config(installation, name) == expected);
    CHECK_THAT(installation.host("config new " + name + " " + options).error(), ContainsSubstring("already exists"));
    CHECK(installation.host("config new " + name + " " + options + " --force").code == 0);
    CHECK(installation.host("config validate " + name).code == 0);
  }
  const Answer text = installation.host("config new --model toy_net --data toy_rows");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("# rows: null") && ContainsSubstring("required, int in") &&
                           ContainsSubstring("# depth: \"18\"") && ContainsSubstring("# max_epochs: 12"));
  CHECK_THAT(installation.host("config new").error(), ContainsSubstring("no --model is named"));
  CHECK_THAT(installation.host("config new x.txt --model toy_net").error(), ContainsSubstring(".yaml, .toml or .json"));
  CHECK_THAT(installation.host("config new --model toy_net --model.token hunter2").out, !ContainsSubstring("hunter2"));
  CHECK_THAT(installation.host("config new --model toy_net --model.depth 3").error(),
             ContainsSubstring("is not valid"));
}

TEST_CASE("profiles and includes make a run, and --explain names the layers") {
  const Installation installation;
  installation.write("base.yaml", std::string(good_config) + "trainer: {max_epochs: 10}\n");
  installation.write("run.yaml", "include: base.yaml\nprofiles:\n  fast: {trainer: {max_epochs: 1}}\n");
  const Answer answer =
      installation.host("fit --config run.yaml --profile fast --max_epochs 5 --explain max_epochs --explain model",
                        "LEVIN_TRAINER_MAX_EPOCHS=7");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, Catch::Matchers::StartsWith("trainer.max_epochs is 5, from --max_epochs\n"
                                                     "  overrides 7, from LEVIN_TRAINER_MAX_EPOCHS\n"
                                                     "  overrides 1, from run.yaml:3:20\n"
                                                     "  overrides 10, from base.yaml:3:11\n"
                                                     "  overrides 12, recommended by toy_net\n"
                                                     "  overrides null, the default\n"
                                                     "model is org.toy:toy_net ("));
  const Answer rows = installation.host("fit --config run.yaml --profile fast --explain max_epochs --json");
  CHECK(parse_json(rows.out, "rows")[0] ==
        json{{"option", "trainer.max_epochs"},
             {"value", 1},
             {"origin", "run.yaml:3:20"},
             {"others",
              {{{"value", 10}, {"origin", "base.yaml:3:11"}, {"overridden", true}},
               {{"value", 12}, {"origin", "recommended by toy_net"}, {"overridden", true}},
               {{"value", nullptr}, {"origin", "default"}, {"overridden", true}}}}});
  CHECK(shown_config(installation, "run.yaml --profile fast")["trainer"]["max_epochs"] == 1);
  CHECK(shown_config(installation, "run.yaml")["trainer"]["max_epochs"] == 10);
  CHECK_THAT(installation.host("fit --config run.yaml --profile fats").error(),
             ContainsSubstring("did you mean 'fast'?"));
  CHECK_THAT(installation.host("fit " + good + "--profile fast").error(), ContainsSubstring("no file of --config has"));
  CHECK_THAT(installation.host("fit --config run.yaml --explain max_epoch").error(),
             ContainsSubstring("did you mean 'max_epochs'?"));
  const Answer names = installation.host("__complete fit --config run.yaml --profile ''");
  CHECK_THAT(names.out, Catch::Matchers::StartsWith("fast\t"));
}

TEST_CASE("the schema has the options of all plugins found, also of those in --plugins") {
  const Installation installation;
  const json schema = parse_json(installation.host("config schema").out, "schema");
  const json& net = schema["definitions"]["model.org.toy:toy_net"]["properties"];
  CHECK(net.contains("depth"));
  CHECK(net["lr"]["maximum"] == 10);
  CHECK(net.contains("init_from"));
  CHECK(!net["token"].contains("default"));
  CHECK(schema["properties"]["trainer"]["properties"].contains("max_epochs"));
  CHECK(schema["properties"]["trainer"]["properties"].contains("enable_saving"));
  CHECK(installation.host("config schema --output schema.json").code == 0);
  CHECK(parse_json(bytes_of(installation.folder() / "schema.json"), "file") == schema);
  CHECK_THAT(installation.host("config schema --foo").error(), ContainsSubstring("there is no option --foo"));
  installation.write("run.json", "{\"$schema\": \"schema.json\", \"model\": \"toy_net\"}");
  CHECK(installation.host("config show run.json --data toy_rows --data.rows 1").code == 0);
}
