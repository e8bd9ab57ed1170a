// The effects of the Trainer's options on a run, counted and measured from outside.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/file.hpp"
#include "host_process/sandbox.hpp"
#include "saved.hpp"

namespace options_test {
namespace {

using levin::core::read_file;
using levin::core::SafetensorsReader;

size_t count(const Outcome& outcome, const std::string& call) { return starting(outcome.trace, call + " ").size(); }

std::vector<float> weights(const std::string& file) {
  const SafetensorsReader reader(file);
  std::vector<float> out;
  for (const std::string& name : reader.names()) {
    if (name.compare(0, 11, "state_dict.") != 0 || name == "state_dict.seen") continue;
    const std::string bytes = bytes_of(reader, name);
    const size_t before = out.size();
    out.resize(before + bytes.size() / sizeof(float));
    std::memcpy(out.data() + before, bytes.data(), bytes.size());
  }
  return out;
}

// Returns the change of each weight in one optimizer step of SGD with learning rate 1 and huge gradients.
std::vector<double> moved(const std::string& clipping) {
  const Sandbox sandbox;
  const std::string words =
      "--model plain --model.scale 1000 --trainer.max_steps 1 --callback.model_checkpoint.monitor '' "
      "--callback.model_checkpoint.save_last true ";
  REQUIRE(sandbox.bare("fit", words + "--model.lr 0").code == 0);
  const Outcome outcome = sandbox.bare("fit", words + "--model.lr 1 " + clipping);
  REQUIRE(outcome.code == 0);
  const auto before = weights((sandbox.run(0) / "checkpoints" / "last.ckpt").string());
  const auto after = weights((sandbox.run(1) / "checkpoints" / "last.ckpt").string());
  REQUIRE(before.size() == after.size());
  std::vector<double> out;
  for (size_t i = 0; i < before.size(); ++i) out.push_back(std::abs(static_cast<double>(after[i]) - before[i]));
  return out;
}

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

}  // namespace

TEST_CASE("weights are averaged with every option at its default") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", "--model plain --trainer.max_epochs 2 --trainer.stochastic_weight_avg true");
  CHECK(outcome.code == 0);
}

TEST_CASE("the log of a run says which components it is made of, the default ones too") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", "--model plain --trainer.max_epochs 1 --callback cb=recorder --logger recording_logger")
              .code == 0);
  const std::string log = sandbox.read(sandbox.run() / "log.txt");
  for (const char* line : {" info model plain", " info data rows", " info callback cb: recorder",
                           " info callback model_checkpoint", " info logger recording_logger"})
    CHECK_THAT(log, ContainsSubstring(line));
  CHECK_THAT(log, ContainsSubstring("libtest_models.so\n") && ContainsSubstring("libmodel_checkpoint.so\n"));
}

TEST_CASE("16-mixed is bf16-mixed on a CPU, and says so") {
  const Sandbox sandbox;
  const std::string words = "--model plain --trainer.max_epochs 1 --trainer.accelerator cpu --trainer.precision ";
  const Outcome half = sandbox.bare("fit", words + "16-mixed");
  CHECK(half.code == 0);
  CHECK_THAT(half.err, ContainsSubstring("trainer.precision=16-mixed needs a GPU: on a CPU it is bf16-mixed"));
  CHECK_THAT(sandbox.bare("fit", words + "bf16").err, !ContainsSubstring("needs a GPU"));
}

TEST_CASE("memory is pinned for a GPU only") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", "--model plain --trainer.max_epochs 1 --trainer.accelerator cpu --data.pin_memory true");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("data.pin_memory has no effect"));
}

