#include "host/compose/run_builder.hpp"

#include <filesystem>

#include "catch.hpp"
#include "fake_source.hpp"
#include "host/compose/saved_run.hpp"

using namespace levin::core;
using nlohmann::json;

TEST_CASE("every option of a run is resolved") {
  FakeSource source;
  const auto run = built(source, {said("model.depth", "18"), said("trainer.max_epochs", "3")});
  CHECK(run.config.command == Command::run);
  CHECK(run.config.model.file == "/fake/net.so");
  CHECK(run.config.model.options == json({{"depth", "18"}, {"lr", 0.1}, {"token", ""}}));
  REQUIRE(run.config.data);
  CHECK(run.config.data->options == json({{"dir", ""}, {"lr", 1.0}}));
  CHECK(run.config.loader == json({{"batch_size", 32},
                                   {"global_batch_size", nullptr},
                                   {"eval_batch_size", 32},
                                   {"shuffle", true},
                                   {"drop_last", false},
                                   {"bucket_by_length", false},
                                   {"num_workers", nullptr},
                                   {"prefetch_factor", 2},
                                   {"pin_memory", nullptr}}));
  CHECK(run.config.trainer.at("max_epochs") == 3);
  CHECK(names(run.config.callbacks) == std::vector<std::string>{"stopper", "bar", "keeper"});
  CHECK(run.config.callbacks[0].options.at("patience") == 5);
  CHECK(names(run.config.loggers) == std::vector<std::string>{"table", "board"});
  CHECK(names(run.config.optimizers) == std::vector<std::string>{"lion", "org.a:tiger", "org.b:tiger"});
  CHECK(run.config.origins.at("trainer.max_epochs") == "--trainer.max_epochs");
  CHECK(run.config.origins.count("trainer.max_steps") == 0);
  CHECK(run.config.secrets == std::vector<std::string>{"model.token"});
  CHECK(run.warnings.empty());
}

TEST_CASE("later sources override earlier ones") {
  FakeSource source;
  const auto epochs = [&](std::vector<Setting> settings) {
    return built(source, std::move(settings)).config.trainer.at("max_epochs");
  };
  const Setting recommended = said("model", "coach");
  const auto first = from_file(R"({"trainer": {"max_epochs": 20}})", rank_file);
  const auto second = from_file(R"({"trainer": {"max_epochs": 30}})", rank_file + 1);
  const Setting environment{"trainer.max_epochs", "40", "LEVIN_TRAINER_MAX_EPOCHS", rank_environment};
  CHECK(epochs({}) == nullptr);
  CHECK(epochs({recommended}) == 12);
  CHECK(epochs({recommended, first[0]}) == 20);
  CHECK(epochs({second[0], first[0]}) == 30);
  CHECK(epochs({environment, second[0]}) == 40);
  CHECK(epochs({said("trainer.max_epochs", "50"), environment}) == 50);
}

TEST_CASE("options in a file belong to the model that the command line names if the file names none") {
  FakeSource source;
  const auto run = built(source, from_file(R"({"model": {"depth": "34"}})"));
  CHECK(run.config.model.options.at("depth") == "34");
  CHECK(run.warnings.empty());
}

TEST_CASE("a model that another one replaces leaves its options behind, and they are named") {
  FakeSource source;
  const auto run =
      built(source, from_file(R"({"model": {"component": "coach", "depth": "34"}, "data": {"batch_size": 7}})"));
  CHECK(run.config.model.options.at("depth") == "small");
  CHECK(run.config.loader.at("batch_size") == 7);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], ContainsSubstring("takes the place of another model") && ContainsSubstring(": depth ("));
}

TEST_CASE("a model recommends values, and only for what is there") {
  FakeSource source;
  const auto run = built(source, {said("model", "coach")});
  CHECK(run.config.loader.at("batch_size") == 64);
  CHECK(run.config.loader.at("eval_batch_size") == 64);
  CHECK(run.config.callbacks[0].options.at("patience") == 9);
  CHECK(run.config.origins.at("data.batch_size") == "recommended by coach");
}

TEST_CASE("options for a component that was exchanged lapse") {
  FakeSource source;
  auto settings = from_file(R"({"model": {"component": "net", "depth": "34"}})");
  settings.push_back(said("model", "line"));
  settings.push_back(said("model.width", "4"));
  const auto run = built(source, settings);
  CHECK(run.config.model.component == "line");
  CHECK(run.config.model.options == json({{"width", 4}}));
}

