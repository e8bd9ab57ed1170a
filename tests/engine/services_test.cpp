// The services of a run, called by a callback.
#include "host_process/sandbox.hpp"

namespace services_test {
namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a callback lists the run's checkpoints, and uses the paths that it is given") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit",
                   "--model plain --model.log true --data.train 4 --data.batch_size 2 --trainer.max_epochs 2 "
                   "--trainer.limit_val_batches 0 "
                   "--callback.model_checkpoint.monitor training_step_loss --callback.model_checkpoint.mode max "
                   "--callback.model_checkpoint.save_top_k 2 --callback.model_checkpoint.filename '{epoch}' "
                   "--callback.model_checkpoint.save_last true --callback asker");
  REQUIRE(outcome.code == 0);
  CHECK(starting(outcome.trace, "asker.at_start").empty());
  const Lines listed = starting(outcome.trace, "asker.at_end"), left = starting(outcome.trace, "asker.removed");
  REQUIRE(listed.size() == 3);
  const std::string names[] = {"epoch=0.ckpt", "epoch=1.ckpt", "last.ckpt"};
  size_t best = 0;
  for (size_t i = 0; i < 3; ++i) {
    const bool is_best = listed[i] == "asker.at_end " + names[i] + " best scored";
    if (is_best) best = i;
    CHECK((is_best || listed[i] == "asker.at_end " + names[i] + (i == 2 ? " last" : "")));
  }
  CHECK(left == Lines{"asker.removed " + names[best] + " best scored"});
}

TEST_CASE("weights that a hook loads to begin with do not undo a resume, which is told") {
  const Sandbox sandbox;
  const std::string words = "--model plain --data.train 4 --trainer.limit_val_batches 0 ";
  REQUIRE(sandbox.bare("fit", words + "--trainer.max_epochs 2").code == 0);
  const std::string other = (sandbox.run(0) / "checkpoints").string();
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(other)) file = entry.path().string();
  const std::string pretrained = words + "--callback pretrained --callback.pretrained.weights '" + file + "' ";
  const Outcome first = sandbox.bare("fit", pretrained + "--trainer.max_epochs 1");
  REQUIRE(first.code == 0);
  CHECK(starting(first.trace, "pretrained") == Lines{"pretrained.new"});
  CHECK(first.err.find("does nothing") == std::string::npos);
  const Outcome resumed = sandbox.host("resume '" + sandbox.run(1).string() + "' --trainer.max_epochs 2");
  CHECK(resumed.code == 0);
  CHECK(starting(resumed.trace, "pretrained") == Lines{"pretrained.resumed"});
  CHECK_THAT(resumed.err, ContainsSubstring("has no effect: this run was resumed from"));
}

TEST_CASE("the memory of the CPU is the machine's") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", "--model plain --trainer.fast_dev_run 1 --callback asker");
  INFO(outcome.err);
  CHECK(starting(outcome.trace, "asker.memory") == Lines{"asker.memory known"});
}

TEST_CASE("an option, index or algorithm that an optimizer does not have is an invalid argument") {
  const Sandbox sandbox;
  for (const char* model : {"plain", "own_parts"}) {
    const std::string words = std::string("--trainer.fast_dev_run 1 --callback asker --model ") + model;
    const Outcome outcome = sandbox.bare("fit", words);
    INFO(model << ": " << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(starting(outcome.trace, "asker.mistake") == Lines(8, "asker.mistake invalid"));
    const Outcome fails = sandbox.bare("fit", words + " --callback.asker.option momentun");
    CHECK(fails.code != 0);
    CHECK_THAT(fails.error(), ContainsSubstring("'momentun'") && ContainsSubstring("did you mean 'momentum'"));
  }
}

}  // namespace services_test
