// Fits with several devices in one process: trainer.strategy dp, with replicas as CPU threads, compared with one device
// and the whole batch (up to 32-bit rounding); and model_parallel.
#include <algorithm>

#include "core/base/text.hpp"
#include "fits.hpp"

namespace replicas_test {
namespace {

// The same fit in one process with several replicas of the model.
Outcome dp(const Sandbox& box, int replicas, const std::string& words) {
  const std::string strategy = replicas == 1 ? "" : " --trainer.strategy dp";
  return box.bare(
      "fit", with_defaults({"--model shared ", "--trainer.max_epochs 2 ", "--data.train 12 ", "--data.shuffle false ",
                            "--data.batch_size 4 ", "--callback.model_checkpoint.monitor '' ",
                            "--callback.model_checkpoint.save_last true ", "--trainer.accelerator cpu "},
                           words + strategy + devices + std::to_string(replicas)));
}

std::vector<std::string> cells(const std::string& line) { return levin::core::split(line, ','); }

// Checks that both files have the same columns and, up to rounding, the same numbers.
void check_same_rows(const std::string& a, const std::string& b) {
  const auto one = levin::core::split(levin::core::trim(a), '\n'),
             other = levin::core::split(levin::core::trim(b), '\n');
  REQUIRE(one.size() == other.size());
  CHECK(one[0] == other[0]);
  for (size_t i = 1; i < one.size(); ++i) {
    INFO(one[i] << "\n" << other[i]);
    const auto x = cells(one[i]), y = cells(other[i]);
    REQUIRE(x.size() == y.size());
    for (size_t k = 0; k < x.size(); ++k) {
      REQUIRE(x[k].empty() == y[k].empty());
      if (!x[k].empty()) CHECK(std::fabs(std::stod(x[k]) - std::stod(y[k])) <= 2e-6);
    }
  }
}

const std::string replicated = "--model replicated --data.val [6] --data.eval_batch_size 4 ";

}  // namespace

TEST_CASE("replicas train the weights of one device with the whole batch, in every way of optimizing") {
  struct Case {
    std::string words;
    int replicas = 2;
    double tolerance = 1e-6;
  };
  const Case cases[] = {{""},
                        {"--data.batch_size 5", 3},  // parts of two rows and one row; the last batch has two rows
                        {"--model.optimizer adamw --data.batch_size 3", 8, 1e-5},
                        {"--trainer.accumulate_grad_batches 2 --trainer.gradient_clip_val 0.1"},
                        {"--trainer.accumulate_grad_batches 2 --trainer.accumulate_exact true "
                         "--trainer.gradient_clip_val 0.01 --trainer.gradient_clip_algorithm value"},
                        {"--trainer.precision bf16-mixed", 2, 1e-2},
                        {"--model alternating"},
                        {"--model.optimizer lbfgs", 2, 1e-4},
                        {"--model sequences --trainer.truncated_bptt_steps 2"},
                        {"--model.spare unused --trainer.non_finite skip", 2}};
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome one = dp(box, 1, c.words), several = dp(box, c.replicas, c.words);
    INFO(c.words << "\n" << one.err << several.err);
    REQUIRE(one.code == 0);
    REQUIRE(several.code == 0);
    CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, 1))) <= c.tolerance);
  }
}

TEST_CASE("a fit of replicas that draw random numbers is the same bit by bit, also when it was stopped") {
  const Sandbox box;
  const std::string words =
      "--model.dropout 0.3 --model.optimizer adamw --data.shuffle true --data.val [4] --logger csv "
      "--trainer.log_every_n_steps 1 --trainer.max_epochs 3 --model.rank 0 --model.epoch 1 ";
  REQUIRE(dp(box, 3, words).code == 0);
  REQUIRE(dp(box, 3, words).code == 0);
  CHECK(difference(last(box, 0), last(box, 1)) == "");
  const Outcome first = dp(box, 3, words + "--model.do terminate");
  REQUIRE(first.code == 75);
  const Outcome other = box.host("resume " + box.run(2).string() + " --strict_resume" + devices + "2");
  CHECK(other.code == 2);
  CHECK_THAT(other.error(), ContainsSubstring("the number of the model's replicas is 2 and was 3"));
  const Outcome second = box.host("resume " + box.run(2).string() + " --strict_resume");
  REQUIRE(second.code == 0);
  CHECK(difference(last(box, 0), last(box, 2)) == "");
  CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(2) / "metrics.csv"));
}

