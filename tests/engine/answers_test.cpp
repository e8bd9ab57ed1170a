// Messages about mistakes that only show at run time, and the lines at the end of a run.
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace answers_test {
namespace {

const std::string short_run =
    "--model mistaken --trainer.max_epochs 1 --callback model_checkpoint=false --model.mistake ";

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a model that cannot be trained is told why") {
  struct Row {
    const char *command, *mistake;
    int code;
    const char* answer;
  };
  const Row rows[] = {
      {"fit", "unregistered", 1, "has no parameters, so there is nothing to optimize: register modules"},
      {"fit", "frozen", 1, "no parameter of the model requires grad, so there is nothing to optimize"},
      {"fit", "no_match", 1, "parameter group 'head' of head.* is empty"},
      {"fit", "no_match", 1, "the model has used.weight, used.bias, other.weight, other.bias"},
      {"fit", "name", 1, "log('train loss'): a metric's name is UTF-8 without line breaks"},
      {"fit", "not_utf8", 1, "training_step: caf? closed"},
      {"test", "none", 2, "model 'mistaken' has no test_step, so there is nothing to test"},
      {"validate", "none", 2, "model 'mistaken' has no validation_step, so there is nothing to validate"},
  };
  const Sandbox sandbox;
  for (const Row& row : rows) {
    const Outcome outcome = sandbox.bare(row.command, short_run + row.mistake);
    CHECK(outcome.code == row.code);
    if (row.code == 2) CHECK(outcome.error_code() == "E0229");
    CHECK_THAT(outcome.error(), ContainsSubstring(row.answer));
  }
}

TEST_CASE("a model without data is told to get some") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS " --model mistaken --quiet");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.error(), ContainsSubstring("there is no data; name data with --data: host plugins lists what"));
}

TEST_CASE("a file that is no checkpoint is called so") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_run + "none --ckpt_path " LEVIN_TEST_PLUGINS "/libtest_rows.so");
  CHECK(outcome.code == 5);
  CHECK_THAT(outcome.error(),
             ContainsSubstring("libtest_rows.so: not a readable safetensors file: it is no checkpoint"));
}

TEST_CASE("parameters that no optimizer has are named") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_run + "left_out");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("warning: no optimizer has the parameters other.weight, other.bias: they"));
  for (const char* trained : {"none", "tied"})
    CHECK_THAT(sandbox.bare("fit", short_run + trained).err, !ContainsSubstring("no optimizer has"));
}

TEST_CASE("a warning of LibTorch is a line of the run, once, with the plugin that caused it") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_run + "torch_warn");
  INFO(outcome.err);
  const std::string line =
      "warning: libtest_mistaken_models.so: mistaken.training_step: LibTorch warns: the widget is loose";
  CHECK(count(outcome.err, "the widget is loose") == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("host: " + line + "\n"));
  CHECK(count(sandbox.read(sandbox.run() / "log.txt"), " " + line.substr(line.find("lib"))) == 1);
}

TEST_CASE("a run ends with one line that says what was done, the metrics and the time") {
  const Sandbox sandbox;
  const std::string words = "--model plain --model.log true --trainer.max_epochs 2 ";
  const Outcome outcome = sandbox.bare("", words);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("host: info: plain on rows: trained 2 epochs (8 steps) in 0:0") &&
                              ContainsSubstring(", training_step_loss ") &&
                              ContainsSubstring("validation_step_loss ") && ContainsSubstring("; tested in 0:0") &&
                              ContainsSubstring(", test_step_loss "));
  CHECK(count(outcome.err, "plain on rows: ") == 1);
  CHECK_THAT(sandbox.read(sandbox.run() / "log.txt"), ContainsSubstring("trained 2 epochs (8 steps)"));
  const Outcome test = sandbox.bare("test", words + "--ckpt_path last");
  CHECK_THAT(test.err, ContainsSubstring("plain on rows: tested in 0:0") && !ContainsSubstring("trained 2"));
}

TEST_CASE("a quiet run shows warnings only, and its log has everything") {
  const Sandbox sandbox;
  const std::string words =
      "--model plain --model.log true --trainer.max_epochs 1 --quiet --callback progress_bar "
      "--callback.progress_bar.style plain --callback results_table ";
  const Outcome outcome = sandbox.host("--plugins " LEVIN_TEST_PLUGINS " --data rows " + words);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.empty());
  for (const std::string& line : levin::core::split(levin::core::trim(outcome.err), '\n'))
    CHECK((line.empty() || levin::core::starts_with(line, "host: warning: ")));
  CHECK_THAT(sandbox.read(sandbox.run() / "log.txt"), ContainsSubstring("plain on rows: trained 1 epoch"));
}

TEST_CASE("lines for debugging are shown and logged with --verbose only") {
  const Sandbox sandbox;
  const std::string line = "debug: libtest_mistaken_models.so: a line for debugging";
  const Outcome usual = sandbox.bare("fit", short_run + "debug"),
                verbose = sandbox.bare("fit", short_run + "debug --verbose");
  CHECK_THAT(usual.err, !ContainsSubstring("a line for debugging"));
  CHECK_THAT(sandbox.read(sandbox.run(0) / "log.txt"), !ContainsSubstring("a line for debugging"));
  CHECK_THAT(verbose.err, ContainsSubstring("host: " + line));
  CHECK_THAT(sandbox.read(sandbox.run(1) / "log.txt"),
             ContainsSubstring(" debug ") && ContainsSubstring("for debugging"));
}

TEST_CASE("a callback does not get the state of another component that had its name") {
  const Sandbox sandbox;
  const std::string words = "--model plain --trainer.max_epochs 1 --callback.model_checkpoint.monitor '' ";
  REQUIRE(sandbox.bare("fit", words + "--callback cb=recorder").code == 0);
  const Outcome other = sandbox.bare("fit", words + "--callback cb=model_checkpoint --ckpt_path last");
  CHECK(other.code == 0);
  CHECK_THAT(other.err,
             ContainsSubstring("the state of callbacks.cb was saved by 'levin.test.portable:recorder', not by "
                               "'levin.model_checkpoint:model_checkpoint': it is left out"));
}

}  // namespace answers_test
