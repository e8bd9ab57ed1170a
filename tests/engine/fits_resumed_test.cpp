// Fits of several processes that are stopped by a signal to one process, and resumed.
#include "core/base/text.hpp"
#include "fits.hpp"

namespace fits_resumed_test {
namespace {

const std::string set_up =
    "--model.dropout 0.3 --model.optimizer adamw --data.shuffle true --data.train 20 --data.val [4] --logger csv "
    "--trainer.log_every_n_steps 1 --trainer.max_epochs 3 --trainer.num_sanity_val_steps 0 ";
const std::string terminated = " --model.do terminate --model.epoch 1";

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a fit that one process is told to end goes on as if nothing had been") {
  struct Case {
    std::string words;
    std::vector<std::string> deeds;
  };
  const std::string in_last_batch = " --model.batch 4", in_validation = " --model.at validation_step --model.batch 0";
  const Case cases[] = {{"", {"", in_last_batch, in_validation}},
                        {"--trainer.strategy zero1 --trainer.accumulate_grad_batches 2", {""}}};
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome whole = fit(box, 2, set_up + c.words);
    REQUIRE(whole.code == 0);
    int version = 0;
    for (const std::string& deed : c.deeds) {
      const Outcome first = fit(box, 2, set_up + c.words + terminated + deed);
      INFO(c.words << deed << "\n" << first.err);
      REQUIRE(first.code == 75);
      CHECK(last_batch(first, 1) ==
            (deed.empty() ? "1 2" : "1 4"));  // the batch after the one in which the signal arrived
      CHECK(last_batch(first, 0) == last_batch(first, 1));
      const Outcome second = box.host("resume " + box.run(++version).string() + " --strict_resume");
      REQUIRE(second.code == 0);
      CHECK_THAT(second.err, ContainsSubstring("interrupted.ckpt (epoch "));
      CHECK(difference(last(box, 0), last(box, version)) == "");
      CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(version) / "metrics.csv"));
    }
  }
}

TEST_CASE("callbacks of several processes go on as if nothing had been") {
  const std::string callbacks[] = {
      "--callback learning_rate_monitor --callback own=gradient_accumulation_scheduler --callback.own.scheduling "
      "'{\"1\":2}' --callback other=early_stopping --callback.other.monitor val --callback.other.patience 1",
      "--callback own=backbone_finetuning --callback.own.backbone in --callback.own.unfreeze_backbone_at_epoch 1"};
  for (const std::string& callback : callbacks) {
    const Sandbox box;
    const std::string words = set_up + callback + " ";
    const Outcome whole = fit(box, 2, words);
    INFO(callback << "\n" << whole.err);
    REQUIRE(whole.code == 0);
    REQUIRE(fit(box, 2, words + terminated).code == 75);
    const Outcome second = box.host("resume " + box.run(1).string() + " --strict_resume");
    REQUIRE(second.code == 0);
    CHECK(difference(last(box, 0), last(box, 1)) == "");
    CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(1) / "metrics.csv"));
  }
}

TEST_CASE("a fit goes on with another number of processes, and says so in one line") {
  const Sandbox box;
  REQUIRE(fit(box, 2, set_up + terminated).code == 75);
  const std::string resume = "resume " + box.run(0).string() + devices;
  const Outcome strict = box.host(resume + "1 --strict_resume");
  CHECK(strict.code == 2);
  const std::string was = "the number of processes is 1 and was 2";
  CHECK_THAT(strict.error(), ContainsSubstring(was));
  const Outcome three = box.host(resume + "3" + terminated);
  CHECK(three.code == 0);
  CHECK(count(three.err, "the number of processes is 3 and was 2") == 1);
  REQUIRE(fit(box, 2, set_up + terminated).code == 75);
  const Outcome one = box.host("resume " + box.run(1).string() + devices + "1");
  CHECK(one.code == 0);
  CHECK(count(one.err, was) == 1);
}

TEST_CASE("a fit that goes on with another number of processes logs each step once") {
  for (const auto& [processes, batch] : {std::pair(1, "2"), std::pair(3, "4")}) {
    // The checkpoint does not contain the row of the previous batch.
    const Sandbox box;
    const std::string killed =
        set_up + "--callback.model_checkpoint.every_n_train_steps 1 --model.do kill --model.epoch 1 ";
    REQUIRE(fit(box, 2, killed + "--model.batch " + batch).code == 137);
    const Outcome resumed =
        box.host("resume " + box.run(0).string() + " --model.do nothing" + devices + std::to_string(processes));
    INFO(batch << " " << processes << "\n" << resumed.err);
    REQUIRE(resumed.code == 0);
    const auto rows = levin::core::split(levin::core::trim(box.read(box.run(0) / "metrics.csv")), '\n');
    REQUIRE(rows.at(0) == "epoch,loss_epoch,loss_step,step,val");
    int64_t next = 0;
    size_t epochs = 0, validations = 0;
    for (size_t i = 1; i < rows.size(); ++i) {
      const auto values = levin::core::split(rows[i], ',');
      if (!values.at(2).empty()) CHECK(values.at(3) == std::to_string(next++));
      epochs += !values.at(1).empty();
      validations += !values.at(4).empty();
    }
    CHECK(epochs == 3);
    CHECK(validations == 3);
  }
}

TEST_CASE("a checkpoint knows that the rest of its epoch is to be skipped") {
  for (const int processes : {1, 2}) {
    const Sandbox box;
    const std::string words = set_up +
                              "--model.do leave_epoch --model.at training_step --model.epoch 1 --model.batch 1 "
                              "--model.rank " +
                              std::to_string(processes - 1) +
                              " --callback.model_checkpoint.every_n_train_steps 1 "
                              "--callback.model_checkpoint.save_top_k -1 ";
    const Outcome whole = fit(box, processes, words);
    REQUIRE(whole.code == 0);
    const size_t batches = starting(whole.trace, "0: ends 1 ").size();
    REQUIRE(batches == static_cast<size_t>(processes + 1));  // several processes leave the epoch a batch later
    for (size_t batch = 0; batch < batches; ++batch) {
      const std::string name = "epoch=1-step=" + std::to_string(6 + batch) + ".ckpt";
      const Outcome rest = fit(box, processes, words + "--ckpt_path " + (box.run(0) / "checkpoints" / name).string());
      INFO(name << "\n" << rest.err);
      REQUIRE(rest.code == 0);
      CHECK(starting(rest.trace, "0: ends 1 ").size() == batches - batch - 1);
      CHECK(difference(last(box, 0), last(box, static_cast<int>(batch) + 1)) == "");
    }
  }
}

TEST_CASE("all processes stop after the same batch when the model of one asks for it") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, "--data.train 40 --model.do stop --model.at on_train_batch_end --model.batch 3");
  CHECK(outcome.code == 0);
  CHECK(last_batch(outcome, 0) == "0 4");
  CHECK(last_batch(outcome, 1) == "0 4");
}

TEST_CASE("a signal to one process that sets up, or waits for a worker, ends all of them at the same place") {
  const std::string waits = " --model.batch 1 --data.num_workers 1 --data.do rest --data.at fill --data.batch 9";
  for (const std::string& deed : {std::string(" --model.at setup --model.batch 0"), waits}) {
    const Sandbox box;
    const Outcome outcome = fit(box, 2, "--model.do terminate" + deed);
    INFO(deed << "\n" << outcome.err);
    CHECK(outcome.code == 75);
    CHECK(last_batch(outcome, 0) == last_batch(outcome, 1));
    CHECK(outcome.err.find("error") == std::string::npos);
  }
}

}  // namespace fits_resumed_test
