// A fit of several processes trains the weights of one process with the whole batch: 32-bit sums in another order
// apart, hence 1e-6 where nothing else is said.
#include "fits.hpp"

namespace {

struct Variant {
  std::string words;  // of several processes alone
  double tolerance = 1e-6;
  int processes = 2;
};
struct Kind {
  std::string words;  // of both
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
      {"--model alternating", {{"--trainer.gradient_as_bucket_view true"}}},
      {"--model.optimizer lbfgs", {{"", 1e-5}}},
      {"--model sequences --trainer.truncated_bptt_steps 2", {{""}}},
      {"--model.spare used_by_first", {{"--trainer.find_unused_parameters true"}}},
      {"--model.spare unused", {{"--trainer.find_unused_parameters true"}}},
      {"--model.norm true", {{"--trainer.sync_batchnorm true"}}},
  };
  for (const Kind& kind : kinds) check_equal(kind);
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
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring("the parameter 'rest.weight' (and 1 more) got no gradient") &&
                                ContainsSubstring("--trainer.find_unused_parameters true"));
  }
}

TEST_CASE("a checkpoint of zero1 goes on with any strategy, and the other way round") {
  const Sandbox box;
  const std::string adamw = "--model.optimizer adamw --trainer.max_epochs ";
  REQUIRE(fit(box, 2, adamw + "3").code == 0);
  REQUIRE(fit(box, 2, adamw + "2 --trainer.strategy zero1").code == 0);
  REQUIRE(fit(box, 2, adamw + "2 --trainer.strategy ddp").code == 0);
  const std::string whole = last(box, 0), go_on = " --trainer.max_epochs 3 --trainer.strategy ";
  struct Case {
    int version;
    std::string words;
  };
  const Case cases[] = {{1, "ddp"}, {2, "zero1"}};
  std::filesystem::copy(box.run(1), box.run(3), std::filesystem::copy_options::recursive);
  for (const Case& c : cases) {
    const Outcome resumed = box.host("resume " + box.run(c.version).string() + go_on + c.words);
    INFO(c.words << "\n" << resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(trained(whole) == trained(last(box, c.version)));
  }
  const Outcome one = box.host("resume " + box.run(3).string() + go_on + "auto --data.batch_size 4" + devices + "1");
  INFO(one.err);
  REQUIRE(one.code == 0);
  CHECK(apart(weights_in(whole), weights_in(last(box, 3))) <= 1e-6);
}
