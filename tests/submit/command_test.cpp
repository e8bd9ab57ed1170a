// The commands without SLURM: what is rejected immediately, and what --dry_run prints.

#include "core/base/json.hpp"
#include "host_process/sandbox.hpp"

namespace {

const std::string small = "fit --model mlp --data synthetic --max_epochs 1 --trainer.limit_train_batches 2 ";

const std::string test_plugins = "--plugins " LEVIN_TEST_PLUGINS;
const std::string with_key = "--logger near --logger.near.key hunter2 " + test_plugins;

// A PATH without SLURM, wherever it is installed.
const std::string no_slurm = "mkdir -p p; export PATH=$PWD/p";

std::string with_programs(const Sandbox& sandbox) { return "export PATH=" + sandbox.folder().string() + ":$PATH"; }

nlohmann::json runs_of(const Sandbox& sandbox, const std::string& arguments, const std::string& before) {
  const Outcome outcome = sandbox.host("runs --json " + arguments, before);
  REQUIRE(outcome.code == 0);
  return levin::core::parse_json(outcome.out, "host runs");
}

}  // namespace

TEST_CASE("what is wrong is refused here and now, and leaves nothing behind") {
  const Sandbox sandbox;
  const std::pair<std::string, const char*> wrong[] = {
      {small + "--max_epoch 3", "there is no option --max_epoch"},
      {small + "--time 1:00", "(--time is of the job: host submit --time ... comes before the command of the run)"},
      {"--partion x " + small, "there is no option --partion before the command of the run; did you mean 'partition'?"},
      {"--time 1h " + small, "--time '1h' is not a time; forms: MINUTES, MM:SS, HH:MM:SS"},
      {"--nodes 0 " + small, "--nodes takes a count from 1, not '0'"},
      {"--gpus " + small, "--gpus takes a count from 1, not 'fit'"},
      {"--nodes --gpus 1 " + small, "--nodes: a value is missing"},
      {"--grid.model.lr 0.1,x " + small, "(in the run with --model.lr=x)"},
      {"--grid.nothing 1,2 " + small, "there is no option --nothing"},
      {"--grid.lr 0.1,0.2 " + small + "--model.lr 0.3", "are one option, model.lr"},
      {"--grid.devices 1,2 " + small, "all jobs of an array have the same size"},
      {"--grid.num_processes 1,2 " + small,
       "have the same size, and the run with --num_processes=2 would have --nodes 1 --tasks_per_node 2"},
      {"--grid.nb_gpu_nodes 1,2 " + small, "the run with --nb_gpu_nodes=2 would have --nodes 2"},
      {"--grid.gpus 1,2 " + small, "the run with --gpus=2 would have"},
      {"--gpus 2 --grid.trainer.strategy ddp,dp " + small, "the run with --trainer.strategy=dp would have"},
      {"--gpus 4 --grid.trainer.devices_per_process 1,2 " + small + "--trainer.strategy model_parallel",
       "the run with --trainer.devices_per_process=2 would have"},
      {"--grid.lr 0.1,0.2 " + small + "--trainer.log_version 3", "each run of a grid has its own"},
      {"--max_parallel 2 " + small, "--max_parallel needs --grid.OPTION"},
      {small + "--hosts a:1,b:1", "SLURM chooses the machines of a job; use host submit --nodes N"},
      {"--gpus 4 " + small + "--trainer.strategy single_device",
       "single_device uses one process, but the job has several"},
      {"--sbatch no-requeue " + small + "--trainer.requeue true", "--sbatch no-requeue and --trainer.requeue true"},
      {"--job_name bash " + small, "would make the job look like a shell"},
      {"--sbatch nodes=2 " + small, "use --nodes N"},
      {"--gpus 1 --tasks_per_node 2 " + small, "a process has a GPU of its own"},
      {"plugins", "'plugins' cannot be submitted"},
      {"--grid.lr 1,2 resume x", "resume continues one run"},
      {small + "--print_config", "--print_config and --explain start no run"},
      {small + "--explain max_epochs", "--print_config and --explain start no run"},
      {small + with_key + " --trainer.logger false", "--logger.near.key is a secret"},
      {small + with_key + " --trainer.fast_dev_run true", "--logger.near.key is a secret"},
      {"--grid.logger.near.key hunter2,hunter3 " + small + "--logger near " + test_plugins,
       "--logger.near.key is a secret"},
      {small, "there is no program sbatch"},
  };
  for (const auto& [arguments, message] : wrong) {
    const Outcome outcome = sandbox.host("submit " + arguments, no_slurm);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.error(), ContainsSubstring(message));
    CHECK_THAT(outcome.out + outcome.err, !ContainsSubstring("hunter"));
  }
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "levin_logs"));
}