TEST_CASE("mistakes in a run are refused with the way out") {
  struct Row {
    std::vector<Setting> settings;
    const char* message;
  };
  const std::vector<Row> rows = {
      {{said("model.depht", 1)}, "--model.depht: net has no option 'depht'; did you mean 'depth'?"},
      {{said("trainer.max_epoch", 1)}, "the trainer has no option 'max_epoch'; did you mean 'max_epochs'?"},
      {from_file("{\n\"trainer\": {\n\"max_epoch\": 1}}"),
       "run.json:3:1: trainer.max_epoch: the trainer has no option"},
      {from_file("{\n\"trainer\": {\"max_epochs\": \"x\"}}"),
       "run.json:2:13: trainer.max_epochs: 'x' is not valid; expected int >= -1 or null"},
      {{said("callback.stoper.patience", 1)}, "there is no callback named 'stoper'; did you mean 'stopper'?"},
      {{said("callback.xyz.patience", 1)}, "there is no callback named 'xyz'; --callback xyz=COMPONENT adds one"},
      {{said("callback.clock.duration", 1)}, "there is no callback named 'clock'; --callback clock adds it"},
      {{said("callback.clokc.duration", 1)}, "there is no callback named 'clokc'; --callback clock adds it"},
      {{said("callback.stopper.patience.x", 1)}, "callback.stopper.patience is an option itself and has none"},
      {{said("data", "/tmp")},
       "'/tmp' is a file or folder that is no plugin, and --data names a plugin; what it reads is "
       "another option, such as --data digits --data.dir /tmp"},
      {{said("model", "nett")}, "--model: no model 'nett'; did you mean 'net'?"},
      {{said("model", "line")}, "--model.width is required by line"},
      {{said("ckpt_path", "/no/such.ckpt")}, "there is no checkpoint '/no/such.ckpt'"},
      {{said("data.batch_size", 0)}, "--data.batch_size: 0 is not valid; expected int >= 1"},
      {{said("data.batchsize", 8)}, "did you mean 'batch_size'?"},
      {{said("callback.a b", "stopper")}, "cannot be the name of an instance"},
      {{said("callback.none", false)},
       "there is nothing to switch off, no callback 'none' (known: stopper, bar, keeper)"},
      {{said("data", nullptr), said("data.dir", "x")}, "--data.dir: no --data is named"},
  };
  for (const auto& row : rows) {
    FakeSource source;
    INFO(row.message);
    CHECK_THROWS_WITH(built(source, row.settings), ContainsSubstring(row.message));
  }
}

TEST_CASE("an optimizer is a built-in one in any letter case, or a plugin's, and another is refused") {
  FakeSource source;
  const auto optimizer = [&](const char* name) {
    return built(source, {said("model", "tuned"), said("model.optimizer", name)}).config.model.options.at("optimizer");
  };
  CHECK(optimizer("SGD") == "sgd");
  CHECK(optimizer("AdamW") == "adamw");
  CHECK(optimizer("lion") == "lion");
  CHECK_THROWS_WITH(optimizer("adamv"), ContainsSubstring("--model.optimizer: there is no optimizer 'adamv'; did you "
                                                          "mean 'adamw'? (known: sgd, adamw, lion, tiger)"));
  CHECK_THROWS_WITH(optimizer("torch.optim.Foo"), ContainsSubstring("(known: sgd, adamw, lion, tiger)"));
  CHECK(optimizer("org.a:tiger") == "org.a:tiger");
  CHECK_THROWS_WITH(optimizer("tiger"),
                    ContainsSubstring("several plugins have an optimizer 'tiger'; name one: org.a:tiger "
                                      "(/fake/org.a.tiger.so), org.b:tiger (/fake/org.b.tiger.so)"));
}

TEST_CASE("a component of another plugin with the id of a default one takes its place, not its options") {
  FakeSource source;
  const auto foreign = [](const BuiltRun& run) {
    std::vector<std::string> out;
    for (const auto& c : run.config.callbacks)
      if (c.file == "/fake/org.example.stopper.so") out.push_back(c.name + " " + c.options.at("patience").dump());
    return out;
  };
  using Names = std::vector<std::string>;
  const auto usual = built(source, {});
  CHECK(foreign(usual).empty());
  const auto instead = built(source, {said("callback", "org.example:stopper")});
  CHECK(names(instead.config.callbacks) == Names{"stopper", "bar", "keeper"});
  CHECK(foreign(instead) == Names{"stopper 7"});
  const auto beside = built(source, {said("callback.mine", "org.example:stopper"), said("callback.mine.patience", 2)});
  CHECK(names(beside.config.callbacks) == Names{"mine", "stopper", "bar", "keeper"});
  CHECK(foreign(beside) == Names{"mine 2"});
  CHECK(foreign(built(source, from_file(R"({"callback": {"org.example:stopper": {"patience": 3}}})"))) ==
        Names{"stopper 3"});
  CHECK(foreign(built(source, from_file(R"({"callback": {"m": {"component": "org.example:stopper"}}})"))) ==
        Names{"m 7"});
  CHECK_THROWS_WITH(from_file(R"({"callback": {"org.example:stopper": {"component": "bar"}}})"),
                    ContainsSubstring("run.json:1:15: 'org.example:stopper' names a component already"));
}

