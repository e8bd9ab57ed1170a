// Models made from a network with levin::classifier and levin::regressor, and their options.
#include <cmath>
#include <cstring>
#include <sstream>

#include "host_process/sandbox.hpp"

namespace supervised_task_test {
namespace {

// One epoch of three batches of a classification task that a linear layer learns, followed by a validation.
Outcome classify(const Sandbox& sandbox, const std::string& words) {
  return sandbox.host(
      "fit --plugins " LEVIN_TEST_PLUGINS
      " --data synthetic --data.features 16 --data.classes 3 --data.rows 96 --data.val_rows 48 --data.batch_size 32 "
      "--trainer.num_sanity_val_steps 0 --callback model_checkpoint=false " LEVIN_TEST_QUIET
      " --logger recording_logger " +
      with_defaults({"--trainer.max_epochs 1 "}, words));
}

// The last value of a metric that a logger received; NaN = none.
double logged(const Outcome& outcome, const std::string& metric) {
  double value = std::nan("");
  for (const std::string& line : starting(outcome.trace, "log.metrics")) {
    const size_t at = line.find(" " + metric + "=");
    if (at != std::string::npos) value = std::stod(line.substr(at + metric.size() + 2));
  }
  return value;
}

void check_refusal(const std::string& words, const std::vector<std::string>& said) {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, words);
  INFO(words << "\n" << outcome.err);
  CHECK(outcome.code != 0);
  for (const std::string& text : said) CHECK_THAT(outcome.error(), ContainsSubstring(text));
}

}  // namespace

TEST_CASE("fields may have any names") {
  for (const char* model : {"mlp", "number", "plain"}) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare(
        "",
        std::string("--data.renamed true --trainer.max_epochs 1 --callback model_checkpoint=false --model ") + model);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("the model summary shows what goes in and out, and the run is the same with it and without") {
  const Sandbox sandbox;
  const Outcome without = classify(sandbox, "--model noisy");
  const Outcome with = classify(sandbox, "--model noisy --callback model_summary");
  REQUIRE(without.code == 0);
  REQUIRE(with.code == 0);
  CHECK_THAT(with.out, ContainsSubstring("0 | in   | Linear | 136    | train | [1, 16]  | [1, 8]   ") &&
                           ContainsSubstring("1 | out  | Linear | 27     | train | [1, 8]   | [1, 3]   "));
  CHECK(starting(with.trace, "log.metrics") == starting(without.trace, "log.metrics"));
  CHECK(logged(with, "val_loss") > 0);
}

TEST_CASE("a model whose example does not run has a summary without sizes, and a line that says why") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model pairs --callback model_summary");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("0 | in   | Linear | 136    | train\n"));
  CHECK_THAT(outcome.err, ContainsSubstring("sizes of the model's modules") &&
                              ContainsSubstring("pairs.example_input: a pair needs two rows"));
}

TEST_CASE("hooks, loss and optimizer of a network are used, and options that have no effect then are refused") {
  const Sandbox sandbox;
  const Outcome ruled = classify(sandbox, "--model ruled");
  const Outcome plain = classify(sandbox, "--model scores --model.optimizer sgd --model.lr 0.1 --model.momentum 0");
  INFO(ruled.err << plain.err);
  CHECK(ruled.code == 0);
  CHECK(logged(ruled, "epochs") == 0);
  CHECK(logged(ruled, "val_acc") > 0.3);
  CHECK(logged(ruled, "val_loss") < 2 * logged(plain, "val_loss"));  // its steps are half as long
  for (const char* option : {"lr", "loss", "scheduler"})
    check_refusal(std::string("--model ruled --model.") + option + " 0.1", {option});
}

TEST_CASE("a model without registered parameters is told what registers them") {
  check_refusal("--model forgetful", {"the model has no parameters", "register_module(\"fc\""});
}

TEST_CASE("a callback counts what a classifier took for what") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model scores --callback confusion_matrix");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("confusion_matrix_val (rows: target, columns: prediction)\ntarget "));
  std::istringstream csv(sandbox.read(sandbox.run() / "confusion_matrix_val.csv"));
  std::string line;
  std::getline(csv, line);
  CHECK(line == "target,0,1,2");
  int rows = 0, sum = 0, right = 0;
  for (; std::getline(csv, line); ++rows) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    for (int column = 0; std::getline(cells, cell, ','); ++column) {
      sum += std::stoi(cell);
      if (column == rows) right += std::stoi(cell);
    }
  }
  CHECK(rows == 3);
  CHECK(sum == 48);
  CHECK(logged(outcome, "val_acc") == Approx(right / 48.0));
}

TEST_CASE("a callback calls the network, and the run is the same with it and without") {
  const Sandbox sandbox;
  const Outcome looked = classify(sandbox, "--model scores --callback forward_looker");
  REQUIRE(looked.code == 0);
  CHECK(starting(looked.trace, "forward_looker") ==
        std::vector<std::string>{"forward_looker.same", "forward_looker.same", "forward_looker.rows 6"});
  // The network draws random numbers in its forward.
  const Outcome with = classify(sandbox, "--model noisy --trainer.max_epochs 2 --callback forward_looker");
  const Outcome without = classify(sandbox, "--model noisy --trainer.max_epochs 2");
  CHECK(with.code == 0);
  CHECK(starting(with.trace, "log.metrics") == starting(without.trace, "log.metrics"));
}

