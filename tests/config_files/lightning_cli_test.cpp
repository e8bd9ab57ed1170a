// Files of LightningCLI in Levin's form.
#include "host/config_files/lightning_cli.hpp"

#include <algorithm>

#include "catch.hpp"
#include "host/config_files/config_file.hpp"
#include "tests/compose/fake_source.hpp"

using namespace levin::core;
using nlohmann::json;

namespace {

struct Reading {
  json settings = json::object(), origins = json::object();
  std::vector<std::string> warnings;
  std::vector<std::string> errors;
};

Reading reading(const std::string& text, const std::vector<Setting>& named = {}) {
  FakeSource source;
  Reading out;
  std::vector<Error> errors;
  const ConfigLayer layer{"run.yaml", parse_config(text, "run.yaml")};
  for (const Setting& s : settings_of_layer(layer, rank_file, {source, named, out.warnings, &errors})) {
    out.settings[s.key] = s.value;
    out.origins[s.key] = s.origin;
  }
  for (const Error& error : errors) out.errors.emplace_back(error.what());
  std::vector<std::string> again;
  if (!errors.empty())
    CHECK_THROWS_WITH(settings_of_layer(layer, rank_file, {source, named, again}), std::string(errors.front().what()));
  return out;
}

}  // namespace

TEST_CASE("a file of LightningCLI gives the settings that it means") {
  const Reading read = reading(R"(# lightning.pytorch==2.5.0
seed_everything: 7
trainer:
  max_epochs: 3
  plugins: null
  strategy: {class_path: lightning.pytorch.strategies.DDPStrategy, init_args: {static_graph: true, timeout: null}}
  profiler: {class_path: lightning.pytorch.profilers.SimpleProfiler}
  logger:
    class_path: lightning.pytorch.loggers.BoardLogger
    init_args: {save_dir: logs, name: null, rows: 3}
  callbacks:
    - class_path: lightning.pytorch.callbacks.Stopper
      init_args:
        monitor: val_acc
        theme: null
    - class_path: my.callbacks.Stopper
model:
  class_path: my.nets.Net
  init_args: {lr: 0.5}
data: {class_path: DigitsDataModule, init_args: {dir: x, batch_size: 8}}
optimizer: {class_path: torch.optim.Adam, init_args: {lr: 0.02, eps: 1e-9}}
lr_scheduler: {class_path: torch.optim.lr_scheduler.StepLR, init_args: {step_size: 3}}
ckpt_path: null
weights_only: null
)");
  CHECK(read.errors.empty());
  CHECK(read.settings == json{{"trainer.seed_everything", 7},
                              {"trainer.max_epochs", 3},
                              {"trainer.strategy", "ddp"},
                              {"trainer.static_graph", true},
                              {"trainer.profiler", "simple"},
                              {"trainer.default_root_dir", "logs"},
                              {"logger.board", "board"},
                              {"logger.board.rows", 3},
                              {"callback.stopper", "stopper"},
                              {"callback.stopper.monitor", "val_acc"},
                              {"callback.stopper_2", "stopper"},
                              {"model", "net"},
                              {"model.lr", 0.02},
                              {"model.optimizer", "Adam"},
                              {"model.optimizer_options", {{"eps", 1e-9}}},
                              {"model.scheduler", "StepLR"},
                              {"model.scheduler_options", {{"step_size", 3}}},
                              {"data", "digits"},
                              {"data.dir", "x"},
                              {"data.batch_size", 8},
                              {"ckpt_path", nullptr}});
  CHECK(read.origins["callback.stopper.monitor"] == "run.yaml:14:9");
  CHECK(read.origins["callback.stopper_2"] == "run.yaml:16:7");
  CHECK(read.origins["model"] == "run.yaml:18:3");
  CHECK(read.warnings ==
        std::vector<std::string>{"run.yaml:18:3: the class my.nets.Net is read as the model net",
                                 "run.yaml:20:8: the class DigitsDataModule is read as the data digits",
                                 "run.yaml:16:7: the class my.callbacks.Stopper is read as the callback stopper"});
}

TEST_CASE("what has no counterpart is named with its place, and all of it at once") {
  const Reading read = reading(R"(model: {class_path: my.Transformer, init_args: {}}
data: {class_path: digits, dict_kwargs: {a: 1}}
trainer:
  callbacks:
    - class_path: lightning.pytorch.callbacks.LambdaCallback
    - 3
  logger: [{class_path: 3}]
  strategy: {class_path: lightning.pytorch.strategies.FSDPStrategy}
fit: {trainer: {max_epochs: 3}}
verbose: true
)");
  const std::vector<std::string> expected = {
      "run.yaml:1:9: there is no model for the Python class 'my.Transformer'",
      "run.yaml:2:28: 'dict_kwargs' is not read",
      "run.yaml:5:7: there is no callback for the Python class 'lightning.pytorch.callbacks.LambdaCallback'",
      "run.yaml:6:7: 3 is no element of 'trainer.callbacks'; an element is {\"class_path\"",
      "run.yaml:7:13: 'class_path' is the name of a class",
      "run.yaml:8:14: trainer.strategy has nothing for the Python class",
      "run.yaml:9:1: 'fit' is the section of one command",
      "run.yaml:10:1: no such key 'verbose'"};
  CHECK(read.errors.size() == expected.size());  // each once
  for (const std::string& part : expected) {
    INFO(part);
    CHECK(std::any_of(read.errors.begin(), read.errors.end(),
                      [&](const std::string& error) { return error.find(part) != std::string::npos; }));
  }
}