TEST_CASE("two instances of one name in one source are refused; a later source overrides an earlier one") {
  FakeSource source;
  const std::vector<std::pair<std::vector<Setting>, const char*>> twice = {
      {{said("callback", "clock"), said("callback", "clock")},
       "two callbacks are named 'clock'; name them: --callback a=clock --callback b=clock"},
      {{said("callback", "clock"), said("callback.clock", "clock")}, "two callbacks are named 'clock'"},
      {{said("callback.x", "clock"), said("callback.x", "keeper")}, "--callback a=clock --callback b=keeper"},
      {{said("logger", "table"), said("logger", "table")},
       "two loggers are named 'table'; name them: --logger a=table"},
  };
  for (const auto& [settings, message] : twice) CHECK_THROWS_WITH(built(source, settings), ContainsSubstring(message));
  CHECK_NOTHROW(built(source, {said("callback.a", "clock"), said("callback.b", "clock")}));
  CHECK_NOTHROW(built(source, {said("callback", "stopper")}));  // overrides the default
  CHECK_NOTHROW(built(source, {said("callback", "clock", rank_file), said("callback", "clock")}));
  CHECK_NOTHROW(built(source, {said("callback", "clock", rank_file), said("callback", "clock", rank_file + 1)}));
  CHECK_NOTHROW(built(source, {said("callback.stopper", false), said("callback", "stopper")}));
  CHECK_NOTHROW(built(source, {said("model", "line", rank_file), said("model", "net")}));
}

TEST_CASE("without a model the run says what is found") {
  FakeSource source;
  RunRequest request;
  CHECK_THROWS_WITH(build_run(request, source),
                    ContainsSubstring("no --model is named; found: net, tuned, line, coach"));
}

TEST_CASE("a run may have no data module, but not options for one") {
  FakeSource source;
  const auto run = built(source, {said("data", nullptr)});
  CHECK_FALSE(run.config.data);
  CHECK(run.config.loader.at("batch_size") == 32);
}

TEST_CASE("the checkpoint to start from is best, last or an absolute path") {
  FakeSource source;
  CHECK(built(source, {said("ckpt_path", "best")}).config.ckpt_path == "best");
  CHECK_FALSE(built(source, {}).config.ckpt_path);
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  CHECK(built(source, {said("ckpt_path", self.string())}).config.ckpt_path == self.string());
}

TEST_CASE("old names of options are taken over or refused with the new way") {
  const json table = json::parse(R"({
    "max_nb_epochs": {"now": "trainer.max_epochs"},
    "gpus": {"values": {"0": {"trainer.accelerator": "cpu"}}, "with": {"trainer.accelerator": "gpu"},
             "now": "trainer.devices"},
    "weights_summary": {"values": {"top": {}, "null": {"trainer.enable_progress_bar": false}}, "instead": "say so"},
    "amp_level": {"values": {"*": {}}, "instead": "mixed precision is --trainer.precision"},
    "tpu_cores": {"instead": "there is none"},
    "max_time": {"instead": "a component serves it"},
    "profiler": {"still": true, "values": {"true": {"trainer.profiler": "simple"}, "false": {"trainer.profiler": null}}},
    "track_grad_norm": {"still": true, "values": {"-1": {"trainer.track_grad_norm": null}}},
    "checkpoint_callback": {"now": "trainer.enable_checkpointing"}})");
  struct Row {
    const char* name;
    json given;
    const char *key, *line;  // key: the option that gets the value; "" = none
    json value;
  };
  const std::vector<Row> rows = {
      {"max_nb_epochs", 4, "max_epochs", "max_nb_epochs is now trainer.max_epochs", 4},
      {"max_nb_epochs", nullptr, "max_epochs", "max_nb_epochs=null changes nothing: it is now trainer.max_epochs",
       nullptr},
      {"gpus", "0", "accelerator", "gpus=0 is now trainer.accelerator=cpu", "cpu"},
      {"gpus", 1, "accelerator", "gpus is now trainer.devices", "gpu"},
      {"gpus", 1, "devices", "gpus is now trainer.devices", 1},
      {"amp_level", "O2", "precision", "amp_level=o2 changes nothing: mixed precision is --trainer.precision",
       "32-true"},
      {"weights_summary", "TOP", "precision", "weights_summary=top changes nothing: say so", "32-true"},
      {"tpu_cores", nullptr, "precision", "tpu_cores=null changes nothing: there is none", "32-true"},
      {"profiler", "true", "profiler", "profiler=true is now trainer.profiler=simple", "simple"},
      {"profiler", false, "profiler", "profiler=false is now trainer.profiler=null", nullptr},
      {"track_grad_norm", -1, "track_grad_norm", "track_grad_norm=-1 is now trainer.track_grad_norm=null", nullptr},
  };
  FakeSource source;
  const auto with_old = [&](const std::string& name, const json& value) {
    RunRequest request = request_of({said("trainer." + name, value)});
    request.old = LightningAliases(table);
    return build_run(request, source);
  };
  for (const auto& row : rows) {
    INFO(row.name << "=" << row.given);
    const auto run = with_old(row.name, row.given);
    CHECK(run.config.trainer.at(row.key) == row.value);
    CHECK(run.warnings == std::vector<std::string>{std::string("--trainer.") + row.name + ": " + row.line});
  }
  CHECK(names(with_old("checkpoint_callback", false).config.callbacks) == std::vector<std::string>{"stopper", "bar"});
  CHECK(names(with_old("weights_summary", nullptr).config.callbacks) == std::vector<std::string>{"stopper", "keeper"});
  CHECK(with_old("max_time", "00:00:01:00").warnings.empty());
  CHECK(with_old("profiler", "advanced").warnings.empty());
  CHECK(with_old("track_grad_norm", 2).config.trainer.at("track_grad_norm") == 2);
  CHECK_THROWS_WITH(with_old("track_grad_norm", -2), ContainsSubstring("track_grad_norm"));
  CHECK_THROWS_WITH(with_old("tpu_cores", 8), ContainsSubstring("tpu_cores=8 is an old option: there is none"));
  CHECK(with_old("gpus", 2).config.trainer.at("devices") == 2);
}

