// zero1: each process has the optimizer state of a part of the parameters. Gradients are reduced as in ddp, so fits and
// checkpoints equal those of ddp bit by bit.
#include "fits.hpp"

namespace fits_zero1_test {
namespace {

const std::string zero1 = " --trainer.strategy zero1 ", epochs = " --trainer.max_epochs ";
const std::string finetuning =
    "--model.optimizer adamw --callback backbone_finetuning --callback.backbone_finetuning.backbone in "
    "--callback.backbone_finetuning.unfreeze_backbone_at_epoch 1";

void go_on(const Sandbox& box, int version, const std::string& words) {
  const Outcome resumed = box.host("resume " + box.run(version).string() + words);
  REQUIRE(resumed.code == 0);
}

void succeed(const Sandbox& box, const std::string& words) {
  const Outcome outcome = fit(box, 2, words);
  REQUIRE(outcome.code == 0);
}

}  // namespace

TEST_CASE("the checkpoints of zero1 are those of ddp, and a fit goes on from them as if nothing had been") {
  struct Case {
    std::string words;
    std::vector<std::string> cuts;  // of three epochs, those after which the fit is interrupted
  };
  const Case cases[] = {
      {"--model own_parts", {"2"}},  // its optimizer creates the state of all its parameters at once
      {finetuning, {"1", "2"}},      // adds a parameter group in the second epoch
      {"--model gan", {"2"}},
      {"--model.optimizer nadam", {"2"}},  // its state has numbers beside tensors
      {"--model.optimizer lamb", {"2"}},   // its step needs the norms of whole tensors
      {"--model.optimizer adamw --trainer.gradient_clip_val 0.1 --callback weight_averaging", {"2"}},
  };
  for (const Case& c : cases) {
    const Sandbox box;
    succeed(box, c.words + epochs + "3");
    succeed(box, c.words + epochs + "3" + zero1);
    CHECK(difference(last(box, 0), last(box, 1)) == "");
    int version = 1;
    for (const std::string& cut : c.cuts) {
      succeed(box, c.words + epochs + cut + zero1);
      go_on(box, ++version, epochs + "3 --strict_resume");
      CHECK(difference(last(box, 1), last(box, version)) == "");
    }
  }
}

TEST_CASE("a checkpoint of zero1 goes on with any strategy, and the other way round") {
  const std::string cases[] = {"--model own_parts", finetuning};
  for (const std::string& words : cases) {
    const Sandbox box;
    succeed(box, words + epochs + "3");
    succeed(box, words + epochs + "2 --trainer.strategy zero1");
    succeed(box, words + epochs + "2 --trainer.strategy ddp");
    go_on(box, 1, epochs + "3 --trainer.strategy ddp");
    go_on(box, 2, epochs + "3 --trainer.strategy zero1");
    for (const int version : {1, 2}) CHECK(trained(last(box, 0)) == trained(last(box, version)));
  }
}

TEST_CASE("a fit of zero1 goes on with other numbers of processes") {
  const Sandbox box;
  const std::string words = finetuning + " --data.train 24 --data.batch_size ";
  const Outcome one = fit(box, 1, words + "12" + epochs + "5");
  REQUIRE(one.code == 0);
  succeed(box, words + "6" + epochs + "2" + zero1);
  go_on(box, 1, epochs + "3 --data.batch_size 4" + devices + "3");
  go_on(box, 1, epochs + "4 --data.batch_size 6 --trainer.strategy ddp" + devices + "2");
  go_on(box, 1, epochs + "5 --data.batch_size 12 --trainer.strategy auto" + devices + "1");
  CHECK(apart(weights_in(last(box, 0)), weights_in(last(box, 1))) <= 1e-6);
}

TEST_CASE("a trial is without a trace in a fit of zero1") {
  const std::string finder = "callback learning_rate_finder", option = " --callback.learning_rate_finder.";
  const Sandbox box;
  succeed(box, "--model.optimizer adamw" + zero1);
  succeed(box, "--model.optimizer adamw --" + finder + option + "num_training_steps 10" + option + "update_attr false" +
                   zero1);
  CHECK(trained(last(box, 0)) == trained(last(box, 1)));
}

TEST_CASE("zero1 refuses an optimizer that looks at all parameters at once") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, "--model.optimizer lbfgs" + zero1);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("'lbfgs', whose step uses all parameters"));
}

}  // namespace fits_zero1_test
