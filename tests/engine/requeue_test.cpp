// Runs in a SLURM job; scontrol is a script that records its arguments.
#include <ctime>

#include "core/base/json.hpp"
#include "host_process/sandbox.hpp"

namespace requeue_test {
namespace {

const std::string requeued = "--model plain --trainer.requeue true --trainer.enable_progress_bar false ";
const std::string set_up = requeued + "--trainer.max_epochs 3 ";
const std::string stop = "--model.at training_step --model.epoch 1 --model.batch 1 --model.do ";

// Returns the shell command that sets the job's environment.
std::string job(const Sandbox& sandbox, const std::string& more = "") {
  return "export PATH=" + sandbox.folder().string() + ":$PATH SLURM_JOB_ID=17 " + more;
}

std::string asked(const Sandbox& sandbox) {
  const auto file = sandbox.folder() / "asked";
  return std::filesystem::exists(file) ? sandbox.read(file) : "";
}

}  // namespace

TEST_CASE("a job that gets SIGUSR1 goes back into the queue, and goes on with its run when it is started again") {
  const Sandbox sandbox;
  sandbox.write_program("scontrol",
                        "[ $1 = show ] && exit; ls levin_logs/version_0/checkpoints >saved; echo \"$@\" >asked");
  const Outcome first = sandbox.bare("fit", set_up + stop + "usr1", job(sandbox));
  REQUIRE(first.code == 75);
  CHECK(asked(sandbox) == "requeue 17\n");
  CHECK_THAT(sandbox.read(sandbox.folder() / "saved"),
             ContainsSubstring("interrupted.ckpt"));  // saved before the requeue request
  CHECK_THAT(first.err, ContainsSubstring("SLURM job 17 is back in the queue"));

  const Outcome other = sandbox.bare("fit", set_up, job(sandbox, "SLURM_JOB_ID=18 SLURM_RESTART_COUNT=1"));
  CHECK(other.code == 0);
  CHECK_THAT(other.err,
             ContainsSubstring("SLURM job 18 was started again, and no run of it is there: starts from the beginning"));
  const Outcome again = sandbox.bare("fit", set_up, job(sandbox, "SLURM_RESTART_COUNT=1"));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, ContainsSubstring("resumes " + sandbox.run(0).string()) &&
                            ContainsSubstring("interrupted.ckpt (epoch 1,"));
  CHECK_FALSE(std::filesystem::exists(sandbox.run(2)));
}

TEST_CASE("a job that began with a resume from a chosen checkpoint goes on from its own when it is started again") {
  const Sandbox sandbox;
  sandbox.write_program("scontrol", "exit 0");
  REQUIRE(sandbox.bare("fit", requeued + "--trainer.max_epochs 1", job(sandbox)).code == 0);
  const std::string chosen = (sandbox.folder() / "chosen.ckpt").string();
  std::filesystem::copy_file(sandbox.run() / "checkpoints" / "last.ckpt", chosen);
  const std::string words = "resume levin_logs/version_0 --max_epochs 3 --ckpt_path " + chosen + " ";
  // Until the resumed run has saved a checkpoint, the job starts from the given one again.
  const Outcome first = sandbox.host(words + stop + "usr1", job(sandbox, "SLURM_RESTART_COUNT=1"));
  REQUIRE(first.code == 75);
  CHECK_THAT(first.err, ContainsSubstring("resumes from " + chosen + " (epoch 1,"));
  const Outcome again = sandbox.host(words + "--model.do nothing", job(sandbox, "SLURM_RESTART_COUNT=2"));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, ContainsSubstring("resumes from what it has saved, not from " + chosen) &&
                            ContainsSubstring("interrupted.ckpt (epoch 1,"));
}

TEST_CASE("a job that is started again keeps the seed that its run has drawn") {
  const Sandbox sandbox;
  sandbox.write_program("scontrol", "exit 0");
  const std::string drawn = set_up + "--trainer.seed_everything false ";
  REQUIRE(sandbox.bare("fit", drawn + stop + "usr1", job(sandbox)).code == 75);
  const auto seed = [&] {
    const auto config = levin::core::parse_json(sandbox.read(sandbox.run(0) / "config.json"), "config.json");
    return config.at("trainer").at("seed_everything");
  };
  const auto before = seed();
  REQUIRE(sandbox.bare("fit", drawn, job(sandbox, "SLURM_RESTART_COUNT=1")).code == 0);
  CHECK(before.is_number());
  CHECK(seed() == before);
}

TEST_CASE("a job that is cancelled, or that a person stops, does not go back into the queue") {
  for (const char* deed : {"terminate", "interrupt"}) {
    const Sandbox sandbox;
    sandbox.write_program("scontrol", "[ $1 = show ] || echo \"$@\" >asked");
    const Outcome outcome = sandbox.bare("fit", set_up + stop + deed, job(sandbox));
    CHECK(outcome.code != 0);
    CHECK(asked(sandbox).empty());
  }
}

TEST_CASE("a fit stops before its job ends, of its own") {
  const Sandbox sandbox;
  sandbox.write_program("scontrol", "[ $1 = show ] || echo \"$@\" >asked");
  const std::string end = "SLURM_JOB_END_TIME=" + std::to_string(std::time(nullptr) + 1);
  const Outcome outcome =
      sandbox.bare("fit", set_up + "--model.at training_step --model.batch 2 --model.do rest", job(sandbox, end));
  CHECK(outcome.code == 75);
  CHECK_THAT(outcome.err, ContainsSubstring("warning: SLURM job 17 ends at ") && ContainsSubstring("stops now"));
  CHECK(asked(sandbox) == "requeue 17\n");
}

TEST_CASE("what keeps a job from the queue is said") {
  const Sandbox sandbox;
  sandbox.write_program("scontrol", "echo slurm_update error: Job has already finished >&2; exit 1");
  const Outcome refused = sandbox.bare("fit", set_up + stop + "usr1", job(sandbox));
  CHECK(refused.code == 75);
  CHECK_THAT(refused.err, ContainsSubstring("SLURM job 17 is not back in the queue: ") &&
                              ContainsSubstring("scontrol requeue 17: slurm_update error: Job has already finished"));
  const Outcome outside = sandbox.bare("fit", requeued + "--trainer.max_epochs 1", "unset SLURM_JOB_ID");
  CHECK(outside.code == 0);
  CHECK_THAT(outside.err, ContainsSubstring("this is not a SLURM job"));
  const std::string programs = (sandbox.folder() / "programs").string();
  std::filesystem::create_directory(programs);
  for (const char* program : {"env", "timeout"})
    std::filesystem::create_symlink(std::string("/usr/bin/") + program, programs + "/" + program);
  const Outcome without = sandbox.bare("fit", set_up, "export SLURM_JOB_ID=17 PATH=" + programs);
  CHECK(without.code == 2);
  CHECK_THAT(without.error(), ContainsSubstring("no program scontrol"));
}

}  // namespace requeue_test