TEST_CASE("the secrets of a component that is off are secrets, too") {
  FakeSource source;
  const RunConfig config =
      built(source, {said("logger.mine", "remote"), said("logger.mine.key", "x"), said("trainer.logger", false)})
          .config;
  CHECK(config.loggers.empty());
  CHECK(config.secrets == std::vector<std::string>{"model.token", "logger.mine.key"});
  CHECK(config.origins.at("logger.mine.key") == "--logger.mine.key");
}

TEST_CASE("a trial finds wrong options of components that it leaves out") {
  FakeSource source;
  const Setting trial = said("trainer.fast_dev_run", true);
  CHECK(built(source, {said("logger.board.rows", "7"), trial}).config.loggers.empty());
  CHECK_THROWS_WITH(built(source, {said("logger.board.rows", "many"), trial}),
                    "--logger.board.rows: 'many' is not valid; expected int");
}

TEST_CASE("an option of loaders is the user's where it is given on the command line, or differs in a file") {
  FakeSource source;
  using Names = std::vector<std::string>;
  const auto given = [&](const char* option, json value, int rank) {
    return built(source, {said(option, std::move(value), rank)}).config.loader_given;
  };
  CHECK(given("data.shuffle", true, rank_command_line) == Names{"shuffle"});
  CHECK(given("data.shuffle", true, rank_file).empty());
  CHECK(given("data.shuffle", false, rank_file) == Names{"shuffle"});
  CHECK(given("data.eval_batch_size", 32, rank_file).empty());
  CHECK(given("data.eval_batch_size", nullptr, rank_file).empty());
  CHECK(given("data.eval_batch_size", 33, rank_file) == Names{"eval_batch_size"});
}

TEST_CASE("an option of a component is the user's where it is named, but not in a printed configuration of defaults") {
  FakeSource source;
  using Names = std::vector<std::string>;
  const auto given = [&](std::vector<Setting> settings) {
    return built(source, std::move(settings)).config.callbacks[0].given;
  };
  const auto file = [&](const char* options) {
    return from_file(std::string(R"({"callback": {"stopper": {)") + options + "}}}", rank_file);
  };
  CHECK(given({}).empty());
  CHECK(given({said("model", "coach")}).empty());  // recommends a patience
  CHECK(given({said("callback.stopper.monitor", "val_loss")}) == Names{"monitor"});
  CHECK(given(file(R"("monitor": "val_loss")")) == Names{"monitor"});
  CHECK(given(file(R"("monitor": "val_loss", "patience": 5, "mode": "min")")).empty());
  CHECK(given(file(R"("monitor": "acc", "patience": 5, "mode": "max")")) == Names{"monitor", "mode"});
  RunRequest request;
  request.recommendations = false;
  request.settings = settings_from_run(built(source, {said("callback.stopper.monitor", "val_loss")}).config);
  CHECK(build_run(request, source).config.callbacks[0].given == Names{"monitor"});
}
