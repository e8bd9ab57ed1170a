// Runs with non-finite losses: exit codes, checkpoints and the best checkpoint, for every policy.
#include <algorithm>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace non_finite_test {
namespace {

const std::string nan_at_2 = "--model.do nan --model.at training_step --model.batch 2 ";
const std::string fit = "--trainer.max_epochs 2 --trainer.num_sanity_val_steps 0 ";

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("by default a loss that is not finite ends the run with its own code, and no weight was changed") {
  const Sandbox sandbox;
  for (const std::string model : {"plain", "scripted", "scripted_manual"}) {
    INFO(model);
    const Outcome outcome =
        sandbox.bare("fit", "--model " + model + " " + fit + nan_at_2 + "--callback model_checkpoint=false");
    CHECK(outcome.code == 6);
    CHECK_THAT(outcome.error(),
               ContainsSubstring("epoch 0, batch_idx 2, global_step 2: the gradient of 'in.weight' (and 3 more)") &&
                   ContainsSubstring("the loss is nan (all fields of the batch are finite); no weight was changed") &&
                   ContainsSubstring("--trainer.non_finite skip") && !ContainsSubstring("(epoch 0"));
  }
}

TEST_CASE("a stop at a loss that is not finite saves the weights, and the resumed fit goes on after that batch") {
  const std::string words = "--model plain --callback model_checkpoint=false " + fit;
  for (const char* stop : {"", "--trainer.terminate_on_nan true ", "--trainer.accumulate_grad_batches 2 ",
                           "--trainer.detect_anomaly true "}) {
    const Sandbox sandbox;
    const Outcome failed = sandbox.bare("fit", words + nan_at_2 + stop);
    CHECK(failed.code == (std::string(stop).find("anomaly") == std::string::npos ? 6 : 1));
    const std::string folder = sandbox.run().string();
    CHECK_THAT(failed.err, ContainsSubstring("interrupted.ckpt; resume with: host resume " + folder));
    const Outcome resumed = sandbox.host("resume " + folder + " --model.do nothing");
    CHECK(resumed.code == 0);
    CHECK_THAT(resumed.err,
               ContainsSubstring("resumes from ") && ContainsSubstring("interrupted.ckpt (epoch 0, step "));
  }
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", words + nan_at_2).code == 6);
  const Outcome resumed = sandbox.host("resume " + sandbox.run().string() + " --model.do nothing");
  CHECK_THAT(resumed.err,
             ContainsSubstring("(epoch 0, step 3)") && ContainsSubstring("1 of 8 optimizer steps were skipped"));
}

TEST_CASE("a stop at the first batch, and one with spoiled weights, say that nothing was saved and why") {
  const Sandbox first, weights;
  const std::string words = "--model plain --callback model_checkpoint=false " + fit;
  const Outcome early = first.bare("fit", words + "--model.do nan --model.at training_step --model.batch 0");
  CHECK(early.code == 6);
  CHECK_THAT(early.err, ContainsSubstring("warning: nothing was saved: no optimizer step was done before it"));
  const Outcome spoiled = weights.bare("fit", words + "--callback misuser --callback.misuser.what nan_parameter");
  CHECK(spoiled.code == 6);
  CHECK_THAT(spoiled.err, ContainsSubstring("nothing was saved: the parameter 'out.bias' is NaN or infinite"));
  CHECK_FALSE(std::filesystem::exists(weights.run() / "checkpoints" / "interrupted.ckpt"));
}

TEST_CASE("a stop that saves nothing new names the checkpoint to go on from") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", "--model plain " + fit + nan_at_2 + "--callback.model_checkpoint.every_n_train_steps 1 ");
  CHECK(outcome.code == 6);
  CHECK_THAT(outcome.err, ContainsSubstring("nothing new was saved; the last checkpoint is ") &&
                              ContainsSubstring("; resume with: host resume " + sandbox.run().string()));
}

TEST_CASE("a NaN in the data is named by its field, its row and the batch, also in a window of accumulated batches") {
  for (const char* window : {"1", "2"}) {
    const Sandbox sandbox;
    const Outcome outcome = sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS
                                         " --model plain --data nan_rows --data.batch_size 1 --data.shuffle false " +
                                         fit + "--trainer.accumulate_grad_batches " + window);
    CHECK(outcome.code == 6);
    CHECK_THAT(
        outcome.error(),
        ContainsSubstring(std::string("epoch 0, batch_idx 2, global_step ") + (*window == '1' ? "2: " : "1: ")) &&
            ContainsSubstring("field 'x' of the batch is NaN or infinite in 1 of 1 rows, first in row 0, sample 2"));
  }
}

