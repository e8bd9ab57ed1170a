// Tuners work on a copy of the state: the fit after them is the same as without them.

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <tuple>

#include "host_process/sandbox.hpp"
#include "saved.hpp"

namespace tune_test {
namespace {

const char* const quiet = "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true ";

}  // namespace

TEST_CASE("a range test before a fit changes nothing but what it is told to change") {
  const Sandbox sandbox;
  const std::string words =
      std::string("--model plain --model.momentum 0.9 --model.dropout 0.3 --trainer.max_epochs 2 ") + quiet;
  const Outcome plain = sandbox.bare("fit", words);
  const Outcome tuned =
      sandbox.bare("fit", words +
                              "--callback learning_rate_finder --callback.learning_rate_finder"
                              ".num_training_steps 30 --callback.learning_rate_finder.update_attr false");
  REQUIRE(plain.code == 0);
  REQUIRE(tuned.code == 0);
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(trained(last(0)) == trained(last(1)));
  CHECK(std::filesystem::exists(sandbox.run(1) / "lr_find.svg"));
}

TEST_CASE("what a model says in a trial does not reach the run") {
  const Sandbox sandbox;
  const std::string words = std::string(
                                "--model plain --model.log true --trainer.max_epochs 2 --logger recording_logger "
                                "--trainer.log_every_n_steps 1 ") +
                            quiet;
  const std::string finder =
      "--callback learning_rate_finder --callback.learning_rate_finder.num_training_steps 30 "
      "--callback.learning_rate_finder.update_attr false ";
  const Outcome plain = sandbox.bare("fit", words);
  REQUIRE(plain.code == 0);
  CHECK(starting(plain.trace, "log.metrics").size() >= 8);
  // The trial reaches epoch 5, the fit does not.
  for (const char* deed : {"", "--model.do stop --model.at training_step --model.epoch 5"}) {
    const Outcome tuned = sandbox.bare("fit", words + finder + deed);
    INFO(deed << "\n" << tuned.err);
    REQUIRE(tuned.code == 0);
    CHECK(!starting(tuned.trace, "lm.training_step 5").empty());
    CHECK(starting(tuned.trace, "log.metrics") == starting(plain.trace, "log.metrics"));
  }
}

TEST_CASE("host tune trains nothing and writes its suggestions into the options") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("tune",
                   "--model plain --data.train 40 --callback model_checkpoint=false --callback cb=recorder --callback "
                   "batch_size_finder "
                   "--callback.batch_size_finder.max_trials 3 --callback.batch_size_finder.steps_per_trial 1");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.err, !ContainsSubstring("1000 epochs"));
  CHECK_THAT(sandbox.read(sandbox.run() / "config.json"), ContainsSubstring("\"batch_size\": 8"));
  CHECK_THAT(sandbox.read(sandbox.run() / "batch_size.json"), ContainsSubstring("[2, 4, 8]"));
  CHECK(starting(outcome.trace, "cb.on_train_start").empty());
  CHECK(starting(outcome.trace, "cb.on_train_batch_end").empty());
}

TEST_CASE("host tune runs the tuners that options ask for, wherever they stand, and else all of them") {
  const Sandbox sandbox;
  std::ofstream(sandbox.folder() / "lr.json") << "{\"trainer\": {\"auto_lr_find\": true}}";
  std::ofstream(sandbox.folder() / "no_lr.json") << "{\"trainer\": {\"auto_lr_find\": false}}";
  struct Case {
    const char* words;
    bool rate, size;
  };
  const Case cases[] = {{"", true, true},
                        {"--auto_lr_find", true, false},
                        {"--auto_lr_find lr", true, false},
                        {"--config lr.json", true, false},
                        {"--trainer.auto_lr_find=true", true, false},
                        {"--auto_lr_find false", false, true},
                        {"--config no_lr.json", false, true},
                        {"--config lr.json --auto_lr_find null", true, true},
                        {"--auto_scale_batch_size power", false, true}};
  int run = 0;
  for (const Case& c : cases) {
    const Outcome outcome =
        sandbox.bare("tune", std::string("--model plain --data.train 40 --callback model_checkpoint=false ") + c.words);
    INFO(c.words << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK(std::filesystem::exists(sandbox.run(run) / "lr_find.json") == c.rate);
    CHECK(std::filesystem::exists(sandbox.run(run++) / "batch_size.json") == c.size);
  }
}

TEST_CASE("auto_lr_find takes the name of the option to write to, and refuses one that the model has not") {
  const Sandbox sandbox;
  const std::string words = "--model plain --data.train 40 --trainer.max_epochs 1 --callback model_checkpoint=false ";
  const Outcome tuned = sandbox.bare("fit", words + "--model.scheduler none --auto_lr_find lr");
  REQUIRE(tuned.code == 0);
  CHECK(std::filesystem::exists(sandbox.run() / "lr_find.json"));
  const Outcome refused = sandbox.bare("fit", words + "--auto_lr_find lrate");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.error(), ContainsSubstring("lrate: the model has no such option") && ContainsSubstring("lr,"));
}

