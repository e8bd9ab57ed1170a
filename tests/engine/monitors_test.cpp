// Callbacks that monitor a metric which is not logged: an error if the user named it, otherwise a warning or nothing.

#include "host_process/sandbox.hpp"

namespace monitors_test {
namespace {

const std::string plain = "fit --plugins " LEVIN_TEST_PLUGINS
                          " --model plain --model.log true --data rows --data.batch_size 1 --trainer.max_epochs 2 "
                          "--trainer.enable_progress_bar false ";

}  // namespace

TEST_CASE("a monitor that was named on the command line or in a file and is never logged is an error with the names") {
  for (const std::string callback : {"early_stopping", "model_checkpoint"}) {
    const Sandbox sandbox;
    const std::string file = (sandbox.folder() / "mine.json").string();
    std::ofstream(file) << R"({"callback": {")" << callback << R"(": {"monitor": "val_loss"}}})";
    for (const std::string& words : {"--callback." + callback + ".monitor nope", "--config " + file}) {
      const Outcome outcome = sandbox.host(plain + words);
      CHECK(outcome.code == 1);
      CHECK_THAT(outcome.error(), ContainsSubstring("which was not logged; logged are: ") &&
                                      ContainsSubstring("validation_step_loss") &&
                                      ContainsSubstring("--callback." + callback + ".strict false"));
    }
    const Outcome lenient =
        sandbox.host(plain + "--callback." + callback + ".monitor nope --callback." + callback + ".strict false");
    CHECK(lenient.code == 0);
    CHECK_THAT(lenient.err, ContainsSubstring("monitors 'nope', which was not logged"));
  }
}

TEST_CASE("a default monitor that is not logged warns, also from a printed configuration and after a resume") {
  const Sandbox sandbox;
  const std::string file = (sandbox.folder() / "printed.json").string();
  const Outcome printed = sandbox.host(plain + "--print_config");
  REQUIRE(printed.code == 0);
  std::ofstream(file) << printed.out;
  for (const std::string& words : {plain, "fit --plugins " LEVIN_TEST_PLUGINS " --config " + file}) {
    const Outcome outcome = sandbox.host(words);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("warning: libearly_stopping.so: monitors 'val_loss'") &&
                                ContainsSubstring("warning: libmodel_checkpoint.so: monitors 'val_loss'"));
  }
  const std::string resume = "resume " + sandbox.run().string() + " --max_epochs 3";
  CHECK(sandbox.host(resume).code == 0);
  const Outcome named =
      sandbox.host("resume " + sandbox.run().string() + " --max_epochs 4 --callback.early_stopping.monitor nope");
  CHECK(named.code == 1);
}

TEST_CASE("with several validation loaders the error names the option and the metric of the first") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.host(plain + "--data.val [2,2] --callback.early_stopping.monitor validation_step_loss");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.error(),
             ContainsSubstring("say --callback.early_stopping.monitor validation_step_loss/dataloader_idx_0"));
}

TEST_CASE("without validation rows one line says so, and no default callback misses val_loss") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host(plain + "--data.val '[]'");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("info: no validation: libtest_rows.so has no validation rows") &&
                              !ContainsSubstring("val_loss"));
  CHECK(std::filesystem::exists(sandbox.run() / "checkpoints" / "last.ckpt"));
}

TEST_CASE("a batch that holds all rows is told of") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS
                                       " --model plain --data rows --trainer.max_epochs 1 --data.batch_size "
                                       "9223372036854775807");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("warning: the batch size 9223372036854775807 is larger than the ") &&
                              ContainsSubstring("training rows: an epoch has one batch"));
}

TEST_CASE("fit, then test says that nothing is tested, and why") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host(plain.substr(4) + "--data.test '[]'");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("info: nothing is tested: libtest_rows.so has no test rows"));
  const Outcome untested = sandbox.host("--plugins " LEVIN_TEST_PLUGINS
                                        " --model mistaken --data rows --data.batch_size 1 --trainer.max_epochs 1");
  INFO(untested.err);
  CHECK_THAT(untested.err, ContainsSubstring("info: nothing is tested: model 'mistaken' has no test_step"));
}

}  // namespace monitors_test
