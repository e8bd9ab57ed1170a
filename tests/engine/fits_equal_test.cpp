// A fit of several processes trains the same weights as one process with the whole batch. 32-bit sums in another order
// cause the default tolerance of 1e-6.
#include "fits.hpp"

namespace fits_equal_test {
namespace {

struct Variant {
  std::string words;  // additional options of the fit with several processes
  double tolerance = 1e-6;
  int processes = 2;
};
struct Kind {
  std::string words;  // options of both fits
  std::vector<Variant> variants;
};

void check_equal(const Kind& kind) {
  const Sandbox box;
  int version = 0;
  const Outcome one = fit(box, 1, kind.words);
  INFO(kind.words << "\n" << one.err);
  REQUIRE(one.code == 0);
  const Weights expected = weights_in(last(box, 0));
  for (const Variant& variant : kind.variants) {
    const Outcome several = fit(box, variant.processes, kind.words + " " + variant.words);
    INFO(variant.words << "\n" << several.err);
    REQUIRE(several.code == 0);
    CHECK(apart(expected, weights_in(last(box, ++version))) <= variant.tolerance);
  }
}

}  // namespace

TEST_CASE("every way of reducing gradients trains the weights of one process") {
  check_equal({"--model.optimizer sgd",
               {{""},
                {"--trainer.gradient_as_bucket_view true --trainer.bucket_cap_mb 0.001 --trainer.static_graph true"},
                {"--trainer.shared_memory off --trainer.bucket_cap_mb 0.001 --trainer.find_unused_parameters true"},
                {"--trainer.strategy zero1"},
                {"--trainer.gradient_compression fp16 --trainer.gradient_as_bucket_view true", 1e-3},
                {"", 1e-6, 4}}});
}

TEST_CASE("every way of optimizing trains the weights of one process") {
  const Kind kinds[] = {
      {"--trainer.accumulate_grad_batches 2 --trainer.gradient_clip_val 0.1",  // the last window is short
       {{"--trainer.gradient_as_bucket_view true"}, {"--trainer.strategy zero1"}}},
      {"--trainer.accumulate_grad_batches 2 --trainer.accumulate_exact true --trainer.gradient_clip_val 0.01 "
       "--trainer.gradient_clip_algorithm value",
       {{""}}},
      {"--trainer.precision bf16-mixed", {{"", 1e-2}}},
      {"--model gan", {{"--trainer.gradient_as_bucket_view true"}, {"--trainer.strategy zero1"}}},
      {"--model gan --model.clip norm", {{"--trainer.gradient_as_bucket_view true"}, {"", 1e-6, 4}}},
      {"--model gan --model.clip value", {{"--trainer.strategy zero1 --trainer.shared_memory off"}}},
      {"--model alternating", {{"--trainer.gradient_as_bucket_view true"}}},
      {"--model.optimizer lbfgs", {{"", 1e-4}}},  // its line search amplifies them
      {"--model sequences --trainer.truncated_bptt_steps 2", {{""}}},
      {"--model.spare used_by_first",
       {{"--trainer.find_unused_parameters true"}, {"--trainer.find_unused_parameters true --trainer.strategy zero1"}}},
      {"--model.spare unused", {{"--trainer.find_unused_parameters true"}}},
      // Gradients that the other process does not have are ready before sync batch norm waits for that process.
      {"--model.norm true --model.spare used_by_first",
       {{"--trainer.sync_batchnorm true --trainer.find_unused_parameters true --trainer.shared_memory on "
         "--trainer.bucket_cap_mb 0.001",
         1e-5}}},
      {"--trainer.accumulate_grad_batches 3 --model.do no_grad --model.at on_train_batch_start --model.rank -1",
       {{""}, {"--trainer.strategy zero1"}}},
  };
  for (const Kind& kind : kinds) check_equal(kind);
}

TEST_CASE("a fit that ends between two steps of sparse gradients goes on to the same weights") {
  const Sandbox box;
  const std::string words = "--model embedded --trainer.accumulate_grad_batches 3 ";
  REQUIRE(fit(box, 1, words).code == 0);
  const Outcome ended = fit(box, 1, words + "--model.do terminate --model.rank 0 --model.batch 0");
  REQUIRE(ended.code == 75);
  const Outcome resumed = box.host("resume " + box.run(1).string() + " --model.do nothing");
  REQUIRE(resumed.code == 0);
  CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, 1))) <= 1e-6);
}