TEST_CASE("--dry_run prints the script with every run of a grid, and makes nothing") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host(
      "submit --dry_run --time 2:00:00 --max_parallel 3 --grid.model.lr 0.1,0.01 "
      "--grid.trainer.seed_everything 1,2 " +
      small + "--log_name mine");
  REQUIRE(outcome.code == 0);
  for (const char* line : {"#SBATCH --array=0-3%3\n", "#SBATCH --output=slurm-%A_%a.out\n",
                           "  0) set -- --model.lr=0.1 --trainer.seed_everything=1 --trainer.log_version=0 ;;\n",
                           "  3) set -- --model.lr=0.01 --trainer.seed_everything=2 --trainer.log_version=3 ;;\n",
                           " --trainer.log_name=mine/grid_0 --trainer.requeue=true \"$@\"\n",
                           "exec srun --nodes=1 --ntasks=1 --ntasks-per-node=1 "})
    CHECK_THAT(outcome.out, ContainsSubstring(line));
  CHECK(outcome.out.find("--log_name mine") == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "mine"));
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "levin_logs"));
}

TEST_CASE("the run has the number of processes that the job says, also where its own word leaves it open") {
  const Sandbox sandbox;
  for (const auto& [word, said] :
       {std::pair("--devices -1", " --devices 4 "), std::pair("--trainer.devices=auto", ".devices=4 ")}) {
    const Outcome outcome = sandbox.host("submit --dry_run --gpus 4 " + small + word);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring(said) && ContainsSubstring(" --ntasks=4 "));
  }
}

TEST_CASE("a job that SLURM is not to start again gets no signal, and its run does not ask for it") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.host("submit --dry_run --sbatch no-requeue " + small);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("#SBATCH --no-requeue\n") && !ContainsSubstring("--signal") &&
                              !ContainsSubstring("trainer.requeue"));
}

TEST_CASE("the record is on the disk before sbatch is called, and complete after") {
  const Sandbox sandbox;
  sandbox.write_program("sbatch",
                        "cp submission.json before.json; env >environment; echo \"$@\" >words; echo '17;here'");
  const Outcome outcome = sandbox.host("submit --partition big --grid.lr 0.1,0.2 " + small,
                                       with_programs(sandbox) + " SLURM_ARRAY_TASK_ID=4 SBATCH_PARTITION=small");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("submitted job 17: 2 runs") && ContainsSubstring("slurm-17_*.out"));
  const auto grid = sandbox.folder() / "levin_logs" / "grid_0";
  CHECK_THAT(sandbox.read(grid / "before.json"), ContainsSubstring("\"job\": \"\"") && ContainsSubstring("version_1"));
  CHECK_THAT(sandbox.read(grid / "submission.json"), ContainsSubstring("\"job\": \"17\""));
  CHECK_THAT(sandbox.read(grid / "words"), ContainsSubstring("--partition=big") && ContainsSubstring("submit.sh"));
  // The job's environment has neither the limit of one thread nor the array task of the job that submitted it.
  const std::string environment = sandbox.read(grid / "environment");
  CHECK(environment.find("SLURM_ARRAY_TASK_ID") == std::string::npos);
  CHECK(environment.find("OPENBLAS_NUM_THREADS") == std::string::npos);

  sandbox.write_program("squeue", "echo '17_1 PENDING'");
  const auto runs = runs_of(sandbox, "levin_logs/grid_0", with_programs(sandbox));
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["state"] == "lost");
  CHECK(runs[0]["problem"] == "job 17_0 is no longer in SLURM, and no run has begun; see its output");
  CHECK(runs[1]["state"] == "waiting");
  CHECK(runs[1]["options"]["lr"] == "0.2");
}

