// A run that goes on from a checkpoint is the run that was never interrupted, bit by bit: weights, optimizer state,
// schedule, generator and every logged value, with shuffled rows, dropout and momentum.
#include "catch.hpp"
#include "sandbox.hpp"
#include "saved.hpp"

namespace {

const std::string set_up =
    "--model plain --model.momentum 0.9 --model.dropout 0.3 --model.log true --data.train 14 --data.batch_size 3 "
    "--data.val [5] --data.num_workers 2 --logger recording_logger --trainer.log_every_n_steps 1 "
    "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true --trainer.num_sanity_val_steps "
    "1 ";

std::string last(const Sandbox& sandbox, int version) {
  return (sandbox.run(version) / "checkpoints" / "last.ckpt").string();
}

std::vector<std::string> logged(const Outcome& outcome) { return starting(outcome.trace, "log.metrics"); }

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a run resumed at the end of an epoch equals the uninterrupted one") {
  for (const char* scheduler : {"epoch", "step", "plateau"}) {
    const Sandbox sandbox;
    const std::string words = set_up + "--model.scheduler " + scheduler;
    const Outcome whole = sandbox.bare("fit", words + " --trainer.max_epochs 4");
    const Outcome first = sandbox.bare("fit", words + " --trainer.max_epochs 2");
    const Outcome second = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 4");
    INFO(scheduler << "\n" << second.err);
    REQUIRE(whole.code == 0);
    REQUIRE(first.code == 0);
    REQUIRE(second.code == 0);
    CHECK(logged(whole).size() > 20);
    CHECK(joined(logged(first), logged(second)) == logged(whole));
    CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
  }
}

TEST_CASE("a run resumed with --ckpt_path instead of its folder equals the uninterrupted one too") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 3").code == 0);
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  const Outcome second = sandbox.bare("fit", set_up + "--trainer.max_epochs 3 --ckpt_path " + last(sandbox, 1));
  INFO(second.err);
  REQUIRE(second.code == 0);
  CHECK(difference(last(sandbox, 0), last(sandbox, 2)) == "");
}

TEST_CASE("a run that was interrupted within an epoch goes on with the next batch") {
  const Sandbox sandbox;
  const Outcome whole = sandbox.bare("fit", set_up + "--trainer.max_epochs 3");
  const std::string at = " --model.do interrupt --model.at training_step --model.epoch 1 --model.batch 2";
  const Outcome first = sandbox.bare("fit", set_up + "--trainer.max_epochs 3" + at);
  const Outcome second = sandbox.host("resume " + sandbox.run(1).string());
  INFO(second.err);
  REQUIRE(whole.code == 0);
  REQUIRE(first.code == 130);
  REQUIRE(second.code == 0);
  CHECK_THAT(second.err, ContainsSubstring("interrupted.ckpt (epoch 1, step 8)"));
  CHECK(joined(logged(first), logged(second)) == logged(whole));
  CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
}

TEST_CASE("what cannot be resumed is said") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 1").code == 0);
  struct Case {
    std::string words;
    int code;
    const char* says;
  };
  const std::string file = last(sandbox, 0);
  const Case cases[] = {
      {"resume " + (sandbox.folder() / "nowhere").string(), 2, "there is no run folder"},
      {"resume " + sandbox.run(0).string() + " --ckpt_path /nowhere.ckpt", 5, "/nowhere.ckpt"},
      {"resume " + sandbox.run(0).string() + " --ckpt_path best --max_epochs 2", 0, ""},
  };
  for (const Case& c : cases) {
    const Outcome outcome = sandbox.host(c.words);
    INFO(c.words << "\n" << outcome.err);
    CHECK(outcome.code == c.code);
    CHECK_THAT(outcome.error(), ContainsSubstring(c.says));
  }
  const Outcome manual = sandbox.bare("fit", "--model scripted_manual --model.optimizers 2 --ckpt_path " + file);
  INFO(manual.err);
  CHECK(manual.code == 5);
  CHECK_THAT(manual.error(), ContainsSubstring("1 optimizers") && ContainsSubstring("has 2"));
}