TEST_CASE("complex parameters and sparse gradients train as in one process") {
  const Sandbox box;
  const std::string words =
      "--model kinds --trainer.enable_checkpointing false ";  // checkpoints do not support complex numbers
  const Outcome one = fit(box, 1, words);
  REQUIRE(one.code == 0);
  const std::vector<std::string> expected = starting(one.trace, "0: has");
  REQUIRE(expected.size() == 1);
  for (const std::string more : {"", "--trainer.gradient_as_bucket_view true", "--trainer.strategy zero1"}) {
    const Outcome two = fit(box, 2, words + more);
    INFO(more << "\n" << two.err);
    REQUIRE(two.code == 0);
    CHECK(starting(two.trace, "0: has") == expected);
    CHECK(starting(two.trace, "1: has") == std::vector<std::string>{"1" + expected[0].substr(1)});
  }
}

TEST_CASE("a gradient that is infinite in one process is left out by all, also where the model cuts it") {
  const std::string words = "--model gan --model.clip value --trainer.non_finite skip --model.do blow_up --model.rank ";
  const Sandbox box;
  const Outcome one = fit(box, 1, words + "0");
  REQUIRE(one.code == 0);
  CHECK_THAT(one.err, ContainsSubstring("2 of 12 optimizer steps were skipped"));
  int version = 0;
  for (const char* strategy : {"ddp", "zero1"}) {
    const Outcome two = fit(box, 2, words + "1 --trainer.strategy " + strategy);
    INFO(strategy << "\n" << two.err);
    REQUIRE(two.code == 0);
    CHECK_THAT(two.err, ContainsSubstring("2 of 12 optimizer steps were skipped"));
    CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, ++version))) <= 1e-6);
    const auto first = starting(two.trace, "0: weights "), second = starting(two.trace, "1: weights ");
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    CHECK(first[0].substr(1) == second[0].substr(1));
  }
}

TEST_CASE("processes step alike where one of them has a bad loss, or none, behind gradients that are reduced already") {
  struct Case {
    std::string deed, text;
  };
  const Case cases[] = {{"nan --trainer.non_finite skip", "1 of 12 optimizer steps were skipped"},
                        {"no_loss --model.step_every 2", ""}};
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome two = fit(box, 2, "--model gan --model.together true --model.rank 1 --model.do " + c.deed);
    INFO(c.deed << "\n" << two.err);
    REQUIRE(two.code == 0);
    CHECK_THAT(two.err, ContainsSubstring(c.text));
    const auto first = starting(two.trace, "0: weights "), second = starting(two.trace, "1: weights ");
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    CHECK(first[0].substr(1) == second[0].substr(1));
  }
}

TEST_CASE("the same fit of several processes is the same bit by bit") {
  const std::string words[] = {"--data.shuffle true --model.dropout 0.3 --trainer.bucket_cap_mb 0.001",
                               "--model gan --trainer.shared_memory off"};
  for (const std::string& each : words) {
    const Sandbox box;
    REQUIRE(fit(box, 2, each).code == 0);
    REQUIRE(fit(box, 2, each).code == 0);
    CHECK(difference(last(box, 0), last(box, 1)) == "");
  }
}

TEST_CASE("with three processes and trainer.deterministic reductions do not depend on what was measured") {
  const Sandbox box;
  const std::string words = "--data.batch_size 1 --trainer.deterministic true --trainer.shared_memory ";
  REQUIRE(fit(box, 3, words + "auto").code == 0);
  REQUIRE(fit(box, 3, words + "on").code == 0);
  CHECK(difference(last(box, 0), last(box, 1)) == "");
  CHECK_THAT(box.read(box.run(0) / "log.txt"), !ContainsSubstring("(other: "));
}

TEST_CASE("a parameter without a gradient is named, in all processes or in one") {
  for (const char* spare : {"unused", "used_by_first"}) {
    const Sandbox box;
    const Outcome outcome = fit(box, 2, std::string("--model.spare ") + spare);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring("the parameter 'rest.weight' (and 1 more) got no gradient") &&
                                ContainsSubstring("--trainer.find_unused_parameters true"));
  }
}

}  // namespace fits_equal_test