TEST_CASE("a run that was submitted to go on is asked for by that job") {
  const Sandbox sandbox;
  REQUIRE(sandbox.host(small + "--logger near " + test_plugins).code == 0);
  const std::filesystem::path run = sandbox.run();
  const Outcome with_secret = sandbox.host("submit --dry_run resume levin_logs/version_0 --logger.near.key hunter2");
  CHECK(with_secret.code == 2);
  CHECK_THAT(with_secret.error(), ContainsSubstring("a resumed run takes it only as an argument"));
  sandbox.write_program("sbatch", "echo 23");
  sandbox.write_program("squeue", "echo '23 PENDING'");
  const Outcome outcome =
      sandbox.host("submit --time 5 resume levin_logs/version_0 --max_epochs 2", with_programs(sandbox));
  REQUIRE(outcome.code == 0);
  CHECK_THAT(sandbox.read(run / "submit_0" / "submit.sh"),
             ContainsSubstring(" resume levin_logs/version_0 --max_epochs 2 --trainer.requeue=true\n"));
  CHECK(runs_of(sandbox, "", with_programs(sandbox))[0]["state"] == "waiting");
  CHECK(runs_of(sandbox, "", "true")[0]["state"] == "done");
  std::ofstream(run / "log.txt") << "T warning interrupted by SIGTERM\n";
  CHECK(runs_of(sandbox, "", with_programs(sandbox))[0]["state"] == "waiting");
  CHECK(runs_of(sandbox, "", "true")[0]["state"] == "interrupted");
}

TEST_CASE("what sbatch refuses is told, and stays in the table") {
  const Sandbox sandbox;
  sandbox.write_program("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1");
  const Outcome outcome = sandbox.host("submit --partition x " + small, with_programs(sandbox));
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.error(), ContainsSubstring("invalid partition specified: x") && ContainsSubstring("submit.sh"));
  CHECK(runs_of(sandbox, "levin_logs", "true")[0]["state"] == "refused");
}

TEST_CASE("a run that is submitted has its folder by then, and no second one takes it") {
  const Sandbox sandbox;
  sandbox.write_program("sbatch", "echo 17");
  for (const char* folder : {"submit_0", "submit_1", "first"}) {
    const std::string more = std::string(folder) == "first" ? "--trainer.log_version first" : "";
    REQUIRE(sandbox.host("submit " + small + more, with_programs(sandbox)).code == 0);
    CHECK_THAT(sandbox.read(sandbox.folder() / "levin_logs" / folder / "submit.sh"),
               ContainsSubstring("--trainer.log_version"));
  }
  const Outcome again = sandbox.host("submit " + small + "--trainer.log_version first", with_programs(sandbox));
  CHECK(again.code == 2);
  CHECK_THAT(again.error(), ContainsSubstring("has the submission.json of another run"));
}

TEST_CASE("a table has every run, also broken ones, and says which") {
  const Sandbox sandbox;
  for (const char* lr : {"0.1", "0.001"}) REQUIRE(sandbox.host(small + "--lr " + lr).code == 0);
  const auto logs = sandbox.folder() / "levin_logs";
  std::filesystem::create_directories(logs / "version_2" / "checkpoints");
  std::filesystem::create_directories(logs / "version_10");
  std::ofstream(logs / "version_10" / "config.json") << "{\"callbacks\": 3";
  std::filesystem::create_directories(logs / "grid_0");
  std::ofstream(logs / "grid_0" / "submission.json") << "{\"runs\": 3}";
  std::ofstream(logs / "version_1" / "checkpoints" / "index.json") << "{\"best\": ";
  const auto runs = runs_of(sandbox, "", "true");
  REQUIRE(runs.size() == 4);
  CHECK(runs[0]["run"] == "version_0");
  CHECK(runs[0]["state"] == "done");
  CHECK(runs[0]["epoch"] == 0);
  CHECK(runs[0]["monitor"] == "val_loss");
  CHECK(runs[0]["best"] == runs[0]["metrics"]["val_loss"]);
  for (size_t i : {1, 2, 3}) CHECK(runs[i]["state"] == "broken");
  CHECK(runs[3]["run"] == "version_10");
  const Outcome table = sandbox.host("runs levin_logs --sort val_loss");
  CHECK_THAT(table.out, ContainsSubstring("best val_loss") &&
                            ContainsSubstring("version_2: broken: it has no config.json") &&
                            ContainsSubstring("submission.json: 'runs' is 3"));
  CHECK_THAT(sandbox.host("runs nowhere").error(), ContainsSubstring("there is no folder"));
  CHECK_THAT(sandbox.host("runs --sort x").error(), ContainsSubstring("no run has 'x'"));
  CHECK_THAT(sandbox.host("runs --jsn").error(), ContainsSubstring("did you mean --json?"));
}
