// The input of the engine.
#include "core/base/json.hpp"
#include "core/config/run_config.hpp"
#include "installation.hpp"

using namespace levin::core;

namespace {

RunConfig handed_over(const Answer& answer) {
  REQUIRE(answer.code == 0);
  const size_t start = answer.out.find("\n{");
  REQUIRE(start != std::string::npos);
  return run_config_from_json(parse_json(answer.out.substr(start + 1), "the engine's input"), "the engine's input");
}
}  // namespace

TEST_CASE("a run reaches the engine whole") {
  const Installation installation;
  const Answer answer =
      installation.host(good +
                        "--depth 34 --max_epochs 3 --data.lr 2 --callback best=toy_save --callback.best.monitor x "
                        "--logger toy_log --fast_dev_run --data.batch_size 8 --val_check_interval 0.5");
  const RunConfig config = handed_over(answer);
  CHECK(config.command == Command::run);
  CHECK(config.model.file == (installation.plugins() / "libtoy.so").string());
  CHECK(config.model.options.at("depth") == "34");
  REQUIRE(config.data);
  CHECK(config.data->options.at("rows") == 9);
  CHECK(config.data->options.at("lr") == 2.0);
  CHECK(config.loader.at("batch_size") == 8);
  REQUIRE(config.callbacks.size() == 1);
  CHECK(config.callbacks[0].name == "best");
  CHECK(config.callbacks[0].component == "toy_save");
  CHECK(config.callbacks[0].options.at("monitor") == "x");
  REQUIRE(config.loggers.size() == 1);
  REQUIRE(config.optimizers.size() == 1);
  CHECK(config.optimizers[0].component == "toy_sgd");
  CHECK(config.trainer.at("fast_dev_run") == true);
  CHECK(config.trainer.at("max_steps") == 1);
  CHECK(config.origins.at("model.depth") == "--depth");
  CHECK_THAT(answer.err, ContainsSubstring("host: model toy_net 1.2.3, " + config.model.file));
}

TEST_CASE("a quiet run says nothing before the engine does, and the engine is told") {
  const Installation installation;
  const Answer quiet = installation.host(good + "--quiet");
  CHECK(handed_over(quiet).verbosity == verbosity_quiet);
  CHECK_THAT(quiet.err, !ContainsSubstring("host: model"));
  CHECK(handed_over(installation.host(good + "--verbose")).verbosity == verbosity_verbose);
}

TEST_CASE("the command reaches the engine") {
  const Installation installation;
  for (const char* command : {"fit", "validate", "test", "predict"}) {
    CHECK(handed_over(installation.host(std::string(command) + " " + good)).command == value_named<Command>(command));
  }
}

TEST_CASE("the environment is made before the engine starts, and a user's own is kept") {
  const Installation installation;
  const std::string usual = installation.host(good).out;
  CHECK_THAT(usual,
             ContainsSubstring("OMP_WAIT_POLICY passive") && ContainsSubstring("MALLOC_MMAP_THRESHOLD_ 1073741824"));
  CHECK_THAT(usual, !ContainsSubstring("OMP_NUM_THREADS \n"));
  const std::string own = installation.host(good, "OMP_NUM_THREADS=3 OMP_WAIT_POLICY=active").out;
  CHECK_THAT(own, ContainsSubstring("OMP_NUM_THREADS 3\n") && ContainsSubstring("OMP_WAIT_POLICY active"));
  const std::string option = installation.host(good + "--num_threads 1", "OMP_NUM_THREADS=3").out;
  CHECK_THAT(option, ContainsSubstring("OMP_NUM_THREADS 1\n"));
}

