// --debug-plugins names the plugin, and the call, that misuses a tensor or passes non-finite values.
#include "host_process/sandbox.hpp"

namespace debug_plugins_test {
namespace {

const char* const fit = "--model plain --data.train 4 --trainer.max_epochs 1 --trainer.limit_val_batches 0 ";

Outcome misuse(const Sandbox& sandbox, const std::string& what, const std::string& more = "--debug-plugins") {
  return sandbox.bare("fit", fit + ("--callback misuser --callback.misuser.what " + what + " ") + more);
}

}  // namespace

TEST_CASE("--debug-plugins names the plugin and the call of a misused tensor handle") {
  const Sandbox sandbox;
  const struct {
    const char *what, *told;
  } rows[] = {
      {"double_release",
       "releases a tensor that it must not: it holds no reference to the tensor (Float []) any more: it released its "
       "last one in libtest_misuse.so: misuser.on_train_batch_end"},
      {"release_borrowed", "releases a tensor that it must not: the tensor (Float []) is borrowed; retain it first"},
      {"use_after_release",
       "uses a tensor that it must not: the tensor (Float [1]) is gone: its last reference was released in "
       "libtest_misuse.so: misuser.on_train_batch_end"},
      {"use_kept", "uses a tensor that it must not: the tensor (Float []) is gone: it was lent for an earlier call"},
      {"use_invented", "uses a tensor that it must not: the host did not give it this handle"},
      {"other_thread", "calls levin.trainer/1 from another thread than the training thread"},
      {"nan_parameter", "since this call the parameter 'out.bias' is nan at [0]"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = misuse(sandbox, row.what);
    CHECK(outcome.code == 3);
    CHECK(outcome.error_code() == "E0313");
    CHECK_THAT(outcome.error(), ContainsSubstring("libtest_misuse.so: ") && ContainsSubstring(row.told));
  }
}

TEST_CASE("--debug-plugins says at the end what a plugin never released") {
  const Sandbox sandbox;
  const Outcome outcome = misuse(sandbox, "leak");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("libtest_misuse.so never released 4 tensors: 4 of Float [1]"));
  const Outcome sound = misuse(sandbox, "nothing");
  CHECK(sound.code == 0);
  CHECK_THAT(sound.err, !ContainsSubstring("never released"));
}

TEST_CASE("--debug-plugins names what handed over a value that is not finite") {
  const Sandbox sandbox;
  const Outcome data = sandbox.host("fit --plugins " LEVIN_TEST_PLUGINS
                                    " --model plain --data nan_rows --data.batch_size 4 --trainer.fast_dev_run 1 "
                                    "--debug-plugins");
  CHECK(data.code == 3);
  CHECK_THAT(data.error(), ContainsSubstring("libtest_misuse.so: nan_rows.fill: field 'x' is nan at [") &&
                               ContainsSubstring(", in row 2 of the data"));
  const Outcome step =
      sandbox.bare("fit",
                   "--model plain --data.train 64 --trainer.max_epochs 1 --trainer.limit_val_batches 0 --model.lr 10 "
                   "--model.scale 1e9 --debug-plugins");
  CHECK(step.code == 3);
  CHECK_THAT(step.error(), ContainsSubstring("the step of optimizer 'sgd': the parameter '") ||
                               ContainsSubstring("training_step: 'loss' that it returned is "));
}

TEST_CASE("--debug-plugins names the data module and the row that is written past its memory") {
  const Sandbox sandbox;
  const std::string words = "fit --plugins " LEVIN_TEST_PLUGINS
                            " --model plain --data long_row --data.batch_size 3 --trainer.max_epochs 1 "
                            "--trainer.limit_val_batches 0 --callback early_stopping=false --callback "
                            "model_checkpoint=false --debug-plugins ";
  const auto told = [&](const std::string& more) { return sandbox.host(words + more); };
  const Outcome past = told("--data.at 5");
  CHECK(past.code == 3);
  CHECK_THAT(past.error(), ContainsSubstring("libtest_misuse.so: long_row.fill: split train, field 'x': row 2 was "
                                             "written 8 bytes past its end: a row of the field has 16 bytes"));
  const Outcome before = told("--data.at -1");
  CHECK(before.code == 3);
  CHECK_THAT(before.error(), ContainsSubstring("field 'x': row 2 was written 4 bytes before its beginning"));
  const Outcome sound = told("--data.at 3");
  CHECK(sound.code == 0);
}

TEST_CASE("a crash in the deleter of a tensor names the plugin that made the tensor") {
  const Sandbox sandbox;
  const Outcome callback = misuse(sandbox, "deleter", "");
  CHECK(callback.code == 70);
  CHECK_THAT(callback.error(), ContainsSubstring("libtest_misuse.so ran") && ContainsSubstring("deleter"));
}

TEST_CASE("a state that is read as another type, or put without a key, is an error that names the component") {
  const Sandbox sandbox;
  const Outcome no_key = misuse(sandbox, "no_key", "");
  CHECK(no_key.code == 1);
  CHECK_THAT(no_key.error(), ContainsSubstring("libtest_misuse.so: misuser.save: the key of a state is empty"));
  const Sandbox sound;
  REQUIRE(misuse(sound, "nothing", "").code == 0);
  const Outcome other =
      sound.host("resume " + sound.run().string() + " --trainer.max_epochs 2 --callback.misuser.what state");
  CHECK(other.code != 0);
  CHECK_THAT(other.error(), ContainsSubstring("libtest_misuse.so: misuser.load: the state 'count' was put as int64, "
                                              "and is read as text"));
}

TEST_CASE("a crash says that another plugin may be at fault, and how to find out, unless it is watched") {
  const Sandbox sandbox;
  const std::string words =
      fit + std::string("--callback recorder --callback.recorder.do segfault --callback.recorder.at on_train_start");
  CHECK_THAT(sandbox.bare("fit", words).err, ContainsSubstring("--debug-plugins names that plugin"));
  CHECK_THAT(sandbox.bare("fit", words + " --debug-plugins").err, !ContainsSubstring("--debug-plugins names"));
}

TEST_CASE("a service that belongs to the training thread is refused on others, with a reason, in every run") {
  const Sandbox sandbox;
  const Outcome outcome = misuse(sandbox, "other_thread", "");
  CHECK(outcome.code == 0);
  REQUIRE_FALSE(outcome.trace.empty());
  const auto said = starting(outcome.trace, "misuser.log ");
  REQUIRE(said.size() == 4);
  CHECK_THAT(said[0], ContainsSubstring("-1 libtest_misuse.so: levin.trainer/1 was called from another thread"));
}

TEST_CASE("a positive status that the ABI does not have means what LEVIN_OK means, and hides no other") {
  const Sandbox sandbox;
  const Outcome alone = misuse(sandbox, "unknown_status", "--callback recorder");
  CHECK(alone.code == 0);
  CHECK(starting(alone.trace, "recorder.on_train_batch_end").size() == 4);
  const Outcome both = misuse(sandbox, "unknown_status",
                              "--callback recorder --callback.recorder.do skip_epoch "
                              "--callback.recorder.at on_train_batch_start --callback.recorder.batch 1");
  CHECK(both.code == 0);
  CHECK(starting(both.trace, "recorder.on_train_batch_end").size() == 1);
}

}  // namespace debug_plugins_test
