// srun in a SLURM cluster with two nodes on this machine.
#include "launched_fit.hpp"
#include "skipped.hpp"
#include "slurm_cluster.hpp"

TEST_CASE("srun starts the processes of a run, on one node and on two") {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) {
    skipped("no test of srun: " + obstacle);
    return;
  }
  const SlurmCluster cluster;
  REQUIRE(cluster.problem().empty());
  for (const char* nodes : {"-N1 -n2", "-N2"}) {
    const Sandbox box;
    // Only SLURM can resolve the names of the nodes.
    const Outcome outcome = run_script(box, cluster.environment() + " MASTER_ADDR=127.0.0.1\nsrun " + nodes + " $fit");
    INFO(nodes << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(is_one_run_of_two(box));
    CHECK(metrics(box) == expected_metrics());
  }
  // In an interactive allocation.
  const Sandbox shell;
  const Outcome inside =
      run_script(shell, cluster.environment() + " MASTER_ADDR=127.0.0.1\nsalloc -N1 -n2 srun -n2 $fit");
  CHECK(inside.code == 0);
  CHECK(is_one_run_of_two(shell));
  CHECK(metrics(shell) == expected_metrics());
  // A batch script is one process, however many tasks its job has.
  const Sandbox box;
  run_script(box, cluster.environment() + " MASTER_ADDR=127.0.0.1\nsbatch -W -n2 -o out --wrap \"$fit\"");
  CHECK_THAT(box.read("out"), ContainsSubstring("has 2 tasks") && ContainsSubstring("put srun before the command"));
  // srun does not end the other ranks when one is killed; they name the lost rank.
  const Sandbox loss;
  const std::string here = cluster.environment() + " MASTER_ADDR=127.0.0.1\n";
  const Outcome outcome = run_script(loss, here + with_a_loss + "srun -n2 sh job.sh", rests_in_epoch_1);
  CHECK(outcome.code == 137);
  CHECK_THAT(outcome.err,
             ContainsSubstring("host: error[E0701]: lost rank 1 (host ") && ContainsSubstring(" (epoch 1"));
  const Outcome resumed = run_script(loss, here + "srun -n2 " + resume_after_loss);
  CHECK(resumed.code == 0);
  CHECK(metrics(loss) == expected_metrics(ten_rows));
}
