// help, plugins, inspect and print_config: answers about plugins without running their code.
#include "core/base/json.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "installation.hpp"

using levin::core::parse_json;

TEST_CASE("help says what there is") {
  const Installation installation;
  CHECK_THAT(installation.host("--help").out, ContainsSubstring("--model X") && ContainsSubstring("resume RUN_DIR"));
  CHECK(installation.host("-h").out == installation.host("--help").out);
  CHECK(installation.host("help").out == installation.host("--help").out);
  CHECK(installation.host("--help resume").out == installation.host("help resume").out);
  CHECK_THAT(installation.host("fit --help").out, ContainsSubstring("usage: host fit"));
  CHECK_THAT(installation.host("help resume").out, ContainsSubstring("usage: host resume RUN_DIR"));
  CHECK_THAT(installation.host("--version").out, ContainsSubstring("host ") && ContainsSubstring("ABI 0."));
}

TEST_CASE("help on options names types, ranges, defaults and meanings") {
  const Installation installation;
  const std::string net = installation.host("help toy_net").out;
  CHECK_THAT(net, ContainsSubstring("--model.depth\n      one of: 18, 34 (default \"18\")\n      how deep"));
  CHECK_THAT(net, ContainsSubstring("--model.lr\n      float in [0, 10] (default 0.1)"));
  CHECK_THAT(net, ContainsSubstring("--trainer.max_epochs 12"));
  CHECK_THAT(installation.host("help toy_rows").out, ContainsSubstring("int >= 1") || ContainsSubstring("int in [1,"));
  CHECK_THAT(installation.host("help libtoy.so").out,
             ContainsSubstring("callback toy_halt") && ContainsSubstring("logger toy_log"));
  const std::string trainer = installation.host("help trainer").out;
  CHECK_THAT(trainer, ContainsSubstring("--trainer.max_epochs") && ContainsSubstring("--trainer.enable_saving"));
  CHECK_THAT(installation.host("help data").out, ContainsSubstring("--data.batch_size"));
}

TEST_CASE("help says what one option is, wherever it is one") {
  const Installation installation;
  CHECK_THAT(installation.host("help max_epochs").out,
             ContainsSubstring("--trainer.max_epochs\n      int >= -1 or null"));
  CHECK(installation.host("help trainer.max_epochs").out == installation.host("help max_epochs").out);
  CHECK_THAT(installation.host("help lr").out,
             ContainsSubstring("model toy_net\n  --model.lr\n") && ContainsSubstring("data toy_rows\n  --data.lr\n"));
  CHECK_THAT(installation.host("help model.lr").out, !ContainsSubstring("--data.lr"));
  CHECK_THAT(installation.host("help patience").out, ContainsSubstring("--callback.toy_halt.patience"));
  CHECK_THAT(installation.host("help batch_size").out, ContainsSubstring("--data.batch_size"));
  CHECK_THAT(installation.host("help enable_saving").out, ContainsSubstring("--trainer.enable_saving"));
  CHECK_THAT(installation.host("help init_from").out, ContainsSubstring("--model.init_from\n"));
  CHECK_THAT(installation.host("help ckpt_path").out, ContainsSubstring("--ckpt_path X\n"));
  for (const char* words : {"help precision", "help precision --json"})  // also a metric
    CHECK_THAT(installation.host(words).out, ContainsSubstring("metric") && ContainsSubstring("--trainer.precision"));
}

TEST_CASE("help names the optimizers and schedules, and the options of each") {
  const Installation installation;
  const std::string optimizers = installation.host("help optimizers").out,
                    schedules = installation.host("help schedules").out;
  CHECK_THAT(optimizers, ContainsSubstring("  adamw\n      Adam with decoupled weight decay."));
  CHECK_THAT(schedules, ContainsSubstring("  one_cycle\n      Raises the learning rate to max_lr"));
  for (const std::string kind : {"optimizer", "schedule"})
    for (const auto& spec : kind == "schedule" ? levin::core::schedule_table() : levin::core::optimizer_table()) {
      const Answer answer = installation.host("help " + spec.id);
      CHECK(answer.code == 0);
      CHECK_THAT(answer.out, ContainsSubstring(kind + " " + spec.id) && ContainsSubstring(spec.summary));
      for (const auto& option : spec.options) CHECK_THAT(answer.out, ContainsSubstring("  " + option.name + "\n"));
      CHECK(installation.host("help " + spec.class_name).out == answer.out);
      CHECK_THAT(kind == "schedule" ? schedules : optimizers, ContainsSubstring("  " + spec.id + "\n"));
    }
  CHECK_THAT(installation.host("help cosine_annealing").out,
             ContainsSubstring("T_max\n      int >= 1 or null (default null)\n      steps until eta_min"));
  CHECK_THAT(installation.host("help lambda").out,
             ContainsSubstring("desc.factor") && !ContainsSubstring("--model.scheduler"));
  CHECK_THAT(installation.host("help reduce_on_plateau").out, ContainsSubstring("\"val_loss\")"));
  CHECK_THAT(installation.host("help sequential").out, ContainsSubstring("plan.scheduler_json(\"sequential\""));
  CHECK_THAT(installation.host("help cosine_anealing").error(), ContainsSubstring("did you mean 'cosine_annealing'?"));
  CHECK_THAT(installation.host("help schedulers").error(), ContainsSubstring("did you mean 'schedules'?"));
}

TEST_CASE("help answers several names at once") {
  const Installation installation;
  const Answer answer = installation.host("help toy_net data fit");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("--model.depth") && ContainsSubstring("--data.batch_size") &&
                             ContainsSubstring("usage: host fit"));
}

