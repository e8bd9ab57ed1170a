// Fits of several processes in which one fails, dies or does not respond, or whose processes were started with
// different settings.
#include <unistd.h>

#include <cstdlib>

#include "fits.hpp"

namespace fits_faults_test {
namespace {

const std::string set_up = "--model.dropout 0.3 --trainer.max_epochs 3 ";

std::string deed(const std::string& what, int rank = 1, int epoch = 1) {
  return " --model.epoch " + std::to_string(epoch) + " --model.do " + what + " --model.rank " + std::to_string(rank) +
         " ";
}

// "rank 1 (host NAME, pid NUMBER) REST"
bool names(const std::string& text, int rank, const std::string& rest) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string begin = "rank " + std::to_string(rank) + " (host " + host + ", pid ";
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const size_t after = text.find(") ", at);
    if (after != std::string::npos && text.compare(after + 2, rest.size(), rest) == 0) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a process that is killed is named, the others end, and the fit goes on from its last checkpoint") {
  const Sandbox box;
  const std::string words =
      set_up +
      "--logger csv --trainer.log_every_n_steps 1 --callback.model_checkpoint.every_n_train_steps 1 "
      "--callback.model_checkpoint.save_last link";
  REQUIRE(fit(box, 2, words).code == 0);
  for (const int rank : {0, 1}) {
    const Outcome killed = fit(box, 2, words + deed("kill", rank));
    CHECK(killed.code == 137);
    CHECK(names(killed.err, rank, "was killed by SIGKILL"));
    const Outcome resumed = box.host("resume " + box.run(rank + 1).string() + " --model.do nothing");
    REQUIRE(resumed.code == 0);
    CHECK(difference(last(box, 0), last(box, rank + 1)) == "");
    CHECK(box.read(box.run(0) / "metrics.csv") == box.read(box.run(rank + 1) / "metrics.csv"));
  }
}

TEST_CASE("before the first checkpoint the first process saves what it has when another is lost") {
  const Sandbox box;
  const std::string killed = "--model.do kill --model.batch 2";
  const Outcome first = fit(box, 2, killed);
  CHECK(first.code == 137);
  REQUIRE_THAT(first.err, ContainsSubstring("interrupted.ckpt; resume with: host resume"));
  const Outcome resumed = box.host("resume " + box.run(0).string() + " --model.do nothing");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, ContainsSubstring("interrupted.ckpt (epoch 0, step ") &&
                              ContainsSubstring("rank 0 saved it after another rank was lost"));
  const Outcome shared = fit(box, 2, killed + " --trainer.strategy zero1");
  CHECK(shared.code == 137);
  CHECK_THAT(shared.err,
             ContainsSubstring("nothing was saved: ") && ContainsSubstring("its part of the state of the optimizers"));
}

TEST_CASE("a window of accumulation that the first process saved without the others begins anew") {
  const Sandbox box;
  REQUIRE(fit(box, 2, "--data.train 24 --trainer.accumulate_grad_batches 3 --model.do kill --model.batch 5").code ==
          137);
  const Outcome resumed = box.host("resume " + box.run(0).string() + " --model.do nothing");
  CHECK(resumed.code == 0);
  CHECK_THAT(resumed.err, ContainsSubstring("metrics of the other ranks and the accumulation window are reset"));
  const auto ends = starting(resumed.trace, "0: ends ");
  REQUIRE_FALSE(ends.empty());
  CHECK(ends.front() == "0: ends 0 3");
}

TEST_CASE("what one process fails with comes first, and its code is the run's") {
  struct Case {
    std::string deed, text, end;
  };
  const Case cases[] = {{"throw", "scripted failure (epoch 1, batch 1, step 4)", "failed with code 1"},
                        {"exit", "exit() was called while plugin libtest_shared_fits.so", "ended with code 1"}};
  for (const Case& c : cases)
    for (const int rank : {0, 1}) {
      const Sandbox box;
      const Outcome outcome = fit(box, 2, set_up + deed(c.deed, rank));
      INFO(c.deed << " in " << rank << "\n" << outcome.err);
      CHECK(outcome.code == 1);
      const size_t first = outcome.err.find("host: error[");
      REQUIRE(first != std::string::npos);
      CHECK_THAT(outcome.err.substr(first, outcome.err.find('\n', first) - first), ContainsSubstring(c.text));
      CHECK(names(outcome.err, rank, c.end));
      CHECK_THAT(outcome.err, !ContainsSubstring(", step 4) ("));  // the place of the failure is printed once
    }
}

