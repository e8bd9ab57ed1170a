// Plugins that fail in every way that a plugin can: the error line names the plugin, the call and the reason; the exit
// code is a documented one; loggers are finalized if the process survives.
#include <algorithm>

#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"

namespace faults_test {
namespace {

const std::string no_checkpoints = "--callback model_checkpoint=false ";
const std::string short_fit = "--model plain --trainer.max_epochs 1 " + no_checkpoints;

struct Fault {
  std::string words;
  int code;
  std::vector<std::string> says;  // each must be in the error line
  std::string number{};           // of the error; "" = any
};

Outcome check(const Sandbox& sandbox, const Fault& fault, const std::string& command = "fit") {
  Outcome outcome =
      sandbox.bare(command, no_checkpoints + with_defaults({"--model plain ", "--trainer.max_epochs 1 "}, fault.words));
  INFO(fault.words << "\n" << outcome.err);
  CHECK(outcome.code == fault.code);
  if (!fault.number.empty()) CHECK(outcome.error_code() == fault.number);
  for (const std::string& text : fault.says) CHECK_THAT(outcome.error(), ContainsSubstring(text));
  CHECK(levin::core::ends_with(outcome.err, outcome.error_line() + "\n"));
  return outcome;
}

}  // namespace

TEST_CASE("a failure in a plugin ends the run with a line that names plugin, call and reason") {
  const Sandbox sandbox;
  const Fault faults[] = {
      {"--callback cb=recorder --callback.cb.do throw --callback.cb.at on_train_batch_end --callback.cb.batch 2",
       1,
       {"libtest_portable.so", "cb.on_train_batch_end", "scripted failure (epoch 0, batch 2, step 3)"}},
      {"--callback cb=recorder --callback.cb.do throw_int --callback.cb.at on_fit_start",
       1,
       {"libtest_portable.so", "cb.on_fit_start", "not a std::exception"}},
      {"--callback cb=recorder --callback.cb.do throw --callback.cb.at create",
       1,
       {"libtest_portable.so", "cb.create", "scripted failure"}},
      {"--model.do throw --model.at training_step",
       1,
       {"libtest_models.so", "training_step", "scripted failure (epoch 0, batch 0, step 0)"},
       "E0101"},
      {"--model.do throw --model.at create", 1, {"libtest_models.so", "create", "scripted failure"}},
      {"--model.do throw_int --model.at configure_optimizers",
       1,
       {"libtest_models.so", "configure_optimizers", "not a std::exception"}},
      {"--data.do throw --data.at fill", 1, {"libtest_rows.so", "fill", "scripted failure"}, "E0102"},
      {"--data.do throw --data.at fill --data.num_workers 2", 1, {"libtest_rows.so", "fill", "scripted failure"}},
      {"--data.do throw --data.at setup", 1, {"libtest_rows.so", "setup", "scripted failure"}},
      {"--data.foreign true", 1, {"libtest_rows.so", "fill", "not an exception"}},
      {"--data.foreign true --data.num_workers 2", 1, {"libtest_rows.so", "fill", "not an exception"}},
      {"--callback raw_thrower", 1, {"libtest_portable.so", "raw_thrower.create", "not an exception"}},
      {"--callback null_callback", 3, {"libtest_portable.so", "null_callback", "returned no instance"}, "E0312"},
  };
  for (const Fault& fault : faults) check(sandbox, fault);
}

TEST_CASE("a hook of a save cannot save again") {
  const Sandbox sandbox;
  for (const std::string hook : {"on_save_checkpoint", "on_checkpoint_durable"}) {
    const Outcome outcome = sandbox.bare("fit",
                                         "--model plain --trainer.max_epochs 1 --callback.model_checkpoint.monitor '' "
                                         "--callback cb=recorder --callback.cb.do save --callback.cb.at " +
                                             hook);
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.error(), ContainsSubstring("libtest_portable.so: cb." + hook) &&
                                    ContainsSubstring("save_checkpoint cannot be called while a checkpoint is saved"));
  }
}