TEST_CASE("plugins are listed by folder, and unusable ones with the reason") {
  const Installation installation;
  installation.write("more/libbroken.so", "not a library");
  const Answer answer = installation.host("plugins --plugins more");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out, ContainsSubstring("model toy_net, data toy_rows"));
  CHECK_THAT(answer.out, ContainsSubstring("libbroken.so") && ContainsSubstring("not usable: "));
  CHECK_THAT(answer.out, !ContainsSubstring("not usable: " + installation.folder().string()));
}

TEST_CASE("inspect tells what a file says of itself") {
  const Installation installation;
  const Answer answer = installation.host("inspect libtoy.so");
  CHECK(answer.code == 0);
  for (const char* text :
       {"org.toy", "1.2.3", "MIT", "none: the plugin runs with every version", "model toy_net", "on_fit_start",
        "looks at optimizer_idx", "depth: one of: 18, 34", "--trainer.enable_saving", "in the file"}) {
    CHECK_THAT(answer.out, ContainsSubstring(text));
  }
}

TEST_CASE("the printed configuration names origins and is a configuration itself") {
  const Installation installation;
  installation.write("run.json",
                     "{\"model\": {\"component\": \"toy_net\", \"depth\": 34},\n\"data\": {\"component\": "
                     "\"toy_rows\", \"rows\": 9}}");
  const Answer first =
      installation.host("--config run.json --callback best=toy_save --print_config", "LEVIN_TRAINER_MAX_STEPS=7");
  REQUIRE(first.code == 0);
  CHECK_THAT(first.out, ContainsSubstring("// run.json:1") && ContainsSubstring("// recommended by toy_net") &&
                            ContainsSubstring("// LEVIN_TRAINER_MAX_STEPS") &&
                            ContainsSubstring("// --callback best=toy_save"));
  installation.write("printed.json", first.out);
  const Answer second = installation.host("--config printed.json --print_config");
  REQUIRE(second.code == 0);
  CHECK(parse_json(second.out, "second") == parse_json(first.out, "first"));
}

TEST_CASE("a secret is not printed") {
  const Installation installation;
  const Answer answer =
      installation.host("--model toy_net --model.token hunter2 --data toy_rows --data.rows 1 --print_config");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out + answer.err, !ContainsSubstring("hunter2"));
}

TEST_CASE("doctor says what it finds and asks the engine for the rest") {
  const Installation installation;
  const Answer answer = installation.host("doctor");
  CHECK(answer.code == 0);
  CHECK_THAT(answer.out,
             ContainsSubstring("CPUs") && ContainsSubstring("1 usable") && ContainsSubstring("words --doctor"));
  CHECK_THAT(
      installation.host("check libtoy.so --data.rows 4").out,
      ContainsSubstring("words --check-fd ") && ContainsSubstring((installation.plugins() / "libtoy.so").string()));
}

TEST_CASE("plugins, doctor and help answer in JSON") {
  const Installation installation;
  installation.write("lib/levin/plugins/libgarbage.so", "no plugin");
  const auto folders = parse_json(installation.host("plugins --json").out, "plugins").at("folders");
  const auto is_own = [&](const auto& folder) { return folder.at("folder") == installation.plugins().string(); };
  const auto own = std::find_if(folders.begin(), folders.end(), is_own);
  REQUIRE(own != folders.end());
  REQUIRE(own->at("files").size() == 2);
  CHECK(own->at("files")[0].at("usable") == false);
  CHECK_THAT(own->at("files")[0].at("problem"), ContainsSubstring("ELF"));
  CHECK(own->at("files")[1].at("components")[0].at("id") == "toy_net");

  const auto help = parse_json(installation.host("help trainer toy_net fit depth --json").out, "help");
  CHECK(help.at("trainer")[0].at("option") == "--trainer.max_epochs");
  CHECK(help.at("toy_net")[0].at("options")[0].at("choices")[1] == "34");
  CHECK(help.at("fit")[0].at("command") == "fit");
  CHECK(help.at("depth")[0].at("option") == "--model.depth");
  CHECK(parse_json(installation.host("help --json").out, "help").at("commands")[0].at("command") == "fit");
  CHECK_THAT(installation.host("help no_such_thing --json").error(), ContainsSubstring("nothing is called"));

  const std::string out = installation.host("doctor --json").out, words = "words --doctor-json ";
  REQUIRE(out.find(words) == 0);
  const auto facts = parse_json(out.substr(words.size(), out.find('\n') - words.size()), "facts");
  CHECK(facts.at("plugins") == parse_json(R"({"usable": 1, "unusable": 1})", ""));
}

TEST_CASE("an answer that cannot be written is a failure") {
  const Installation installation;
  const Answer answer = installation.host("--version", "sh -c 'exec \"$@\" >/dev/full' sh");
  CHECK(answer.code == 1);
  CHECK_THAT(answer.err, ContainsSubstring("cannot write to the standard output: No space left"));
}

TEST_CASE("inspect --diff compares two files, and --json says it as a document") {
  const Installation installation;
  const Answer same = installation.host("inspect --diff libtoy.so libtoy.so");
  CHECK(same.code == 0);
  CHECK(same.out == "nothing changed\n");
  const Answer other = installation.host("inspect --diff libtoy.so " LEVIN_TEST_VERSION_1 " --json");
  CHECK(other.code == 3);
  CHECK_THAT(other.out, ContainsSubstring("\"breaks\": true") && ContainsSubstring("is gone"));
  const Answer one = installation.host("inspect --diff libtoy.so");
  CHECK(one.code == 2);
  CHECK_THAT(one.error(), ContainsSubstring("one file is missing"));
}