TEST_CASE("limits decide how many batches each loop runs") {
  struct Case {
    const char* words;
    size_t training, validation;
    const char* end;  // epoch and step at the end of the fit
  };
  const Case cases[] = {
      {"--trainer.max_epochs 2", 20, 8, "2 20"},
      {"--trainer.max_epochs 1 --trainer.limit_train_batches 3 --trainer.limit_val_batches 1", 3, 1, "1 3"},
      {"--trainer.max_epochs 1 --trainer.limit_train_batches 0.5 --trainer.limit_val_batches 0.25", 5, 1, "1 5"},
      {"--trainer.max_epochs 1 --trainer.limit_val_batches 0", 10, 0, "1 10"},
      {"--trainer.max_steps 3", 3, 0, "1 3"},
      {"--trainer.max_steps 12", 12, 4, "2 12"},
      {"--trainer.max_epochs 1 --trainer.accumulate_grad_batches 4", 10, 4, "1 3"},
      {"--trainer.max_epochs 2 --trainer.accumulate_grad_batches '{\"0\": 5, \"1\": 1}'", 20, 8, "2 12"},
      {"--trainer.max_epochs 1 --trainer.accumulate_grad_batches 4 --trainer.accumulate_exact true", 10, 4, "1 3"},
      {"--trainer.max_epochs 1 --data.train 0", 0, 0, "0 0"},
      {"--trainer.max_epochs 1 --trainer.val_check_interval 4", 10, 8, "1 10"},
      {"--trainer.max_epochs 1 --trainer.val_check_interval 0.3", 10, 12, "1 10"},
      {"--trainer.max_epochs 4 --trainer.check_val_every_n_epoch 2", 40, 8, "4 40"},
      {"--trainer.max_epochs 1 --trainer.num_sanity_val_steps 2", 10, 6, "1 10"},
      {"--trainer.max_epochs 2 --trainer.overfit_batches 2", 4, 4, "2 4"},
      {"--trainer.fast_dev_run 1", 1, 1, "1 1"},
      {"--trainer.fast_dev_run 3", 3, 3, "1 3"},
      {"--trainer.max_epochs 1 --data.batch_size 4 --data.eval_batch_size 4", 3, 1, "1 3"},
      {"--trainer.max_epochs 1 --data.batch_size 4 --data.eval_batch_size 4 --data.drop_last true", 2, 1, "1 2"},
      {"--trainer.max_epochs 5 --model.do stop --model.at training_step --model.epoch 1 --model.batch 3", 14, 8,
       "2 14"},
      {"--trainer.max_epochs 5 --trainer.min_epochs 2 --model.do stop --model.at training_step --model.batch 1", 20, 8,
       "2 20"},
      {"--trainer.max_epochs 5 --trainer.min_steps 12 --model.do stop --model.at training_step --model.batch 1", 12, 8,
       "2 12"},
      {"--trainer.max_nb_epochs 2 --trainer.train_percent_check 0.5 --trainer.val_percent_check 0.5", 10, 4, "2 10"},
  };
  for (const Case& c : cases) {
    const Sandbox sandbox;
    const Outcome outcome =
        sandbox.bare("fit", "--model plain --data.val [4] --callback model_checkpoint=false --callback cb=recorder " +
                                with_defaults({"--data.train 10 ", "--trainer.num_sanity_val_steps 0 "}, c.words));
    INFO(c.words << "\n" << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(count(outcome, "lm.training_step") == c.training);
    CHECK(count(outcome, "lm.validation_step") == c.validation);
    CHECK(starting(outcome.trace, "cb.on_fit_end") == std::vector<std::string>{std::string("cb.on_fit_end ") + c.end});
  }
}

TEST_CASE("what an option makes of the data is told of once") {
  const auto told = [](const std::string& words, const char* text) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit",
                                         "--model plain --data.train 10 --data.val [4] --trainer.max_epochs 2 "
                                         "--callback model_checkpoint=false " +
                                             words);
    INFO(words << "\n" << outcome.err);
    CHECK(outcome.code == 0);
    size_t n = 0;
    for (size_t at = outcome.err.find(text); at != std::string::npos; at = outcome.err.find(text, at + 1)) ++n;
    return n;
  };
  const char* const order = "trainer.overfit_batches turns shuffling and samplers off for the split train";
  CHECK(told("--trainer.overfit_batches 2 --trainer.reload_dataloaders_every_n_epochs 1", order) == 1);
  CHECK(told("--trainer.overfit_batches 2 --data.shuffle false", order) == 0);
  CHECK(told("", order) == 0);
  const char* const interval = "trainer.val_check_interval=0.3 of the 10 batches";
  CHECK(told("--trainer.val_check_interval 0.3", interval) == 1);
  CHECK(told("--trainer.val_check_interval 0.3 --trainer.limit_val_batches 0", interval) == 0);
  CHECK(told("--trainer.val_check_interval 0.5", "trainer.val_check_interval=") == 0);
}