TEST_CASE("a step that calls manual_backward under automatic optimization is told of the other way") {
  const Sandbox sandbox;
  const Outcome outcome =
      check(sandbox, {"--model.do backward --model.at training_step", 1, {"libtest_models.so"}, "E0109"});
  CHECK_THAT(outcome.error(), ContainsSubstring("manual_backward in training_step") &&
                                  ContainsSubstring("automatic_optimization = false"));
}

TEST_CASE("a backward that LibTorch refuses names the plugin") {
  const Sandbox sandbox;
  check(sandbox, {"--model.do free_graph --model.at training_step",
                  1,
                  {"libtest_models.so: plain: backward of the loss: Trying to backward", "(epoch 0, batch 0, step 0)"},
                  "E0115"});
}

TEST_CASE("steps without a loss are told of once") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_fit + "--model.do nothing --model.at training_step");
  CHECK(outcome.code == 0);
  const std::string line = "libtest_models.so: training_step returned no loss";
  const size_t first = outcome.err.find(line);
  REQUIRE(first != std::string::npos);
  CHECK(outcome.err.find(line, first + 1) == std::string::npos);
  CHECK_THAT(sandbox.bare("fit", short_fit).err, !ContainsSubstring("no loss"));
}

TEST_CASE("control bytes of a plugin's message reach neither the terminal nor the log") {
  const Sandbox sandbox;
  check(sandbox, {"--model.do throw_escape --model.at training_step --model.batch 1",
                  1,
                  {"training_step: scripted ?[31mfailure? (epoch 0"}});
  CHECK_THAT(sandbox.read(sandbox.run() / "log.txt"), ContainsSubstring("scripted ?[31mfailure?"));
}

TEST_CASE(
    "a failure in a loop says where the loop was, and stands at the end of the log of a run that has done a batch") {
  struct Place {
    const char *command, *words, *place;
    bool leaves_folder;
  };
  const Place places[] = {
      {"fit", "--model.at training_step --model.epoch 1 --trainer.max_epochs 2", "(epoch 1, batch 0, step 4)", true},
      {"fit", "--model.at validation_step --model.batch 1 --trainer.num_sanity_val_steps 0",
       "(epoch 0, step 4, validation batch 1)", true},
      {"fit", "--model.at validation_step --model.batch 1", "(sanity check, batch 1)", false},
      {"validate", "--model.at validation_step --model.batch 1 --data.val [2,2]",
       "(validation, batch 1 of dataloader 0)", true},
      {"test", "--model.at test_step --model.batch 1", "(test, batch 1)", true},
      {"test", "--model scripted --model.at on_test_start", "(test)", false},
      {"test", "--model scripted --model.at on_test_end", "(test)", true},
      {"test", "--data.do throw --data.at fill", "(test)", false},
      {"fit", "--data.do throw --data.at fill", "(sanity check)", false},
      {"fit", "--data.do throw --data.at fill --trainer.num_sanity_val_steps 0", "(epoch 0, step 0)", false},
      {"fit", "--model scripted --model.at on_validation_start --trainer.num_sanity_val_steps 0",
       "(epoch 0, step 4, validation)", true},
      {"predict", "--model.at predict_step --model.batch 1", "(prediction, batch 1)", true},
      {"fit", "--model scripted --model.at on_train_epoch_end", "(epoch 0, step 4)", true},
      {"fit", "--model.at create", "scripted failure", false},
      {"fit", "--model.at configure_optimizers", "scripted failure", false},
  };
  for (const Place& place : places) {
    const Sandbox sandbox;
    const Outcome outcome = check(sandbox, {std::string("--model.do throw ") + place.words, 1, {}}, place.command);
    INFO(place.words << "\n" << outcome.err);
    CHECK(levin::core::ends_with(outcome.error(), place.place));
    const std::string error = outcome.error().substr(std::string("host: error: ").size());
    CHECK(std::filesystem::exists(sandbox.run()) == place.leaves_folder);
    if (place.leaves_folder)
      CHECK(levin::core::ends_with(sandbox.read(sandbox.run() / "log.txt"),
                                   " error [" + outcome.error_code() + "] " + error + "\n"));
  }
}