TEST_CASE("what replicas log is logged once, as by one device") {
  const Sandbox box;
  const std::string words = replicated + "--data.batch_size 5 --logger csv --trainer.log_every_n_steps 1";
  const Outcome one = dp(box, 1, words), three = dp(box, 3, words);
  REQUIRE(one.code == 0);
  REQUIRE(three.code == 0);
  CHECK_THAT(three.err, ContainsSubstring("3 replicas of the model, 1 thread each"));
  std::string a = box.read(box.run(0) / "metrics.csv"), b = box.read(box.run(1) / "metrics.csv");
  CHECK_THAT(b, ContainsSubstring("auroc"));
  check_same_rows(a, b);
  CHECK(one.out == three.out);
  CHECK(starting(three.trace, "outputs ") == starting(one.trace, "outputs "));
  CHECK(starting(three.trace, "seen ") == starting(one.trace, "seen "));  // the buffer of the first replica
  CHECK(starting(three.trace, "setup ") == std::vector<std::string>{"setup 0 fit", "setup 1 fit", "setup 2 fit"});
  CHECK(starting(three.trace, "teardown ").size() == 3);
}

TEST_CASE("evaluation and predictions of replicas are those of one device") {
  const Sandbox box;
  const std::string rows_data = " --data rows --data.batch_size 2 --data.eval_batch_size 4 --trainer.accelerator cpu ";
  const std::string off =
      "--plugins " LEVIN_TEST_PLUGINS " --callback early_stopping=false --callback progress_bar=false --logger false";
  const std::string validate = "validate --model teller --data.val [7,2]" + rows_data + off;
  const std::string strategy = " --trainer.strategy dp --trainer.devices 3";
  const auto sees = starting(box.host(validate).trace, "0: sees "),
             several = starting(box.host(validate + strategy).trace, "0: sees ");
  REQUIRE(sees.size() > 5);
  REQUIRE(several.size() == sees.size());
  for (size_t i = 0; i < sees.size(); ++i) {
    const size_t name = sees[i].rfind(' ') + 1;
    CHECK(several[i].substr(0, name) == sees[i].substr(0, name));
    CHECK(std::fabs(std::stod(several[i].substr(name)) - std::stod(sees[i].substr(name))) <= 1e-6);
  }
  const std::string predict = "predict --model teller --data.predict [7,4]" + rows_data + off;
  REQUIRE(box.host(predict + " --trainer.default_root_dir one").code == 0);
  REQUIRE(box.host(predict + strategy + " --trainer.default_root_dir three").code == 0);
  CHECK(box.read("one/levin_logs/version_0/predictions.csv") == box.read("three/levin_logs/version_0/predictions.csv"));
}

TEST_CASE("training_step_end sees the outputs of all replicas, and each draws random numbers of its own") {
  const Sandbox box;
  const std::string words = replicated + "--model.step_end true --trainer.max_epochs 1";
  const Outcome one = dp(box, 1, words), two = dp(box, 2, words);
  REQUIRE(two.code == 0);
  CHECK(starting(two.trace, "ends ") == std::vector<std::string>(3, "ends 4"));
  CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, 1))) <= 1e-6);
  const Outcome drawn = dp(box, 2, replicated + "--model.dropout 0.5 --trainer.max_epochs 1");
  std::vector<std::string> numbers;
  for (const std::string& line : starting(drawn.trace, "draws ")) numbers.push_back(line.substr(line.rfind(' ')));
  std::sort(numbers.begin(), numbers.end());
  CHECK(numbers.size() == 6);
  CHECK(std::unique(numbers.begin(), numbers.end()) == numbers.end());
}

