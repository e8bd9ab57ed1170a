// Plugin calls that do not return: they are named while the run waits for them, and a signal still ends the run.
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace hang_test {
namespace {

const std::string calm = "--model plain --data.shuffle false --callback.model_checkpoint.monitor '' ";
const std::string quick = calm + "--trainer.hang_warning 0.2 ";

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a loader's worker that hangs is named, and a signal saves and ends the run without it") {
  const Sandbox sandbox;
  const std::string run = sandbox.run().string();
  const Outcome outcome =
      sandbox.bare("fit", quick +
                              "--trainer.max_epochs 3 --data.num_workers 2 --data.do hang_terminated "
                              "--data.at fill --data.batch 2 --data.epoch 1 --callback cb=recorder");
  CHECK(outcome.code == 75);
  const std::string log = sandbox.read(sandbox.run() / "log.txt");
  CHECK(count(outcome.err, "libtest_rows.so: rows.fill has been running for 0.") == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("in a thread of the host, such as a worker of a loader"));
  CHECK(starting(outcome.trace, "cb.on_exception").size() == 1);
  CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
  CHECK(starting(outcome.trace, "dm.teardown").size() == 1);
  CHECK_THAT(outcome.error(),
             ContainsSubstring("interrupted by SIGTERM, and plugin libtest_rows.so has been in rows.fill for ") &&
                 ContainsSubstring(" s: ends without waiting for it; resume with: host resume " + run));
  CHECK_THAT(log,
             ContainsSubstring("rows.fill has been running for") && ContainsSubstring(outcome.error_line() + "\n"));
  const Outcome resumed = sandbox.host("resume " + run + " --data.do nothing");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, ContainsSubstring("interrupted.ckpt (epoch 1, step 6)"));
}

TEST_CASE("any call that hangs is named, and a signal ends the run without it") {
  const Sandbox sandbox;
  struct Case {
    std::string words, call;
  };
  const std::string deed = "do hang_terminated ";
  const Case cases[] = {
      {"--model." + deed + "--model.at training_step", "libtest_models.so has been in plain.training_step"},
      {"--callback cb=recorder --callback.cb." + deed + "--callback.cb.at on_train_batch_start",
       "libtest_portable.so has been in cb.on_train_batch_start"},
      {"--logger log=recording_logger --logger.log." + deed + "--logger.log.at finalize",
       "libtest_portable.so has been in log.finalize"},
      {"--data." + deed + "--data.at setup", "libtest_rows.so has been in rows.setup"},
      {"--callback cb=recorder --callback.cb." + deed + "--callback.cb.at create",
       "libtest_portable.so has been in cb.create"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = sandbox.bare("fit", quick + "--trainer.max_epochs 1 " + c.words);
    CHECK(outcome.code == 143);
    CHECK_THAT(outcome.err, ContainsSubstring("has been running for"));
    CHECK_THAT(outcome.error(), ContainsSubstring("interrupted by SIGTERM, and plugin " + c.call));
  }
}

TEST_CASE("a call that takes long is told of once, and again when it has returned") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", quick +
                                                  "--trainer.max_epochs 2 --model.do rest --model.at training_step "
                                                  "--model.batch 1 --model.epoch 0");
  CHECK(outcome.code == 0);
  CHECK(count(outcome.err, "libtest_models.so: plain.training_step has been running for ") == 1);
  CHECK(count(outcome.err, "libtest_models.so: plain.training_step has returned after ") == 1);
  const Outcome off = sandbox.bare("fit", calm +
                                              "--trainer.max_epochs 1 --model.do rest --model.at training_step "
                                              "--model.batch 1 --trainer.hang_warning 0");
  CHECK(off.code == 0);
  CHECK_THAT(off.err, !ContainsSubstring("has been running"));
}

TEST_CASE("a step in hand is finished after a signal, however often steps take so long") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit",
                   "--model plain --trainer.max_epochs 1 --model.do rest --model.at training_step "
                   "--callback cb=recorder --callback.cb.do interrupt --callback.cb.at on_train_batch_start "
                   "--callback.cb.batch 2");
  CHECK(outcome.code == 130);
  CHECK(starting(outcome.trace, "cb.on_train_batch_end").size() == 3);
  CHECK(std::filesystem::exists(sandbox.run() / "checkpoints" / "interrupted.ckpt"));
}

}  // namespace hang_test