TEST_CASE("a process that is stopped is named, and counts as lost after a while") {
  const Sandbox box;
  const Outcome outcome = box.bare(
      "fit",
      "--model shared --data.train 8 --trainer.max_epochs 3 --trainer.accelerator cpu" + deed("freeze") + devices + "2",
      "export LEVIN_HEARTBEAT_TIMEOUT=2.5");
  CHECK(outcome.code == 7);
  CHECK(names(outcome.err, 1, "is stopped by SIGSTOP, and the others wait for it"));
  CHECK_THAT(outcome.err, ContainsSubstring("has been silent for 2 s") &&
                              ContainsSubstring("after 3 s it is treated as lost") &&
                              ContainsSubstring(": silent for 3 s"));
}

TEST_CASE("models that differ between processes are refused") {
  const Sandbox box;
  const Outcome outcome = fit(box, 3, "--data.batch_size 1 --model.wider_rank 2");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("rank 2 has the parameter 'in.weight' [65, ") &&
                              ContainsSubstring(", where rank 0 has the parameter 'in.weight' [64, "));
}

// Starts two processes with the user's environment variables.
std::vector<Outcome> by_hand(const Sandbox& box, const std::string& words, const Variables& last = {}) {
  return box.ranks(
      2, "fit --plugins " LEVIN_TEST_PLUGINS " --model shared --data rows --trainer.accelerator cpu " + words, last);
}

TEST_CASE("processes that are told of different numbers of processes are refused") {
  const Sandbox box;
  const Outcome first = by_hand(box, "", {{"WORLD_SIZE", "3"}})[0];
  CHECK(first.code == 2);
  CHECK_THAT(first.err, ContainsSubstring("rank 1 was told that there are 3 processes, and rank 0 that there are 2"));
}

TEST_CASE("options that differ between processes are refused by their names") {
  const Sandbox box;
  for (const Outcome& one : by_hand(box, "--model.dropout 0.$RANK")) {
    CHECK(one.code == 2);
    CHECK_THAT(one.err,
               ContainsSubstring("rank 1 differs from rank 0: model.options.dropout is 0.1, and 0.0 in rank 0"));
  }
}

TEST_CASE("a process that is lost while the others make groups of processes is named") {
  const Sandbox box;
  const auto both = by_hand(box, "--model.do kill --model.at setup --model.batch 0");
  CHECK(both[1].code == 137);
  CHECK(both[0].code == 7);
  CHECK_THAT(both[0].err, ContainsSubstring("lost rank 1 (host "));
}

TEST_CASE("processes wait for one that takes too long no longer than they may, also through shared memory") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, deed("linger") + "--trainer.shared_memory on --trainer.process_group_timeout 6");
  CHECK(outcome.code == 7);
  CHECK_THAT(outcome.err, ContainsSubstring("keeps the others waiting") &&
                              ContainsSubstring("all_reduce over the processes of the run failed: no answer within 6 "
                                                "seconds"));
}

TEST_CASE("a collective that one process begins alone and forgets holds up nobody") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, deed("one_sided") + "--trainer.process_group_timeout 60");
  CHECK(outcome.code == 0);
}

TEST_CASE("a batch or an epoch that one process skips, all of them skip") {
  struct Case {
    std::string what, place;
    size_t batches;  // completed batches, of six in two epochs
  };
  const Case cases[] = {{"skip", "on_train_batch_start", 5},
                        {"skip_epoch", "on_train_batch_start", 4},
                        {"leave_epoch", "training_step", 6},  // effective from the next batch on
                        {"no_loss", "training_step", 6}};
  for (const Case& c : cases) {
    const Sandbox one_skips;
    const Outcome one = fit(one_skips, 2, deed(c.what, 1, 0) + "--model.at " + c.place);
    INFO(c.what << "\n" << one.err);
    REQUIRE(one.code == 0);
    for (const std::string rank : {"0", "1"}) CHECK(starting(one.trace, rank + ": ends ").size() == c.batches);
    const bool said = one.err.find("another process of the run skips") != std::string::npos;
    CHECK(said == (c.place == "on_train_batch_start"));
  }
}

