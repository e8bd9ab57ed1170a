// The calls of loggers in a run and after a resume, on the training thread (near) and on another one (far).
#include <algorithm>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace loggers_test {
namespace {

using Lines = std::vector<std::string>;

const std::string set_up =
    "--model plain --model.log true --data.train 4 --data.batch_size 2 --trainer.limit_val_batches 0 "
    "--trainer.log_every_n_steps 1 --callback.model_checkpoint.monitor '' "
    "--callback.model_checkpoint.save_last true ";
const char* const kinds[] = {"near", "far"};

// Returns the calls of an instance other than flush.
Lines calls(const Outcome& outcome, const std::string& name) {
  Lines out;
  for (const std::string& line : starting(outcome.trace, name + "."))
    if (line != name + ".flush") out.push_back(line.substr(name.size() + 1));
  return out;
}

Lines named(const Lines& lines, const std::string& call) { return starting(lines, call + " "); }

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a run's name, tags, options by type and late hyper-parameters reach loggers, and their address the user") {
  for (const std::string kind : kinds) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit", set_up +
                                                    "--trainer.max_epochs 1 --run_name 'first try' --tags a,b "
                                                    "--callback shower --logger " +
                                                    kind);
    REQUIRE(outcome.code == 0);
    const Lines all = calls(outcome, kind);
    REQUIRE(all.size() > 3);
    CHECK(all[0] == "begin fresh -1 'first try' #a #b max_epochs=1");
    CHECK(named(all, "hparams") == Lines({"hparams {\"data.found\":3}", "hparams {\"model.width\":64}"}));
    CHECK(named(all, "artifact") == Lines({"artifact config.json config"}));
    CHECK(all.back() == "finalize success");
    CHECK(count(outcome.err, kind + " shows this run at https://example.org/fresh") == 2);
    const auto config = levin::core::parse_json(sandbox.read(sandbox.run() / "config.json"), "config.json");
    CHECK(config.at("trainer").at("run_name") == "first try");
    CHECK(config.at("trainer").at("tags") == Lines({"a", "b"}));
  }
}

TEST_CASE("a logger whose url throws is told of and left out, as by any other call") {
  for (const std::string kind : kinds) {
    const Sandbox sandbox;
    const std::string own = " --logger." + kind;
    const Outcome outcome =
        sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --logger " + kind + own + ".do throw" + own + ".at url");
    CHECK(outcome.code == 0);
    CHECK(count(outcome.err, kind + ".url: scripted failure") == 1);
    CHECK_THAT(outcome.err, ContainsSubstring("the logger is skipped"));
  }
}

TEST_CASE("media have the steps of the metrics that are logged beside them") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", set_up + "--trainer.max_epochs 2 --callback shower --logger near --logger far");
  REQUIRE(outcome.code == 0);
  for (const std::string kind : kinds) {
    const Lines all = calls(outcome, kind);
    const Lines media = named(all, "media");
    Lines images;
    for (const std::string& line : media)
      if (levin::core::starts_with(line, "media image")) images.push_back(line);
    CHECK(images == Lines({"media image pixels 0 grey", "media image pixels 1 grey", "media image pixels 2 grey",
                           "media image pixels 3 grey"}));
    Lines steps;
    for (const std::string& line : named(all, "metrics"))
      if (line.find("at_end") != std::string::npos || line.find("now=") != std::string::npos)
        steps.push_back(line.substr(0, 9));
    CHECK(steps == Lines({"metrics 1", "metrics 1", "metrics 3", "metrics 3"}));
  }
}

TEST_CASE("wrong media are the mistake of who shows them, and no logger is left out for it") {
  const Sandbox sandbox;
  const Outcome wrong = sandbox.bare(
      "fit", set_up + "--trainer.max_epochs 1 --callback shower --callback.shower.mistake true --logger near");
  CHECK(wrong.code == 1);
  CHECK_THAT(wrong.error(), ContainsSubstring("libtest_loggers.so: shower.on_train_batch_end") &&
                                ContainsSubstring("image 'pixels'") && ContainsSubstring("not uint8 [2, 1, 6]"));
  CHECK_THAT(wrong.err, !ContainsSubstring("is skipped"));
  const Outcome early = sandbox.bare(
      "fit", set_up + "--trainer.max_epochs 1 --callback shower --callback.shower.early true --logger near");
  CHECK(early.code == 1);
  CHECK_THAT(early.error(), ContainsSubstring("shower.setup") && ContainsSubstring("have not begun yet"));
}

TEST_CASE("loggers are told what a checkpoint is when it is saved") {
  const Sandbox sandbox;
  const std::string words =
      "--model plain --model.log true --data.train 4 --data.batch_size 2 --trainer.limit_val_batches 0 "
      "--trainer.max_epochs 1 --callback.model_checkpoint.monitor training_step_loss "
      "--callback.model_checkpoint.filename one --logger near ";
  const Outcome outcome = sandbox.bare("fit", words + "--callback.model_checkpoint.save_last true");
  REQUIRE(outcome.code == 0);
  CHECK(named(calls(outcome, "near"), "after_save") ==
        Lines({"after_save one.ckpt best training_step_loss scored 0 2",
               "after_save last.ckpt last training_step_loss scored 0 2"}));
  const Outcome alone = sandbox.bare("fit", words + "--callback.model_checkpoint.save_last false");
  CHECK(named(calls(alone, "near"), "after_save") ==
        Lines({"after_save one.ckpt best last training_step_loss scored 0 2"}));
}