TEST_CASE("limits hold for test and predict too") {
  const Sandbox sandbox;
  const std::string words = "--model plain --callback model_checkpoint=false --data.test [4] --data.predict [4] ";
  const Outcome test = sandbox.bare("test", words + "--trainer.limit_test_batches 3");
  const Outcome predict = sandbox.bare("predict", words + "--trainer.limit_predict_batches 0.5");
  CHECK(count(test, "lm.test_step") == 3);
  CHECK(count(predict, "lm.predict_step") == 2);
}

TEST_CASE("loggers get every n-th step, and write to the disk when they are told to") {
  const auto lines = [](const std::string& words, const char* call) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit",
                                         "--model plain --model.log true --data.train 10 --trainer.max_epochs 1 "
                                         "--trainer.limit_val_batches 0 --callback model_checkpoint=false "
                                         "--logger recording_logger " +
                                             words);
    REQUIRE(outcome.code == 0);
    return starting(outcome.trace, call).size();
  };
  CHECK(lines("--trainer.log_every_n_steps 1", "log.metrics") == 10);
  CHECK(lines("--trainer.log_every_n_steps 4", "log.metrics") == 2);
  CHECK(lines("--trainer.log_every_n_steps 0", "log.metrics") == 0);
  const size_t at_the_end = lines("", "log.flush");
  CHECK(lines("--trainer.flush_logs_every_n_steps 3", "log.flush") == at_the_end + 3);
}

TEST_CASE("options that change how a step computes let it compute") {
  for (const char* words :
       {"--trainer.precision 16-mixed", "--trainer.precision bf16-mixed", "--trainer.precision 64",
        "--trainer.deterministic true", "--trainer.deterministic warn", "--trainer.detect_anomaly true",
        "--trainer.inference_mode false", "--trainer.benchmark true", "--trainer.barebones true"}) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit", std::string("--model plain --trainer.max_epochs 1 ") + words);
    INFO(words << "\n" << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(count(outcome, "lm.training_step") == 4);
  }
}

TEST_CASE("a profiler says where the time went, in a table and in a trace") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", "--model plain --trainer.max_epochs 1 --trainer.profiler advanced --callback cb=recorder");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("training_step") && ContainsSubstring("on_train_batch_end"));
  CHECK_THAT(sandbox.read(sandbox.run() / "profile.txt"), ContainsSubstring("training_step"));
  CHECK_THAT(sandbox.read(sandbox.run() / "trace.json"), ContainsSubstring("traceEvents"));
}

TEST_CASE("fast_dev_run leaves nothing on the disk") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", "--model plain --trainer.fast_dev_run 2 --logger csv").code == 0);
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "levin_logs"));
}

TEST_CASE("gradients are clipped by norm or by value") {
  CHECK(norm(moved("")) > 10);
  CHECK(norm(moved("--trainer.gradient_clip_val 0.5")) == Approx(0.5).epsilon(1e-3));
  const auto by_value = moved("--trainer.gradient_clip_val 0.25 --trainer.gradient_clip_algorithm value");
  CHECK(largest(by_value) == Approx(0.25).epsilon(1e-3));
  CHECK(norm(by_value) > 0.3);
}

TEST_CASE("workers change nothing but the time") {
  const Sandbox sandbox;
  const std::string words =
      "--model plain --model.momentum 0.9 --model.dropout 0.3 --model.log true --data.train 22 --data.batch_size 3 "
      "--trainer.max_epochs 3 --trainer.log_every_n_steps 1 --logger recording_logger "
      "--callback.model_checkpoint.monitor "
      "'' --callback.model_checkpoint.save_last true ";
  const Outcome none = sandbox.bare("fit", words + "--data.num_workers 0");
  const Outcome two = sandbox.bare("fit", words + "--data.num_workers 2");
  REQUIRE(none.code == 0);
  REQUIRE(two.code == 0);
  CHECK(starting(none.trace, "log.metrics").size() > 20);
  CHECK(none.trace == two.trace);
  CHECK(difference((sandbox.run(0) / "checkpoints" / "last.ckpt").string(),
                   (sandbox.run(1) / "checkpoints" / "last.ckpt").string()) == "");
}

