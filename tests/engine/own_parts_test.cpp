// Optimizers and callbacks of a model's own plugin.
#include "host_process/sandbox.hpp"
#include "saved.hpp"

namespace own_parts_test {
namespace {

using levin::core::SafetensorsReader;

const std::string set_up =
    "--model own_parts --data.train 14 --data.batch_size 3 --trainer.limit_val_batches 0 "
    "--callback.model_checkpoint.monitor '' --callback.model_checkpoint.save_last true ";

}  // namespace

TEST_CASE("a run with a plugin's optimizer goes on from a checkpoint as the uninterrupted one") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 4").code == 0);
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 2").code == 0);
  const Outcome second = sandbox.host("resume " + sandbox.run(1).string() + " --max_epochs 4");
  REQUIRE(second.code == 0);
  CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");
  const SafetensorsReader file(last(sandbox, 0));
  for (const char* name :
       {"optimizer_states.0.0.in.weight.momentum_buffer", "optimizer_states.0.1.out.bias.momentum_buffer"})
    CHECK(bytes_of(file, name).find_first_not_of('\0') != std::string::npos);
}

TEST_CASE("a range test with a plugin's optimizer puts everything back") {
  const Sandbox sandbox;
  REQUIRE(sandbox.bare("fit", set_up + "--trainer.max_epochs 2").code == 0);
  const Outcome tuned = sandbox.bare("fit", set_up +
                                                "--trainer.max_epochs 2 --callback learning_rate_finder "
                                                "--callback.learning_rate_finder.num_training_steps 10 "
                                                "--callback.learning_rate_finder.update_attr false");
  REQUIRE(tuned.code == 0);
  CHECK(trained(last(sandbox, 0)) == trained(last(sandbox, 1)));
}

TEST_CASE("options of a plugin's optimizer are checked") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --model.optimizer_options '{\"momentun\": 0.9}'");
  CHECK(outcome.code != 0);
  CHECK_THAT(outcome.error(), ContainsSubstring("own_momentum") && ContainsSubstring("did you mean 'momentum'"));
}

TEST_CASE("a model brings several callbacks of one component; they replace the run's, not each other") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --model.brings two --callback mine=probe");
  REQUIRE(outcome.code == 0);
  CHECK(starting(outcome.trace, "first.setup") == std::vector<std::string>{"first.setup 0"});
  CHECK(starting(outcome.trace, "second.setup") == std::vector<std::string>{"second.setup 0"});
  CHECK(starting(outcome.trace, "mine.").empty());
}

TEST_CASE("options of callbacks that a model brings are checked as a user's are") {
  const Sandbox sandbox;
  const std::pair<const char*, const char*> cases[] = {{"unknown_option", "no option 'resize'"},
                                                       {"no_object", "options must be an object"}};
  for (const auto& [brings, says] : cases) {
    const Outcome outcome = sandbox.bare("fit", set_up + "--trainer.max_epochs 1 --model.brings " + brings);
    CHECK(outcome.code != 0);
    CHECK_THAT(outcome.error(), ContainsSubstring("configure_callbacks of 'own_parts'") && ContainsSubstring(says));
  }
}

TEST_CASE("the batch size changes between epochs, and neither it nor a trial within one") {
  const Sandbox sandbox;
  const auto with = [&](const std::string& words) {
    return sandbox.bare("fit",
                        "--model own_parts --data.train 4 --trainer.limit_val_batches 0 --trainer.max_epochs 2 "
                        "--callback model_checkpoint=false --callback cb=probe --callback.cb.resize_at " +
                            words);
  };
  const Outcome before = with("on_train_start"), between = with("on_train_epoch_end");
  INFO(before.err << between.err);
  CHECK(starting(before.trace, "cb.rows") == std::vector<std::string>(4, "cb.rows 2"));
  CHECK(starting(between.trace, "cb.rows") ==
        std::vector<std::string>{"cb.rows 1", "cb.rows 1", "cb.rows 1", "cb.rows 1", "cb.rows 2", "cb.rows 2"});
  for (const char* words : {"on_train_batch_end", "on_train_batch_end --callback.cb.trial true"}) {
    const Outcome within = with(words);
    CHECK(within.code != 0);
    CHECK_THAT(within.error(), ContainsSubstring("between epochs"));
  }
}

TEST_CASE("what fails in the sanity check is torn down as the fit that it is part of") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit",
                                       "--model plain --model.do throw --model.at validation_step --trainer.max_epochs "
                                       "1 --callback model_checkpoint=false --callback cb=probe");
  CHECK(outcome.code == 1);
  CHECK(starting(outcome.trace, "cb.setup") == std::vector<std::string>{"cb.setup 0"});
  CHECK(starting(outcome.trace, "cb.teardown") == std::vector<std::string>{"cb.teardown 0"});
}

}  // namespace own_parts_test