TEST_CASE("a crash or exit in a plugin names the plugin and the call, and nothing hangs") {
  const Sandbox sandbox;
  const Fault faults[] = {
      {"--callback cb=recorder --callback.cb.do segfault --callback.cb.at on_train_start",
       70,
       {"signal 11", "SIGSEGV", "libtest_portable.so", "ran cb.on_train_start"}},
      {"--callback cb=recorder --callback.cb.do abort --callback.cb.at on_train_start",
       70,
       {"signal 6", "libtest_portable.so", "on_train_start"}},
      {"--callback cb=recorder --callback.cb.do throw_in_thread --callback.cb.at on_train_start",
       70,
       {"an uncaught exception in a thread", "scripted failure", "libtest_portable.so"}},
      {"--data.do segfault --data.at fill --data.num_workers 2", 70, {"signal 11", "libtest_rows.so", "fill"}},
      {"--model.do segfault --model.at create", 70, {"signal 11", "libtest_models.so", "create"}},
      {"--callback cb=recorder --callback.cb.do exit --callback.cb.at on_train_start",
       1,
       {"libtest_portable.so", "on_train_start", "exit()"},
       "E0107"},
      {"--callback cb=recorder --callback.cb.do exit --callback.cb.at create",
       1,
       {"libtest_portable.so", "create", "exit()"}},
      {"--data.do exit --data.at fill --data.num_workers 2", 1, {"libtest_rows.so", "fill", "exit()"}},
      {"--model.do exit_at_once --model.at training_step", 1, {"libtest_models.so", "training_step", "_exit()"}},
  };
  for (const Fault& fault : faults) CHECK_THAT(check(sandbox, fault).err, !ContainsSubstring("host resume"));
}

TEST_CASE("the frames of a crash have the names of functions, hidden ones too, on the terminal and in the run's log") {
  for (const char* deed : {"segfault", "abort", "throw_in_thread"}) {
    const Sandbox sandbox;
    const Outcome outcome =
        check(sandbox, {std::string("--callback cb=recorder --callback.cb.at on_train_start --callback.cb.do ") + deed,
                        70,
                        {"libtest_portable.so"}});
    const std::string log = sandbox.read(sandbox.run() / "log.txt");
    for (const std::string& text : {outcome.err, log}) {
      CHECK_THAT(text, ContainsSubstring("  #0 ") && ContainsSubstring("  #1 "));
      CHECK_THAT(text, ContainsSubstring("scripted::Script::perform() const"));
      CHECK_THAT(text, ContainsSubstring("libtest_portable.so+0x"));
    }
  }
}

TEST_CASE("where the limits allow a core file, the signal of a crash ends the process") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "fit", short_fit + "--callback cb=recorder --callback.cb.do segfault --callback.cb.at on_train_start",
      "ulimit -c 1");
  CHECK(outcome.code == 139);
  CHECK_THAT(outcome.error(), ContainsSubstring("signal 11") && ContainsSubstring("core dumped, as ulimit -c allows"));
}

TEST_CASE("a crash after a checkpoint says how to go on, in the run's log too") {
  const Sandbox sandbox;
  const std::string folder = sandbox.run().string();
  const Outcome outcome = sandbox.bare("fit",
                                       "--model plain --trainer.max_epochs 3 --callback.model_checkpoint.monitor '' "
                                       "--callback cb=recorder --callback.cb.do segfault --callback.cb.at "
                                       "on_train_epoch_start --callback.cb.epoch 1");
  CHECK(outcome.code == 70);
  CHECK(levin::core::ends_with(outcome.err, "; resume with: host resume " + folder + "\n"));
  CHECK_THAT(sandbox.read(sandbox.run() / "log.txt"), ContainsSubstring(outcome.error_line() + "\n"));
  CHECK(sandbox.host("resume " + folder + " --callback.cb.do nothing").code == 0);
}