TEST_CASE("processes that wait for each other are named with what each of them waits for") {
  struct Case {
    std::string deed, place;
    int rank;  // -1 = all; some ranks do not have the batch
    std::vector<std::string> texts;
  };
  const Case cases[] = {
      {"barrier",
       "training_step",
       1,
       {"deadlock: rank 0 waits in all_reduce of Float[387] (gradients)",
        "rank 1 waits in all_gather of Byte[2048] (barrier)", "of group 'plugins'", "shared.training_step", "batch 1"}},
      {"barrier",
       "validation_step",
       -1,
       {"deadlock: rank 0 waits in", "shared.validation_step, sanity check, batch 1", "(logged values)"}},
      {"save",
       "on_train_batch_end",
       0,
       {"collectives do not match: rank 0 waits in all_gather of Byte[2048] (logged values)", "batch 1"}}};
  for (const Case& c : cases) {
    const Sandbox box;
    const Outcome outcome = fit(box, 2, deed(c.deed, c.rank, 0) + "--data.val 5 --model.at " + c.place);
    INFO(c.deed << " in " << c.place << "\n" << outcome.err);
    CHECK(outcome.code == 7);
    for (const std::string& text : c.texts) CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
}

TEST_CASE("a warning of all processes is shown once, and one of another process alone with its rank") {
  const Sandbox box;
  const std::string warning = "a scripted warning";
  const Outcome all = fit(box, 3, "--data.batch_size 1 " + deed("warn", -1, 0));
  CHECK(all.code == 0);
  CHECK(all.err.find(warning) == all.err.rfind(warning));
  CHECK(all.err.find("] host: warning: " + warning) == std::string::npos);
  const Outcome last = fit(box, 3, "--data.batch_size 1 " + deed("warn", 2, 0));
  CHECK_THAT(last.err, ContainsSubstring("[rank 2] host: warning:") && ContainsSubstring(warning));
}

TEST_CASE("a batch for which one process has no memory fits in none of them") {
  const Sandbox box;
  const char* const strategies[] = {"ddp", "zero1"};
  for (int version = 0; version < 2; ++version) {
    const Outcome outcome = fit(box, 2,
                                deed("no_memory") +
                                    "--model.batch 3 --model.optimizer adamw --data.train 40 "
                                    "--auto_scale_batch_size power --trainer.strategy " +
                                    strategies[version]);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(box.read(box.run(version) / "batch_size.json"),
               ContainsSubstring("{\"batch_size\": 2, \"tried\": [2, 4]}"));
  }
  CHECK(difference(last(box, 0), last(box, 1)) == "");
  const Outcome rates = fit(box, 2, deed("no_memory") + "--model.batch 1 --data.train 40 --auto_lr_find");
  CHECK(rates.code == 1);
  CHECK(names(rates.err, 1, "failed with code 1: "));
  CHECK_THAT(rates.err, ContainsSubstring("a step of the range test: rank 1 ("));  // rank 0 does not run out of memory
}

TEST_CASE("a program that a process starts is no process of the run") {
  const Sandbox box;
  const std::string child = "env -u LEVIN_TEST_TRACE " LEVIN_TEST_HOST " validate --plugins " LEVIN_TEST_PLUGINS
                            " --model shared --data rows --trainer.accelerator cpu --logger false";
  const Outcome outcome = box.bare(
      "fit",
      "--model shared --data.train 8 --trainer.max_epochs 1 --trainer.accelerator cpu --callback shell_command "
      "--callback.shell_command.strict --callback.shell_command.command '" +
          child + "'" + devices + "2");
  CHECK(outcome.code == 0);
}

TEST_CASE("batch norm over processes with one row each: what LibTorch's module refuses is told with the way out") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, "--model.norm true --trainer.sync_batchnorm true --data.batch_size 1");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.error(), ContainsSubstring("Expected more than 1 value per channel") &&
                                  ContainsSubstring("set --data.drop_last true, or another --data.batch_size") &&
                                  ContainsSubstring("need two rows in each process"));
}

TEST_CASE("a leap of the loss in one process is one of all, and the first process writes which batches to leave out") {
  const Sandbox box;
  const Outcome outcome = fit(box, 2, deed("leap", 1, 1) + "--model.at training_step --callback spike_detection");
  CHECK(outcome.code == 1);
  for (const std::string rank : {"", "[rank 1] "})
    CHECK_THAT(outcome.err, ContainsSubstring(rank + "host: error[E0103]: libspike_detection.so") &&
                                ContainsSubstring("the loss leaped in batch 2"));
  CHECK(box.read(box.run() / "skip_batches.json") == "[1,2]\n");
}

}  // namespace fits_faults_test