TEST_CASE("the default arguments of classes ask for nothing, where Levin has no such option") {
  const Reading read = reading(R"(trainer:
  strategy:
    class_path: lightning.pytorch.strategies.DDPStrategy
    init_args: {timeout: 0:30:00, start_method: popen, static_graph: false}
  profiler: {class_path: lightning.pytorch.profilers.SimpleProfiler, init_args: {dirpath: null, extended: true}}
  logger:
    class_path: lightning.pytorch.loggers.BoardLogger
    init_args: {log_graph: false, comment: '', max_queue: 10, flush_secs: 120, filename_suffix: '', purge_step: null}
  callbacks:
  - class_path: lightning.pytorch.callbacks.RichBar
    init_args: {leave: false, console_kwargs: null}
model: net
optimizer:
  class_path: torch.optim.Adam
  init_args: {lr: 0.1, eps: 1.0e-08, foreach: null, capturable: false, differentiable: false, fused: null}
lr_scheduler:
  class_path: torch.optim.lr_scheduler.ExponentialLR
  init_args: {gamma: 0.1, last_epoch: -1, verbose: deprecated}
)");
  CHECK(read.errors.empty());
  CHECK(read.settings == json{{"trainer.strategy", "ddp"},
                              {"trainer.static_graph", false},
                              {"trainer.profiler", "simple"},
                              {"logger.board", "board"},
                              {"callback.bar", "bar"},
                              {"model", "net"},
                              {"model.lr", 0.1},
                              {"model.optimizer", "Adam"},
                              {"model.optimizer_options", {{"eps", 1e-8}}},
                              {"model.scheduler", "ExponentialLR"},
                              {"model.scheduler_options", {{"gamma", 0.1}}}});
  CHECK(read.origins["model.optimizer"] == "run.yaml:14:3");
}

TEST_CASE("arguments of an optimizer or schedule are refused with their own place") {
  const Reading read = reading(R"(model: net
optimizer:
  class_path: torch.optim.Adam
  init_args:
    capturable: true
    amsgrad: 3
lr_scheduler: {class_path: torch.optim.lr_scheduler.StepLR, init_args: {step_sise: 3}}
trainer: {logger: [true]}
)");
  const std::vector<std::string> expected = {
      "run.yaml:8:20: true is no element of 'trainer.logger'; an element is {\"class_path\": \"...\", \"init_args\": "
      "{...}}",
      "run.yaml:6:5: optimizer.amsgrad: 3 is not valid; expected bool",
      "run.yaml:5:5: optimizer 'adam' has no option 'capturable'; known: lr, betas, eps, weight_decay, amsgrad, "
      "maximize",
      "run.yaml:7:73: scheduler 'step' has no option 'step_sise'; did you mean 'step_size'?"};
  CHECK(read.errors == expected);
}

TEST_CASE("a component of the command line takes the place of a class that has none") {
  const Reading read = reading("model: {class_path: my.Transformer, init_args: {lr: 1}}\n", {said("model", "net")});
  CHECK(read.errors.empty());
  CHECK(read.settings.empty());
  CHECK(read.warnings ==
        std::vector<std::string>{"run.yaml:1:9: --model takes the place of the class my.Transformer, and its init_args "
                                 "are not read"});
}

TEST_CASE("a value that a logger and the Trainer both have is refused if they differ") {
  const Reading read =
      reading("trainer:\n  default_root_dir: a\n  logger: {class_path: BoardLogger, init_args: {save_dir: b}}\n");
  REQUIRE(read.errors.size() == 1);
  CHECK_THAT(read.errors[0],
             ContainsSubstring("run.yaml:3:49: 'trainer.default_root_dir' is given twice, 'a' and 'b'"));
}

TEST_CASE("a file in Levin's form stays as it is") {
  const std::string text =
      "model: {component: net, lr: 1}\ntrainer: {logger: false, max_epochs: 3}\ncallback: {bar: {}}\n";
  const Reading read = reading(text);
  CHECK(read.errors.empty());
  CHECK(read.warnings.empty());
  CHECK(read.settings == json{{"model", "net"},
                              {"model.lr", 1},
                              {"trainer.logger", false},
                              {"trainer.max_epochs", 3},
                              {"callback.bar", nullptr}});
}