TEST_CASE("a replica that fails is named, and what replicas cannot do is refused") {
  struct Case {
    std::string words;
    int code;
    std::string said;
    std::string number{};  // of the error; "" = any
  };
  const Case cases[] = {
      {"--model.do throw", 1,
       "in replica 1 of the model (trainer.strategy=dp, 2 replicas): libtest_replicas.so: replicated.training_step: "
       "scripted"},
      {"--model.do drop_output", 1, "a replica of the model returned 'each', and another did not", "E0116"},
      {"--model.do odd_output", 1, "the replicas' outputs 'each' have the shapes [2], [2, 2]"},
      {"--model.do twice_other", 1, "replicated.training_step: log(\"rows\") was called twice"},
      {"--model.odd_instance 1", 2,
       "replica 1 of the model has the parameter 'in.weight' [9, 4] Float, where the first"},
      {"--model.odd_instance -11", 1,
       "replica 1 of the model cannot be made beside the first one: libtest_replicas.so"},
      {"--model gan", 2, "the model steps its optimizers itself"},
      {"--trainer.sync_batchnorm true", 2, "trainer.strategy=dp is one: each replica takes the statistics"},
      {"--trainer.devices_per_process 2", 2, "trainer.devices_per_process=2 is for trainer.strategy=model_parallel"},
      {"--trainer.output_device 2", 2, "trainer.output_device=2 is none of the run's devices; valid: 0, 1"},
      {"--hosts a:2,b:2", 2, "trainer.strategy=dp uses one process, but --hosts and --hostfile start one on"},
  };
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome outcome = dp(box, 2, with_defaults({replicated}, c.words));
    CHECK(outcome.code == c.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(c.said));
    if (!c.number.empty()) CHECK(outcome.error_code() == c.number);
  }
  const Sandbox box;
  const Outcome left_out =
      dp(box, 2, replicated + "--model.do no_loss --trainer.output_device 1 --trainer.max_epochs 1");
  CHECK(left_out.code == 0);
  CHECK(starting(left_out.trace, "outputs ").front() ==
        "outputs 2 2");  // the outputs of the replica that returned some
  const Outcome launched =
      box.bare("fit", "--model plain --trainer.strategy dp --trainer.devices 2", "export RANK=0 WORLD_SIZE=2");
  CHECK(launched.code == 2);
  CHECK_THAT(launched.error(),
             ContainsSubstring("trainer.strategy=dp uses one process, but there are 2 processes; use ddp"));
}

TEST_CASE("a model that places its own parts sees all devices of its process") {
  const Sandbox box;
  const std::string words =
      "--model split --callback collectives --trainer.max_epochs 2 --data.train 12 --data.shuffle false "
      "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true --trainer.accelerator cpu ";
  struct Case {
    std::string words, devices;
    size_t processes;
    double tolerance;
  };
  const std::string strategy = "--trainer.strategy model_parallel --trainer.devices ";
  const Case cases[] = {
      {"--data.batch_size 4", "devices cpu", 1, 0},
      {"--data.batch_size 4 " + strategy + "2", "devices cpu cpu", 1, 0},
      {"--data.batch_size 2 " + strategy + "4 --trainer.devices_per_process 2", "devices cpu cpu", 2, 1e-5}};
  int version = 0;
  for (const Case& c : cases) {
    const Outcome outcome = box.bare("fit", words + c.words);
    INFO(c.words << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK(starting(outcome.trace, "devices") == std::vector<std::string>(c.processes, c.devices));
    const std::string n = c.devices == "devices cpu" ? "1" : "2";
    CHECK_THAT(outcome.err, ContainsSubstring(": 0 wrong, ") && ContainsSubstring(" refused, " + n + " devices"));
    CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, version++))) <= c.tolerance);
  }
}

}  // namespace replicas_test
