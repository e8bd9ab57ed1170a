// Jobs on a real SLURM controller, with two nodes on this machine.

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host_process/sandbox.hpp"
#include "skipped.hpp"
#include "slurm_cluster.hpp"

namespace {

const std::string small =
    "fit --model mlp --data synthetic --trainer.max_epochs 1 --trainer.limit_train_batches 5 "
    "--trainer.enable_progress_bar false ";

// The common options of runs with the scripted plugins.
const std::string scripted =
    "fit --plugins " LEVIN_TEST_PLUGINS " --model plain --data rows --data.batch_size 1" LEVIN_TEST_QUIET
    " --logger false --trainer.max_epochs 3 ";

nlohmann::json runs_of(const Sandbox& sandbox, const SlurmCluster& cluster, const std::string& folder) {
  const Outcome outcome = sandbox.host("runs --json " + folder, cluster.environment());
  REQUIRE(outcome.code == 0);
  return levin::core::parse_json(outcome.out, "host runs");
}

std::string outputs(const Sandbox& sandbox, const std::string& folder) {
  std::string out;
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.folder() / folder))
    if (levin::core::starts_with(entry.path().filename().string(), "slurm-")) out += sandbox.read(entry.path());
  return out;
}

}  // namespace

TEST_CASE("runs are submitted to a cluster, alone and as a grid, and go on after a requeue") {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) {
    skipped("no test against SLURM: " + obstacle);
    return;
  }
  const SlurmCluster cluster;
  REQUIRE(cluster.problem().empty());
  const Sandbox sandbox;
  const auto submit = [&](const std::string& arguments) {
    const Outcome outcome = sandbox.host("submit " + arguments, cluster.environment());
    CHECK(outcome.code == 0);
    return outcome.out;
  };

  // Values that sbatch would split by its own rules arrive unchanged.
  CHECK_THAT(submit("--time 5 --cpus 1 --sbatch 'comment=it'\\''s \"a\" #1 \\x' --job_name one " + small +
                    "--trainer.run_name 'a $HOME `b` \"c\"'"),
             ContainsSubstring("submitted job ") && ContainsSubstring("levin_logs/submit_0/slurm-"));
  CHECK_THAT(cluster.ask("scontrol show job"), ContainsSubstring("Comment=it's \"a\" #1 \\x") &&
                                                   ContainsSubstring("TimeLimit=00:05:00") &&
                                                   ContainsSubstring("JobName=one"));
  submit("--grid.model.lr 0.1,0.01 --grid.trainer.seed_everything 1,2 " + small);
  const std::string stop = "--model.at training_step --model.epoch 1 --model.batch 1 --model.do usr1 ";
  submit(scripted + stop);
  const Outcome wrong = sandbox.host("submit --partition nowhere " + small, cluster.environment());
  CHECK(wrong.code == 1);
  CHECK_THAT(wrong.error(), ContainsSubstring("invalid partition"));
  CHECK(sandbox.host("submit " + small + "--lr x", cluster.environment()).code == 2);

  const bool empty = cluster.is_empty_within(120);
  INFO(cluster.ask("squeue; scontrol show job | tail -40"));
  REQUIRE(empty);
  INFO(outputs(sandbox, "levin_logs/submit_0")
       << outputs(sandbox, "levin_logs/grid_0") << outputs(sandbox, "levin_logs/submit_1"));
  const auto one = runs_of(sandbox, cluster, "levin_logs/submit_0");
  REQUIRE(one.size() == 1);
  CHECK(one[0]["state"] == "done");
  CHECK(one[0]["step"] == 4);
  const auto saved = levin::core::parse_json(sandbox.read("levin_logs/submit_0/config.json"), "config.json");
  CHECK(saved["trainer"]["run_name"] == "a $HOME `b` \"c\"");

  const auto grid = runs_of(sandbox, cluster, "levin_logs/grid_0 --sort val_loss");
  REQUIRE(grid.size() == 4);
  for (const auto& run : grid) {
    const auto config = levin::core::parse_json(
        sandbox.read(std::filesystem::path(run["folder"].get<std::string>()) / "config.json"), "config.json");
    CHECK(run["state"] == "done");
    CHECK(config["model"]["options"]["lr"].dump() == run["options"]["model.lr"].get<std::string>());
    CHECK(config["trainer"]["seed_everything"].dump() == run["options"]["trainer.seed_everything"].get<std::string>());
  }
  CHECK(grid[0]["metrics"]["val_loss"] <= grid[3]["metrics"]["val_loss"]);

  const std::string requeued = outputs(sandbox, "levin_logs/submit_1");
  CHECK(runs_of(sandbox, cluster, "levin_logs/submit_1")[0]["state"] == "done");
  CHECK_THAT(requeued, ContainsSubstring("is back in the queue") && ContainsSubstring("was started again: resumes") &&
                           ContainsSubstring("interrupted.ckpt (epoch 1,"));
  CHECK(runs_of(sandbox, cluster, "levin_logs").size() == 3);  // including the rejected one

  const Outcome two = sandbox.host("submit --nodes 2 " + small, cluster.environment() + "MASTER_ADDR=127.0.0.1");
  CHECK(two.code == 0);
  CHECK(cluster.is_empty_within(120));
  const auto runs = runs_of(sandbox, cluster, "levin_logs");
  INFO(outputs(sandbox, "levin_logs/submit_3"));
  CHECK(runs.back()["run"] == "submit_3");
  CHECK(runs.back()["state"] == "done");
}
