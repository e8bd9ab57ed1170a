// Tuners work on a copy of the state: a fit after them is the fit without them.
#include <filesystem>

#include "catch.hpp"
#include "sandbox.hpp"
#include "saved.hpp"

namespace {

using levin::core::SafetensorsReader;

// Weights and the optimizer's state, as bytes.
std::string trained(const std::string& file) {
  const SafetensorsReader reader(file);
  std::string out;
  for (const std::string& name : reader.names())
    if (name.compare(0, 10, "state_dict") == 0 || name.compare(0, 16, "optimizer_states") == 0)
      out += name + bytes_of(reader, name);
  return out;
}

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
  INFO(tuned.err);
  REQUIRE(plain.code == 0);
  REQUIRE(tuned.code == 0);
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(trained(last(0)) == trained(last(1)));
  CHECK(std::filesystem::exists(sandbox.run(1) / "lr_find.svg"));
}

TEST_CASE("host tune trains nothing and writes its suggestions into the options") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("tune",
                   "--model plain --data.train 40 --callback model_checkpoint=false --callback cb=recorder --callback "
                   "batch_size_finder "
                   "--callback.batch_size_finder.max_trials 3 --callback.batch_size_finder.steps_per_trial 1");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(sandbox.read(sandbox.run() / "config.json"), ContainsSubstring("\"batch_size\": 8"));
  CHECK_THAT(sandbox.read(sandbox.run() / "batch_size.json"), ContainsSubstring("[2, 4, 8]"));
  CHECK(starting(outcome.trace, "cb.on_train_start").empty());
  CHECK(starting(outcome.trace, "cb.on_train_batch_end").empty());
}

TEST_CASE("averaged weights are validated, saved and kept") {
  const Sandbox sandbox;
  const std::string words = std::string("--model plain --trainer.max_epochs 2 ") + quiet;
  const Outcome outcome = sandbox.bare("fit", words + "--callback weight_averaging");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  REQUIRE(sandbox.bare("fit", words).code == 0);
  const auto last = [&](int run) { return (sandbox.run(run) / "checkpoints" / "last.ckpt").string(); };
  CHECK(trained(last(0)) != trained(last(1)));
}
