// Debian's torchrun: PyTorch 1.13 in Python, which starts programs only with the workaround in scripts/torchrun.
#include "launched_fit.hpp"
#include "skipped.hpp"

namespace {

const std::string torchrun = LEVIN_TEST_TORCHRUN " --no_python --nproc_per_node 2 ";

bool is_missing() {
  if (system("/usr/bin/python3 -c 'import torch.distributed.run' >/dev/null 2>&1") == 0) return false;
  skipped("no test of torchrun: there is no python3-torch");
  return true;
}

}  // namespace

TEST_CASE("torchrun starts the processes of a run, and a run that lost one goes on") {
  if (is_missing()) return;
  const Sandbox box;
  // Rank 1 is killed in the second epoch.
  const std::string script =
      "cat >job.sh <<'END'\n"
      "[ $RANK$TORCHELASTIC_RESTART_COUNT = 10 ] && (until [ -e levin_logs/version_0/checkpoints/last.ckpt ]; do "
      "sleep 0.02; done; kill -9 $$) &\nexec $fit\nEND\n" +
      torchrun + "--max_restarts 1 --standalone sh job.sh";
  const Outcome outcome = run_script(
      box, script,
      "--model.at training_step --model.epoch 1 --model.do rest --callback.model_checkpoint.save_last always");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("was started again: resumes " + box.run(0).string()));
  CHECK(is_one_run_of_two(box));
  CHECK(metrics(box) == expected_metrics());
}

TEST_CASE("beside the store that torchrun's agent serves, the processes have their own") {
  if (is_missing()) return;
  const Sandbox box;
  const Outcome outcome = run_script(box, torchrun + "--master_port " + free_port() + " $fit");
  CHECK(outcome.code == 0);
  CHECK(is_one_run_of_two(box));
  CHECK(metrics(box) == expected_metrics());
}

TEST_CASE("torchrun starts one run on two nodes, which goes on when it lost a process") {
  if (is_missing()) return;
  const Sandbox box;
  // Both nodes are this machine.
  const std::string node =
      LEVIN_TEST_TORCHRUN
      " --no_python --nproc_per_node 1 --nnodes 2 --max_restarts 1 --rdzv_backend c10d --rdzv_id levin "
      "--rdzv_endpoint localhost:" +
      free_port() + " sh job.sh";
  const std::string script = with_a_loss + node + " 2>err.other &\n" + node + "\ncode=$?\nwait $! || exit\nexit $code";
  const Outcome outcome = run_script(box, script, rests_in_epoch_1);
  const std::string both = outcome.err + box.read("err.other");
  INFO(both);
  CHECK(outcome.code == 0);
  CHECK_THAT(both, ContainsSubstring("host: error[E0701]: lost rank 1 (host ") && ContainsSubstring(" (epoch 1"));
  CHECK_THAT(both, ContainsSubstring("was started again: resumes " + box.run(0).string()));
  CHECK(is_one_run_of_two(box));
  CHECK(metrics(box) == expected_metrics(ten_rows));
}