TEST_CASE("overfit_batches keeps to the same rows in every epoch, limit_train_batches does not") {
  const auto losses = [](const std::string& words) {
    const Sandbox sandbox;
    const Outcome outcome =
        sandbox.bare("fit",
                     "--model plain --model.lr 0 --model.log true --data.train 50 --trainer.max_epochs 3 --callback "
                     "model_checkpoint=false --trainer.log_every_n_steps 1 --logger recording_logger " +
                         words);
    REQUIRE(outcome.code == 0);
    std::vector<std::string> out;
    for (const std::string& line : outcome.trace) {
      const size_t at = line.find("training_step_loss=");
      if (at != std::string::npos) out.push_back(line.substr(at, line.find(' ', at) - at));
    }
    return out;
  };
  const auto overfit = losses("--trainer.overfit_batches 1");
  REQUIRE(overfit.size() == 3);
  CHECK(overfit[0] == overfit[1]);
  CHECK(overfit[1] == overfit[2]);
  const auto limited = losses("--trainer.limit_train_batches 1");
  REQUIRE(limited.size() == 3);
  CHECK((limited[0] != limited[1] || limited[1] != limited[2]));
}

TEST_CASE("two runs with one seed are equal, with another they are not") {
  const Sandbox sandbox;
  const std::string words =
      "--model plain --model.dropout 0.5 --trainer.max_epochs 1 --callback.model_checkpoint.monitor '' "
      "--callback.model_checkpoint.save_last true --trainer.seed_everything ";
  for (const char* seed : {"7", "7", "8"}) REQUIRE(sandbox.bare("fit", words + seed).code == 0);
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(difference(last(0), last(1)) == "");
  CHECK(difference(last(0), last(2)) != "");
}

TEST_CASE("without a subcommand the host fits, then tests the best checkpoint") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "", "--model plain --trainer.max_epochs 2 --callback.model_checkpoint.monitor '' --callback cb=recorder");
  CHECK(outcome.code == 0);
  CHECK(count(outcome, "lm.training_step") == 8);
  CHECK(count(outcome, "lm.test_step") == 2);
  CHECK(count(outcome, "cb.on_load_checkpoint") == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("loaded the weights of " + sandbox.run().string()));
}

TEST_CASE("predictions are written as safetensors and, where they are few, as CSV") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "predict", "--model plain --data.predict [7] --data.eval_batch_size 3 --callback model_checkpoint=false");
  REQUIRE(outcome.code == 0);
  const SafetensorsReader file((sandbox.run() / "predictions.safetensors").string());
  CHECK(file.tensor("prediction").shape == std::vector<uint64_t>{7, 1});
  CHECK(file.tensor("sample").shape == std::vector<uint64_t>{7});
  const std::string csv = sandbox.read(sandbox.run() / "predictions.csv");
  CHECK(csv.compare(0, 18, "sample,prediction\n") == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 8);
}

TEST_CASE("what manual optimization does itself is refused as an option") {
  const Sandbox sandbox;
  for (const char* words : {"--trainer.gradient_clip_val 1", "--trainer.accumulate_grad_batches 2"}) {
    const Outcome outcome = sandbox.bare("fit", std::string("--model scripted_manual --trainer.max_epochs 1 ") + words);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring("manual optimization"));
  }
}

TEST_CASE("loggers get the options of the run unless enable_autolog_hparams is off") {
  const Sandbox sandbox;
  for (const char* words : {"", " --trainer.enable_autolog_hparams false"}) {
    const Outcome outcome =
        sandbox.bare("fit", std::string("--model plain --trainer.max_steps 1 --logger csv") + words);
    REQUIRE(outcome.code == 0);
  }
  CHECK_THAT(read_file(sandbox.run(0) / "hparams.yaml"), ContainsSubstring("max_steps"));
  CHECK(read_file(sandbox.run(1) / "hparams.yaml") == "{}\n");
}

}  // namespace options_test