TEST_CASE("after a failure everybody hears of it, loggers are finalized, and teardown runs") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "fit",
      short_fit +
          "--model.do throw --model.at training_step --model.batch 1 --callback cb=recorder --logger recording_logger");
  CHECK(outcome.code == 1);
  // There is no checkpoint yet, so the step done so far is saved.
  const std::vector<std::string> expected = {"cb.on_save_checkpoint 0 1",
                                             "cb.on_checkpoint_durable 0 1",
                                             "log.flush",
                                             "log.finalize failed",
                                             "dm.teardown",
                                             "cb.teardown 0 1",
                                             "cb.destroy"};
  REQUIRE(outcome.trace.size() > expected.size());
  CHECK(std::vector<std::string>(outcome.trace.end() - static_cast<long>(expected.size()), outcome.trace.end()) ==
        expected);
}

TEST_CASE("a teardown that fails ends the run as a failure, after all others have run theirs") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_fit + "--data.do throw --data.at teardown --callback cb=recorder");
  CHECK(outcome.code == 1);
  CHECK(outcome.error_code() == "E0118");
  CHECK_THAT(outcome.error(), ContainsSubstring("teardown") && ContainsSubstring("scripted failure"));
  CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
  CHECK(starting(outcome.trace, "cb.on_exception").size() == 1);
}

TEST_CASE("a profile is written of a run that fails, too") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", short_fit + "--model.do throw --model.at training_step --trainer.profiler simple");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.out, ContainsSubstring("training_step"));
  CHECK_THAT(sandbox.read(sandbox.run() / "profile.txt"), ContainsSubstring("training_step"));
}

TEST_CASE("a failure while a failure is handled does not hide the first") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", short_fit +
                              "--model.do throw --model.at training_step --callback cb=recorder --callback.cb.do "
                              "throw_int --callback.cb.at on_exception");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.error(), ContainsSubstring("training_step") && ContainsSubstring("scripted failure"));
  CHECK_THAT(outcome.err, ContainsSubstring("while handling the failure") && ContainsSubstring("cb.on_exception"));
}

TEST_CASE("a logger that fails is named once and left out, and the run goes on") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare(
      "fit", short_fit +
                 "--model.log true --trainer.log_every_n_steps 1 --logger bad=recording_logger --logger.bad.do throw "
                 "--logger.bad.at metrics --logger good=recording_logger");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("bad.metrics: scripted failure; the logger is skipped"));
  CHECK(starting(outcome.trace, "log.finalize success").size() == 1);
}

TEST_CASE("the first Ctrl-C finishes the batch, saves and finalizes; the run ends with 130") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", short_fit +
                              "--model.do interrupt --model.at training_step --model.batch 1 --callback cb=recorder "
                              "--logger recording_logger");
  CHECK(outcome.code == 130);
  CHECK(starting(outcome.trace, "cb.on_train_batch_end").size() == 2);
  CHECK(starting(outcome.trace, "cb.on_train_batch_start").size() == 2);
  CHECK(starting(outcome.trace, "cb.on_exception") == std::vector<std::string>{"cb.on_exception 0 2"});
  CHECK(starting(outcome.trace, "log.finalize") == std::vector<std::string>{"log.finalize interrupted"});
  CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
  CHECK(starting(outcome.trace, "dm.teardown").size() == 1);
  CHECK(std::filesystem::exists(sandbox.run() / "checkpoints" / "interrupted.ckpt"));
  CHECK_THAT(outcome.err, ContainsSubstring("host resume " + sandbox.run().string()));
  CHECK_THAT(
      outcome.err,
      ContainsSubstring("host: info: Stopping after this batch. Press Ctrl-C again to quit now without saving.\n"));
  CHECK_THAT(sandbox.read(sandbox.run() / "log.txt"), ContainsSubstring("warning interrupted by Ctrl-C\n"));
}

TEST_CASE("Ctrl-C while data is set up ends the run before its first batch") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.bare("fit", short_fit + "--data.do interrupt --data.at setup --callback cb=recorder");
  CHECK(outcome.code == 130);
  CHECK(starting(outcome.trace, "lm.training_step").empty());
  CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
  CHECK(starting(outcome.trace, "dm.teardown").size() == 1);
}