TEST_CASE("the state of a logger is loaded before it begins to go on, and a new run from a checkpoint has none of it") {
  for (const std::string kind : kinds) {
    const Sandbox sandbox;
    REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --logger " + kind).code == 0);
    const Outcome resumed = sandbox.host("resume " + sandbox.run().string() + " --max_epochs 2");
    REQUIRE(resumed.code == 0);
    const Lines all = calls(resumed, kind);
    REQUIRE(all.size() > 2);
    CHECK(all[0] == "load fresh-again");
    CHECK(levin::core::starts_with(all[1], "begin fresh-again 1 "));
    CHECK(count(resumed.err, "https://example.org/fresh-again") == 2);
    const Outcome other = sandbox.bare("fit", set_up + "--trainer.max_epochs 2 --ckpt_path last --logger " + kind);
    REQUIRE(other.code == 0);
    CHECK(levin::core::starts_with(calls(other, kind).at(0), "begin fresh -1 "));
  }
}

TEST_CASE("a logger that cannot begin, or not take its state back, ends the run by its name and gets no other call") {
  for (const std::string kind : kinds) {
    const Sandbox sandbox;
    const std::string words = set_up + "--trainer.max_epochs 1 --logger first=" + kind + " --logger bad=" + kind + " ";
    const Outcome begins = sandbox.bare("fit", words + "--logger.bad.do throw --logger.bad.at begin");
    REQUIRE(begins.code == 1);
    CHECK(begins.error_code() == "E0104");
    CHECK_THAT(begins.error(), ContainsSubstring("libtest_loggers.so: bad.begin: scripted failure"));
    CHECK(calls(begins, "bad").size() == 1);
    CHECK(calls(begins, "first").back() == "finalize failed");
    REQUIRE(sandbox.bare("fit", words).code == 0);
    const Outcome loads =
        sandbox.host("resume " + sandbox.run().string() + " --max_epochs 2 --logger.bad.do throw --logger.bad.at load");
    REQUIRE(loads.code == 5);
    CHECK_THAT(loads.error(), ContainsSubstring("libtest_loggers.so: bad.load: scripted failure"));
    CHECK(calls(loads, "bad") == Lines({"load fresh-again"}));
    CHECK(calls(loads, "first") == Lines({"load fresh-again"}));
  }
}

TEST_CASE("a logger that is left out has the state that it had in later checkpoints") {
  for (const std::string kind : kinds) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit", set_up +
                                                    "--trainer.max_epochs 1 --logger.x.do throw --logger.x.at metrics "
                                                    "--logger x=" +
                                                    kind);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("x.metrics: scripted failure; the logger is skipped"));
    const Outcome resumed = sandbox.host("resume " + sandbox.run().string() + " --max_epochs 2 --logger.x.do nothing");
    REQUIRE(resumed.code == 0);
    CHECK(calls(resumed, "x").at(0) == "load fresh-again");
  }
}

TEST_CASE("rows that a logger off the training thread had not taken when the run was killed reach it after a resume") {
  const Sandbox sandbox;
  const std::string words = set_up + "--trainer.max_epochs 3 --callback cb=recorder --callback shower --logger far ";
  const Outcome whole = sandbox.bare("fit", words);
  const Outcome killed = sandbox.bare("fit", words +
                                                 "--logger.far.stuck true --callback.cb.do exit_at_once "
                                                 "--callback.cb.at on_train_batch_start --callback.cb.epoch 2");
  CHECK(killed.code != 0);
  CHECK(named(calls(killed, "far"), "metrics").empty());
  const Outcome second =
      sandbox.host("resume " + sandbox.run(1).string() + " --logger.far.stuck false --callback.cb.do nothing");
  REQUIRE(whole.code == 0);
  REQUIRE(second.code == 0);
  Lines rows = named(calls(whole, "far"), "metrics"), media = named(calls(killed, "far"), "media");
  CHECK(named(calls(second, "far"), "metrics") == rows);
  for (const std::string& line : named(calls(second, "far"), "media")) media.push_back(line);
  CHECK(media == named(calls(whole, "far"), "media"));
  // Each row is delivered once: only the row after the last checkpoint is repeated.
  const Outcome third = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 4");
  REQUIRE(third.code == 0);
  const Lines repeated = named(calls(third, "far"), "metrics");
  REQUIRE(repeated.size() > 1);
  CHECK(repeated[0] == rows.back());  // row of the epoch's end, which follows its checkpoint (docs/adr/0032)
  CHECK(levin::core::starts_with(repeated[1], "metrics 6 "));
}

TEST_CASE("a logger that hangs does not keep a run from its end") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --logger far --logger.far.stuck true --logger_timeout 0.1");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("libtest_loggers.so: far.metrics has not returned for") &&
                              ContainsSubstring("lost: ") && ContainsSubstring("rows of metrics") &&
                              ContainsSubstring("1 finalize"));
}

}  // namespace loggers_test