TEST_CASE("several processes are started by the host itself, and a cluster's are not multiplied") {
  const Installation installation;
  const Answer answer = installation.host(good + "--devices 2");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.err, ContainsSubstring("host: 2 processes, "));
  CHECK_THAT(answer.out, ContainsSubstring("[rank 1] words --run-config-fd") && ContainsSubstring("\"devices\":2"));
  CHECK_THAT(answer.out, ContainsSubstring("\nOMP_WAIT_POLICY passive\n"));
  const Answer launched = installation.host(good + "--devices 2", "RANK=1 WORLD_SIZE=2");
  CHECK(handed_over(launched).trainer.at("devices") == 2);
  CHECK_THAT(launched.err, !ContainsSubstring("processes"));
  const Answer both = installation.host(good + "--hosts a,b", "RANK=1 WORLD_SIZE=2");
  CHECK(both.code == 2);
  CHECK_THAT(both.err, ContainsSubstring("another launcher has started this process"));
}

TEST_CASE("the environment gives options below the command line") {
  const Installation installation;
  const std::string environment = "LEVIN_TRAINER_MAX_EPOCHS=7 LEVIN_TRAINER_MAXSTEPS=3";
  const Answer answer = installation.host(good, environment);
  CHECK(handed_over(answer).trainer.at("max_epochs") == 7);
  CHECK_THAT(answer.err,
             ContainsSubstring(
                 "host: warning: LEVIN_TRAINER_MAXSTEPS: the Trainer has no such option; did you mean 'max_steps'?"));
  CHECK(handed_over(installation.host(good + "--max_epochs 9", environment)).trainer.at("max_epochs") == 9);
}

TEST_CASE("a saved run is resumed, with changed options") {
  const Installation installation;
  RunConfig config = handed_over(installation.host("fit " + good + "--callback best=toy_save --max_epochs 3"));
  installation.write("runs/1/config.json", to_json_without_secrets(config).dump(2));
  const RunConfig again = handed_over(installation.host("resume runs/1 --max_epochs 20 --callback.best.monitor y"));
  CHECK(again.resume == (installation.folder() / "runs/1").string());
  CHECK(again.command == Command::fit);
  CHECK(again.trainer.at("max_epochs") == 20);
  CHECK(again.callbacks.at(0).options.at("monitor") == "y");
  CHECK(again.data->options == config.data->options);
  for (const char* words :
       {"resume --max_epochs 20 runs/1", "resume --max_epochs=20 runs/1 --verbose",
        "resume --verbose runs/1 --max_epochs 20", "resume --max_epochs 20 --fast_dev_run runs/1"}) {
    INFO(words);
    const RunConfig later = handed_over(installation.host(words));
    CHECK(later.resume == (installation.folder() / "runs/1").string());
    CHECK((later.trainer.at("max_epochs") == 20 || later.trainer.at("fast_dev_run") == true));
  }
  CHECK_THAT(installation.host("resume --max_epochs 20").error(), ContainsSubstring("no run folder is named"));
  const std::string newest = (installation.folder() / "runs/1").string();
  CHECK_THAT(installation.host("resume runs").error(),
             ContainsSubstring("is not a run folder: it has no config.json; its newest run: host resume " + newest));
  CHECK_THAT(installation.host("resume runs/1 runs/1").error(),
             ContainsSubstring("takes one run folder, but two are given: "));
  const Answer other = installation.host("resume runs/1 --model toy_net");
  CHECK(other.code == 2);
  CHECK_THAT(other.error(), ContainsSubstring("uses the components of the saved run"));
}

TEST_CASE("the folder of an evaluation is not resumed, and its way to be repeated is told") {
  const Installation installation;
  const RunConfig config = handed_over(installation.host("test " + good));
  installation.write("runs/1/config.json", to_json_without_secrets(config).dump(2));
  const Answer answer = installation.host("resume runs/1");
  CHECK(answer.code == 2);
  CHECK_THAT(answer.error(),
             ContainsSubstring("is a run of `host test`, which trains nothing") &&
                 ContainsSubstring("host test --config " + (installation.folder() / "runs/1/config.json").string()));
}

TEST_CASE("items of a list that is given twice come together") {
  const Installation installation;
  const RunConfig config =
      handed_over(installation.host(good + "--tags a --max_epochs 2 --tags 'b, c' --tags '[\"d,e\"]'"));
  CHECK(config.trainer.at("tags") == nlohmann::json({"a", "b", "c", "d,e"}));
}