TEST_CASE("skip goes on, says how many steps were skipped, and what it saves is finite") {
  const Sandbox sandbox;
  for (const std::string model : {"plain", "scripted_manual --model.optimizers 2"}) {
    const Outcome outcome =
        sandbox.bare("fit", "--model " + model + " " + fit + nan_at_2 + "--trainer.non_finite skip");
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, ContainsSubstring("this step was skipped") && ContainsSubstring("steps were skipped"));
  }
  const Outcome outcome = sandbox.bare("validate", "--model plain --ckpt_path last");
  CHECK(outcome.code == 0);
}

TEST_CASE("a fit that goes on counts the steps that were left out before, from the checkpoint of any batch") {
  const Sandbox sandbox;
  const std::string words = "--model plain " + fit + nan_at_2 + "--trainer.non_finite skip ";
  const Outcome whole = sandbox.bare("fit", words +
                                                "--callback.model_checkpoint.every_n_train_steps 1 "
                                                "--callback.model_checkpoint.save_top_k -1 ");
  INFO(whole.err);
  const size_t at = whole.err.find("2 of ");
  REQUIRE(at != std::string::npos);
  const std::string line = whole.err.substr(at, whole.err.find('\n', at) - at);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.folder()))
    if (entry.path().extension() == ".ckpt") files.push_back(entry.path().string());
  CHECK(files.size() > 4);
  for (const std::string& file : files) {
    const Outcome rest = sandbox.bare("fit", words + "--callback model_checkpoint=false --ckpt_path " + file);
    INFO(file << "\n" << rest.err);
    CHECK_THAT(rest.err, ContainsSubstring(line));
  }
}

TEST_CASE("roll_back takes the weights of the last checkpoint and goes on with the data") {
  const Sandbox sandbox;
  const std::string words = "--model plain " + fit + nan_at_2 + "--trainer.non_finite roll_back ";
  const Outcome none = sandbox.bare("fit", words);
  CHECK(none.code == 6);
  CHECK(none.error_code() == "E0603");
  CHECK_THAT(none.error(), ContainsSubstring("this run has no checkpoint to roll back to yet"));
  const Outcome outcome = sandbox.bare("fit", words + "--callback.model_checkpoint.every_n_train_steps 1");
  CHECK(outcome.code == 0);
  CHECK(count(outcome.err, "restored weights and optimizers from ") == 2);  // once per epoch
  const Outcome two = sandbox.bare("fit", words + "--callback.model_checkpoint.every_n_train_steps 1 --data.train 8 " +
                                              "--data.batch_size 1 --trainer.devices 2 --trainer.accelerator cpu");
  CHECK(two.code == 0);
  CHECK(count(two.err, "last.ckpt (trainer.non_finite=roll_back)") == 2);  // printed by both processes
  CHECK(count(sandbox.read(sandbox.run(2) / "log.rank-1.txt"), "last.ckpt (trainer.non_finite=roll_back)") == 2);
}

TEST_CASE("weights that are not finite are neither saved nor the end of a good run") {
  const Sandbox sandbox;
  const std::string words = "--model plain --trainer.max_epochs 1 --model.scale 1e9 --model.lr 10 ";
  for (const std::string callback : {"", "--callback model_checkpoint=false "}) {
    const Outcome outcome = sandbox.bare("fit", words + callback);
    CHECK(outcome.code == 6);
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.folder()))
    CHECK((entry.path().extension() != ".ckpt" || entry.path().filename() == "interrupted.ckpt"));
}

TEST_CASE("a checkpoint with a score that is not a number is never announced as the best") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit",
                   "--model plain --model.log true --trainer.max_epochs 1 --model.do nan --model.at validation_step "
                   "--trainer.num_sanity_val_steps 0 --callback.model_checkpoint.monitor validation_step_loss "
                   "--callback.model_checkpoint.save_last true");
  CHECK(outcome.code == 0);
  CHECK_THAT(sandbox.read(sandbox.run() / "checkpoints/index.json"),
             ContainsSubstring("\"last\"") && !ContainsSubstring("\"best\""));
}

}  // namespace non_finite_test