TEST_CASE("Ctrl-C ends a run in order where nothing can be saved") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", short_fit +
                              "--model.do interrupt --model.at training_step --model.batch 1 --callback cb=recorder "
                              "--callback.cb.do throw --callback.cb.at on_save_checkpoint --logger recording_logger");
  CHECK(outcome.code == 130);
  CHECK_THAT(outcome.err, ContainsSubstring("nothing was saved") && ContainsSubstring("scripted failure"));
  CHECK(starting(outcome.trace, "log.finalize") == std::vector<std::string>{"log.finalize interrupted"});
  CHECK(starting(outcome.trace, "cb.teardown").size() == 1);
  CHECK(starting(outcome.trace, "dm.teardown").size() == 1);
}

TEST_CASE("the second Ctrl-C ends the run at once") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.bare("fit", short_fit +
                              "--model.do interrupt_twice --model.at training_step --model.batch 1 --callback "
                              "cb=recorder --logger recording_logger");
  CHECK(outcome.code == 130);
  CHECK(starting(outcome.trace, "cb.on_train_batch_end").size() == 1);
  CHECK(starting(outcome.trace, "log.finalize").empty());
  CHECK_THAT(outcome.error(), ContainsSubstring("host: error: interrupted twice: quits now without saving; plugin "
                                                "libtest_models.so has been in plain.training_step for 0."));
  CHECK(levin::core::ends_with(outcome.err, outcome.error_line() + "\n"));
  CHECK_FALSE(std::filesystem::exists(sandbox.run() / "checkpoints" / "interrupted.ckpt"));
}

TEST_CASE("Ctrl-C at the end of the fit says that it is complete, and a quiet run says where it was saved") {
  const std::string at_end =
      "--model plain --trainer.max_epochs 1 --callback.model_checkpoint.save_last true "
      "--callback.model_checkpoint.monitor '' --callback cb=recorder --callback.cb.do interrupt --callback.cb.at ";
  const Sandbox fit, run, quiet;
  const Outcome complete = fit.bare("fit", at_end + "on_fit_end");
  CHECK(complete.code == 0);
  CHECK_THAT(complete.err, ContainsSubstring("the interrupt came after the run was complete"));
  const Outcome before_test = run.bare("", at_end + "on_fit_end");
  CHECK(before_test.code == 130);
  CHECK_THAT(before_test.err, ContainsSubstring("the fit is complete, in " + run.run().string()) &&
                                  ContainsSubstring("; to test it: host test --config "));
  const Outcome saved = quiet.bare("fit", at_end + "on_train_batch_end --quiet");
  CHECK(saved.code == 130);
  CHECK_THAT(saved.err, ContainsSubstring("resume with: host resume " + quiet.run().string()));
}

TEST_CASE("Ctrl-C during validation, test and prediction ends these too") {
  const Sandbox sandbox;
  for (const char* command : {"validate", "test", "predict"}) {
    const std::string step = command == std::string("validate") ? "validation_step" : std::string(command) + "_step";
    const Outcome outcome = sandbox.bare(command,
                                         "--model plain --callback model_checkpoint=false --model.do interrupt "
                                         "--logger recording_logger --model.at " +
                                             step + " --model.batch 0");
    CHECK(outcome.code == 130);
    CHECK(starting(outcome.trace, "lm." + step).size() == 1);
    CHECK(starting(outcome.trace, "log.finalize interrupted").size() == 1);
    CHECK_THAT(outcome.err, ContainsSubstring("info: Stopping after this batch"));
    CHECK_THAT(outcome.err, !ContainsSubstring("saved"));
  }
}

TEST_CASE("data that is not there, or cut short, has an exit code of its own") {
  const Sandbox sandbox;
  const std::string words =
      "fit --plugins " LEVIN_TEST_PLUGINS " --model plain --data mnist --logger false --data.dir ";
  const Outcome missing = sandbox.host(words + "/nowhere");
  CHECK(missing.code == 4);
  CHECK_THAT(missing.error(), ContainsSubstring("libmnist.so") && ContainsSubstring("/nowhere"));
  for (const char* part : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"})
    std::ofstream(sandbox.folder() / part) << "cut";
  const Outcome cut = sandbox.host(words + sandbox.folder().string());
  CHECK(cut.code == 4);
  CHECK(cut.error_code() == "E0402");
}

}  // namespace faults_test
