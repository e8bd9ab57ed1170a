// Checkpoints that are written during training, and those saved by a failing run.

#include "host_process/sandbox.hpp"
#include "saved.hpp"

namespace saves_test {
namespace fs = std::filesystem;

namespace {

const std::string set_up =
    "--model plain --model.momentum 0.9 --model.log true --data.train 14 --data.batch_size 3 --data.val [5] "
    "--callback.model_checkpoint.save_last true --callback.model_checkpoint.monitor ";
const std::string two_epochs = " --trainer.max_epochs 2 ";

fs::path checkpoint(const Sandbox& sandbox, const char* name, int version = 0) {
  return sandbox.run(version) / "checkpoints" / name;
}

}  // namespace

TEST_CASE("best and last of one step are one file, and each stays what it is when the other is replaced") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", set_up + "validation_step_loss" + two_epochs);
  REQUIRE(outcome.code == 0);
  CHECK(fs::equivalent(checkpoint(sandbox, "last.ckpt"), checkpoint(sandbox, "epoch=1-step=10.ckpt")));
  const std::string index = sandbox.read(checkpoint(sandbox, "index.json"));
  CHECK_THAT(index, ContainsSubstring("checkpoints/last.ckpt") && ContainsSubstring("epoch=1-step=10.ckpt"));
  const Outcome more = sandbox.host("resume " + sandbox.run().string() + " --max_epochs 3");
  REQUIRE(more.code == 0);
  CHECK_FALSE(fs::exists(checkpoint(sandbox, "last-v1.ckpt")));
}

TEST_CASE("how files are written changes nothing in them") {
  const Sandbox sandbox;
  const char* const ways[] = {"wait", "skip", "off"};
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = sandbox.bare("fit", set_up + "''" + two_epochs +
                                                    "--callback.model_checkpoint.every_n_train_steps 2 "
                                                    "--callback.model_checkpoint.async_save " +
                                                    ways[i]);
    REQUIRE(outcome.code == 0);
    if (std::string(ways[i]) == "skip") continue;  // the speed of the disk decides which saves are skipped
    CHECK(difference(checkpoint(sandbox, "last.ckpt").string(), checkpoint(sandbox, "last.ckpt", i).string()) == "");
  }
}

TEST_CASE("a file that cannot be written ends the run, whenever that is found") {
  const Sandbox sandbox;
  const fs::path taken = sandbox.folder() / "files" / "one.ckpt";
  fs::create_directories(taken / "x");
  for (const char* epochs : {"1", "3"}) {  // at the end of the fit; after a batch
    const Outcome outcome = sandbox.bare(
        "fit", set_up +
                   "'' --callback.model_checkpoint.filename one --callback.model_checkpoint.enable_version_counter "
                   "false --callback.model_checkpoint.dirpath " +
                   taken.parent_path().string() + " --trainer.max_epochs " + epochs);
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.error(), ContainsSubstring("one.ckpt: cannot take this name"));
    CHECK_FALSE(fs::exists(taken.parent_path() / "last.ckpt"));
  }
}

TEST_CASE("a run that fails in its first epoch leaves the steps that it has trained") {
  const std::string words =
      set_up + "''" + two_epochs + "--logger recording_logger --trainer.log_every_n_steps 1 --callback cb=recorder ";
  const Sandbox whole_run;
  const Outcome whole = whole_run.bare("fit", words);
  REQUIRE(whole.code == 0);
  for (const std::string failure :
       {"--callback.cb.do throw --callback.cb.at on_train_batch_start --callback.cb.batch 3",
        "--callback.cb.do throw --callback.cb.at on_train_batch_end --callback.cb.batch 3",
        "--model.do throw --model.at training_step --model.batch 3"}) {
    const Sandbox sandbox;
    const Outcome first = sandbox.bare("fit", words + failure);
    INFO(failure << "\n" << first.err);
    CHECK(first.code == 1);
    CHECK_THAT(first.err, ContainsSubstring("interrupted.ckpt; resume with: host resume"));
    const Outcome second =
        sandbox.host("resume " + sandbox.run().string() + " --callback.cb.do nothing --model.batch 99");
    REQUIRE(second.code == 0);
    CHECK_THAT(second.err, !ContainsSubstring("they are kept"));
    if (failure.find("--model") == 0) continue;  // the step in which it failed is counted
    CHECK(difference(checkpoint(sandbox, "last.ckpt").string(), checkpoint(whole_run, "last.ckpt").string()) == "");
  }
}

TEST_CASE("a failure with nothing to save, or with a checkpoint to go on from, leaves none more") {
  const std::string failure = "'' --model.do throw --model.at training_step ";
  for (const std::string words : {"--model.batch 0", "--model.batch 1 --model.epoch 1"}) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.bare("fit", set_up + failure + two_epochs + words);
    CHECK(outcome.code == 1);
    CHECK_FALSE(fs::exists(checkpoint(sandbox, "interrupted.ckpt")));
  }
}

}  // namespace saves_test