TEST_CASE("every built-in optimizer trains a classifier") {
  for (const char* optimizer : {"sgd", "SGD", "adam", "adamw", "adagrad", "rmsprop", "lbfgs", "nadam", "radam",
                                "adamax", "adadelta --model.lr 10", "asgd", "rprop --model.lr 0.01", "lamb", "lion"}) {
    const Sandbox sandbox;
    const Outcome outcome = classify(sandbox, std::string("--model scores --model.optimizer ") + optimizer +
                                                  (std::strchr(optimizer, ' ') ? "" : " --model.lr 0.1"));
    INFO(optimizer << "\n" << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(logged(outcome, "val_loss") < 1);
  }
}

TEST_CASE("LBFGS learns more in a step than SGD, and takes schedules that move momentum elsewhere") {
  const Sandbox sandbox;
  const std::string words = "--model scores --trainer.limit_train_batches 2 ";
  const Outcome sgd = classify(sandbox, words + "--model.optimizer sgd");
  const Outcome lbfgs = classify(sandbox, words +
                                              "--model.optimizer lbfgs --model.lr 1 --model.scheduler one_cycle "
                                              "--model.optimizer_options '{\"line_search_fn\": \"strong_wolfe\"}'");
  REQUIRE(sgd.code == 0);
  REQUIRE(lbfgs.code == 0);
  CHECK(logged(lbfgs, "val_loss") < logged(sgd, "val_loss"));
}

TEST_CASE("a plugin's optimizer gets what it may have: no weight decay that nobody asked for") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model scores --model.optimizer own_momentum --model.momentum 0.5");
  CHECK(outcome.code == 0);
  check_refusal("--model scores --model.optimizer own_momentum --model.weight_decay 0.1",
                {"own_momentum", "no option 'weight_decay'", "known: lr, momentum, maximize"});
}

TEST_CASE("an option that the optimizer does not have is refused by name, with those that it has") {
  check_refusal("--model scores --model.optimizer adam --model.momentum 0.3",
                {"no option 'momentum'", "known: lr, betas"});
  check_refusal("--model scores --model.optimizer rmsprop --model.nesterov true",
                {"no option 'nesterov'", "known: lr"});
  check_refusal("--model scores --model.optimizer lbfgs --model.weight_decay 0.1", {"no option 'weight_decay'"});
  check_refusal("--model scores --model.optimizer muon", {"takes real matrices only"});
}

TEST_CASE("a mistake in the options of an optimizer is one of usage; a wrong name is found before LibTorch is loaded") {
  const Sandbox sandbox;
  const Outcome name = classify(sandbox, "--model scores --model.optimizer adamv");
  CHECK(name.code == 2);
  CHECK_THAT(name.error(), ContainsSubstring("--model.optimizer: there is no optimizer 'adamv'; did you mean 'adam"));
  const Outcome option = classify(sandbox, "--model scores --model.optimizer_options '{\"beta\": 1}'");
  CHECK(option.code == 2);
  CHECK_THAT(option.error(), ContainsSubstring("no option 'beta'"));
}

TEST_CASE("the name of a schedule that does not exist is refused before data and model are made") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model scores --model.scheduler cosine");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.error(), ContainsSubstring("--model.scheduler: 'cosine' is not valid; expected one of: none, ") &&
                                  ContainsSubstring("cosine_annealing, "));
  CHECK_FALSE(std::filesystem::exists(sandbox.run()));
  const Outcome by_class = classify(sandbox, "--model scores --model.scheduler OneCycleLR --print_config");
  CHECK_THAT(by_class.out, ContainsSubstring("\"scheduler\": \"one_cycle\""));
}

TEST_CASE("a schedule that needs an option says how to give it") {
  check_refusal("--model scores --model.scheduler step",
                {"--model.scheduler_options '{}'", "needs the option 'step_size'", R"({"step_size":10})"});
  const Sandbox sandbox;
  const Outcome outcome =
      classify(sandbox, "--model scores --model.scheduler step --model.scheduler_options '{\"step_size\": 10}'");
  CHECK(outcome.code == 0);
}

TEST_CASE("nll trains log-probabilities, and refuses scores") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model log_probabilities --model.loss nll --model.lr 0.1");
  CHECK(outcome.code == 0);
  CHECK(logged(outcome, "val_loss") > 0);
  check_refusal("--model scores --model.loss nll", {"log-probabilities", "--model.loss cross_entropy"});
}

TEST_CASE("label smoothing is refused where the loss has none") {
  check_refusal("--model log_probabilities --model.loss nll --model.label_smoothing 0.5",
                {"label_smoothing", "--model.loss cross_entropy"});
  const Sandbox sandbox;
  CHECK(classify(sandbox, "--model scores --model.label_smoothing 0.5").code == 0);
}

// The half-precision operators that LibTorch has on the CPU depend on its version.
TEST_CASE("half precision on a CPU trains, or says what to try instead") {
  const Sandbox sandbox;
  const Outcome outcome = classify(sandbox, "--model scores --trainer.precision 16-true");
  INFO(outcome.err);
  if (outcome.code != 0) CHECK_THAT(outcome.error(), ContainsSubstring("try bf16-true or 32-true"));
}

}  // namespace supervised_task_test