TEST_CASE("a run is repeated from its own config.json") {
  const Installation installation;
  const RunConfig config = handed_over(installation.host("test " + good +
                                                         "--depth 34 --callback best=toy_save --logger toy_log "
                                                         "--max_epochs 3 --seed_everything 7"));
  installation.write("runs/1/config.json", to_json_without_secrets(config).dump(2));
  const RunConfig again = handed_over(installation.host("fit --config runs/1/config.json --data.rows 5"));
  CHECK(again.command == Command::fit);
  CHECK(!again.resume);
  CHECK(again.model.options == config.model.options);
  CHECK(again.data->options.at("rows") == 5);
  CHECK(again.trainer == config.trainer);
  CHECK(again.loader == config.loader);
  REQUIRE(again.callbacks.size() == config.callbacks.size());
  CHECK(again.callbacks.at(0).name == "best");
  REQUIRE(again.loggers.size() == 1);
  CHECK(again.origins.at("trainer.max_epochs") == "runs/1/config.json");
}

TEST_CASE("a default component is the one that comes with Levin, and a foreign one of that id has a full name") {
  const Installation installation;
  installation.add_plugin("documented_foreign", "libforeign.so");
  installation.add_plugin("documented", "libdocumented.so");
  const auto files = [&](const std::string& words) {
    std::vector<std::string> out;
    for (const auto& c : handed_over(installation.host(good + words)).callbacks)
      out.push_back(c.name + " " + std::filesystem::path(c.file).filename().string());
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(files("").empty());
  CHECK(files("--callback org.example:early_stopping") == Names{"early_stopping libforeign.so"});
  installation.add_plugin("documented_stopping", "libstopping.so");
  CHECK(files("") == Names{"early_stopping libstopping.so"});
  CHECK(files("--callback.early_stopping.patience 4") == Names{"early_stopping libstopping.so"});
  CHECK(files("--callback a=org.example:early_stopping") == Names{"a libforeign.so", "early_stopping libstopping.so"});
  const Answer answer = installation.host(good + "--callback early_stopping");
  CHECK(answer.code == 3);
  CHECK_THAT(answer.error(), ContainsSubstring("libforeign.so and in ") &&
                                 ContainsSubstring("libstopping.so; name one: "
                                                   "org.example:early_stopping, levin.early_stopping:early_stopping"));
  CHECK_THAT(installation.host("help org.example:early_stopping").out,
             ContainsSubstring("(org.example:early_stopping)") && !ContainsSubstring("libstopping.so"));
  CHECK_THAT(installation.host("help early_stopping").out,
             ContainsSubstring("libforeign.so") && ContainsSubstring("libstopping.so"));
  CHECK_THAT(installation.host("plugins").out, ContainsSubstring("callback early_stopping (org.example 1.0.0)"));
  CHECK_THAT(installation.host("fit org.toy:toy_net").error(),
             ContainsSubstring("did you mean --model org.toy:toy_net?"));
}

TEST_CASE("plugins are found by file, by file and component, and in given folders") {
  const Installation installation;
  std::filesystem::create_directories(installation.folder() / "elsewhere");
  std::filesystem::copy_file(installation.plugins() / "libtoy.so", installation.folder() / "elsewhere" / "libother.so");
  for (const char* model : {"toy_net", "libtoy.so", "libtoy.so:toy_net", "lib/levin/plugins/libtoy.so",
                            "./lib/levin/plugins/libtoy.so:toy_net"}) {
    INFO(model);
    const auto config = handed_over(installation.host(std::string("--model ") + model + " --data toy_rows --rows 1"));
    CHECK(config.model.file == (installation.plugins() / "libtoy.so").string());
  }
  const auto config =
      handed_over(installation.host("--model libother.so --data toy_rows --rows 1 --plugins elsewhere"));
  CHECK(config.model.file == (installation.folder() / "elsewhere" / "libother.so").string());
  CHECK(config.plugin_dirs == std::vector<std::string>{(installation.folder() / "elsewhere").string()});
}