TEST_CASE("autotune changes nothing but the settings that it chooses") {
  const Sandbox sandbox;
  const std::string words =
      std::string("--model plain --model.momentum 0.9 --model.dropout 0.3 --trainer.max_epochs 2 ") + quiet;
  const TempFolder cache;
  const std::string with_cache = "export XDG_CACHE_HOME=" + cache.path().string();
  const Outcome tuned = sandbox.bare("fit", words + "--autotune", with_cache);
  INFO(tuned.out << tuned.err);
  REQUIRE(tuned.code == 0);
  CHECK_THAT(tuned.out + tuned.err, ContainsSubstring("autotune: measured for"));
  const auto record = nlohmann::json::parse(sandbox.read(sandbox.run() / "autotune.json"));
  std::string chosen;
  for (const auto& [name, value] : record.at("chosen").items())
    chosen += " --" + name + " " + (name == "cpu_kernels" ? "off" : name == "channels_last" ? "true" : value.dump());
  REQUIRE(sandbox.bare("fit", words + chosen).code == 0);
  const Outcome again = sandbox.bare("fit", words + "--autotune", with_cache);
  REQUIRE(again.code == 0);
  CHECK_THAT(again.out + again.err, ContainsSubstring("autotune: as chosen in an earlier run"));
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  INFO("chosen:" << chosen);
  CHECK(trained(last(0)) == trained(last(1)));
  CHECK(trained(last(0)) == trained(last(2)));
}

TEST_CASE("autotune measures nothing in deterministic runs, in runs of several processes and in evaluations") {
  const Sandbox sandbox;
  const std::string words = "--model plain --trainer.max_epochs 1 --autotune ";
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"fit", "--deterministic true", "trainer.deterministic promises results"},
      {"fit", "--devices 2", "all processes have to choose the same"},
      {"validate", "", "measures training steps only"}};
  for (const auto& [command, option, says] : cases) {
    const Outcome outcome = sandbox.bare(command, words + option);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out + outcome.err, ContainsSubstring(says) && !ContainsSubstring("measured for"));
  }
}

TEST_CASE("channels_last changes the memory format of images, and at most the rounding of results") {
  const Sandbox sandbox;
  const std::string words = std::string("--model plain --trainer.max_epochs 1 ") + quiet;
  REQUIRE(sandbox.bare("fit", words).code == 0);
  REQUIRE(sandbox.bare("fit", words + "--channels_last true").code == 0);  // its rows are no images
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(trained(last(0)) == trained(last(1)));
}

TEST_CASE("host tune without a tuner that could run is refused, with the reason") {
  const Sandbox sandbox;
  const std::pair<const char*, const char*> cases[] = {
      {"--fast_dev_run 1", "trainer.fast_dev_run"},
      {"--callback batch_size_finder --fast_dev_run 1", "callback.batch_size_finder (trainer.fast_dev_run)"},
      {"--auto_lr_find false --auto_scale_batch_size false", "switched off"}};
  for (const auto& [words, says] : cases) {
    const Outcome outcome = sandbox.bare("tune", std::string("--model plain ") + words);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring("host tune:") && ContainsSubstring(says));
  }
}

TEST_CASE("a run of tuners goes on as a fit, with what they found and without them") {
  const Sandbox sandbox;
  REQUIRE(
      sandbox.bare("tune", "--model plain --trainer.max_epochs 1 --callback learning_rate_finder --logger csv").code ==
      0);
  const auto found = std::filesystem::last_write_time(sandbox.run() / "lr_find.json");
  const Outcome fit = sandbox.host("resume " + sandbox.run().string());
  REQUIRE(fit.code == 0);
  CHECK_THAT(fit.err, ContainsSubstring("starts from the beginning"));
  CHECK(starting(fit.trace, "lm.training_step").size() == 4);
  CHECK(std::filesystem::last_write_time(sandbox.run() / "lr_find.json") == found);
}

TEST_CASE("averaged weights are validated, saved and kept") {
  const Sandbox sandbox;
  const std::string words = std::string("--model plain --trainer.max_epochs 2 ") + quiet;
  const Outcome outcome = sandbox.bare("fit", words + "--callback weight_averaging");
  REQUIRE(outcome.code == 0);
  REQUIRE(sandbox.bare("fit", words).code == 0);
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(trained(last(0)) != trained(last(1)));
}

}  // namespace tune_test
