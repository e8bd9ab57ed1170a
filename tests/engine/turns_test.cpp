// Several optimizers, truncated splits in time, several loaders and samplers: the arguments of model calls.
#include "host_process/sandbox.hpp"

namespace turns_test {
namespace {

using Lines = std::vector<std::string>;

Outcome fit(const std::string& words) {
  const Sandbox sandbox;
  return sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS LEVIN_TEST_QUIET
                      " --callback model_checkpoint=false --logger false " +
                      with_defaults({"--trainer.max_epochs 1 "}, "--model " + words));
}

Lines trace(const std::string& words, const std::string& start) {
  const Outcome outcome = fit(words);
  INFO(words << "\n" << outcome.err);
  CHECK(outcome.code == 0);
  return starting(outcome.trace, start);
}

}  // namespace

TEST_CASE("every optimizer takes every batch, its parameters alone need gradients, and only its schedule moves") {
  const Lines lines = trace("turns --model.rows 2", "");
  CHECK(starting(lines, "step") == Lines{"step 0 0 grad 10 lr 1.000", "step 0 1 grad 01 lr 1.000",
                                         "step 1 0 grad 10 lr 1.000", "step 1 1 grad 01 lr 0.500"});
  CHECK(starting(lines, "epoch_end") == Lines{"epoch_end 4 twice"});
  CHECK(starting(lines, "global_step") == Lines{"global_step 4"});
}

TEST_CASE("with frequencies one optimizer takes a batch, and its schedule moves on its turns") {
  CHECK(trace("turns --model.rows 6 --model.first_turns 2 --model.second_turns 1", "step") ==
        Lines{"step 0 0 grad 10 lr 1.000", "step 1 0 grad 10 lr 1.000", "step 2 1 grad 01 lr 1.000",
              "step 3 0 grad 10 lr 1.000", "step 4 0 grad 10 lr 1.000", "step 5 1 grad 01 lr 0.500"});
}

TEST_CASE("what several optimizers and splits cannot be counted with is refused") {
  const std::pair<const char*, const char*> cases[] = {
      {"turns --model.first_turns 1", "1 of 2"},
      {"turns --model.first_turns 1 --model.second_turns 1 --trainer.accumulate_grad_batches 2", "frequencies"},
      {"recurrent --trainer.truncated_bptt_steps 1 --trainer.accumulate_grad_batches 2", "truncated_bptt_steps"},
      {"together --model.second 2 --trainer.truncated_bptt_steps 1", "one training loader only"},
  };
  for (const auto& [words, says] : cases) {
    const Outcome outcome = fit(words);
    CHECK(outcome.code != 0);
    CHECK_THAT(outcome.error(), ContainsSubstring(says));
    if (says == std::string("1 of 2")) CHECK(outcome.error_code() == "E0230");
  }
}

TEST_CASE("a batch is cut in time; the hidden state goes from split to split, detached, and not to the next batch") {
  const Lines lines = trace("recurrent --model.rows 2 --model.steps 5 --trainer.truncated_bptt_steps 2", "");
  CHECK(starting(lines, "split") == Lines{"split 0 0 width 2 seen 0", "split 0 1 width 2 seen 2",
                                          "split 0 2 width 1 seen 4", "split 1 0 width 2 seen 0",
                                          "split 1 1 width 2 seen 2", "split 1 2 width 1 seen 4"});
  CHECK(starting(lines, "global_step") == Lines{"global_step 6"});
}

TEST_CASE("splits are logged as if they were batches") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS LEVIN_TEST_QUIET
                   " --callback model_checkpoint=false --logger recording_logger "
                   "--trainer.max_epochs 1 --trainer.log_every_n_steps 2 --trainer.truncated_bptt_steps 2 "
                   "--model recurrent --model.rows 2 --model.steps 5");
  CHECK(outcome.code == 0);
  CHECK(starting(outcome.trace, "log.metrics") ==
        Lines{"log.metrics 1 width=2 epoch=0", "log.metrics 3 width=2 epoch=0", "log.metrics 5 width=1 epoch=0"});
}

TEST_CASE("several train loaders give their batches together, as the mode says") {
  const std::string words = "together --model.rows 3 --model.second 2 --trainer.multiple_trainloader_mode ";
  CHECK(trace(words + "max_size_cycle", "batch") == Lines{"batch 0 100", "batch 1 101", "batch 2 100"});
  CHECK(trace(words + "max_size", "batch") == Lines{"batch 0 100", "batch 1 101", "batch 2 -"});
  CHECK(trace(words + "min_size", "batch") == Lines{"batch 0 100", "batch 1 101"});
}

TEST_CASE("several train loaders one after another: an epoch has the batches of all, and a step knows the loader") {
  const std::string words = "together --model.rows 3 --model.second 2 --trainer.multiple_trainloader_mode sequential ";
  const Lines epoch = {"batch 0", "batch 1", "batch 2", "batch 100", "batch 101"};
  Lines both = epoch;
  both.insert(both.end(), epoch.begin(), epoch.end());
  CHECK(trace(words + "--trainer.max_epochs 2", "batch") == both);
  CHECK(trace(words, "from") ==
        Lines{"from loader 0", "from loader 0", "from loader 0", "from loader 1", "from loader 1"});
  CHECK(trace(words + "--trainer.limit_train_batches 1", "batch") == Lines{"batch 0", "batch 100"});
}

TEST_CASE("a data module chooses the sampler of its loaders, each time they are made") {
  CHECK(trace("together --model.rows 3 --model.weighted true", "batch") == Lines{"batch 2", "batch 2", "batch 2"});
  CHECK(trace("together --model.rows 3 --trainer.max_epochs 3 --trainer.reload_dataloaders_every_n_epochs 2",
              "data.dataloader") == Lines{"data.dataloader 0 0", "data.dataloader 0 2"});
}

TEST_CASE("L-BFGS finds the minimum through a closure under manual optimization") {
  CHECK(trace("closure --model.rows 2", "w").back() == "w 3.000");
}

}  // namespace turns_test
