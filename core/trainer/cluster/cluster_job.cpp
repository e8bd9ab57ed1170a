#include "core/trainer/cluster/cluster_job.hpp"

#include <csignal>
#include <ctime>

#include "core/base/error.hpp"
#include "core/progress/stop_request.hpp"
#include "core/run_folder/run_folder.hpp"

namespace levin::core {
namespace {

std::string time_of_day(JobEnd::Clock::time_point time) {
  const std::time_t seconds = JobEnd::Clock::to_time_t(time);
  std::tm local{};
  char text[32] = {};
  std::strftime(text, sizeof text, "%H:%M:%S", localtime_r(&seconds, &local));
  return text;
}

std::string name_of(const SlurmJob& job) { return "SLURM job " + job.id; }

}  // namespace

void go_on_after_requeue(RunConfig& config, Console& console) {
  if (!config.trainer.value("requeue", false)) return;
  const RunPlan plan = make_run_plan(config.trainer, config.timed);
  const auto job = slurm_job(environment_variables());
  if (!job) return;
  config.slurm_job = job->id;
  const bool trains = config.command == Command::run || config.command == Command::fit;
  if (job->restarts == 0 || config.resume || !trains) return;
  const auto folder = find_run({run_name(plan).folder_in(plan.default_root_dir), config.model.component},
                               [&job](const nlohmann::json& saved) { return saved.value("slurm_job", "") == job->id; });
  if (!folder) {
    console.warn(name_of(*job) + " was started again, and no run of it is there: starts anew");
    return;
  }
  console.info(name_of(*job) + " was started again: goes on with " + folder->string());
  config.resume = folder->string();
  // A seed that was drawn stays that of the run.
  config.trainer["seed_everything"] = RunFolder::open(*folder).config().at("trainer").at("seed_everything");
  config.ckpt_path.reset();  // it was the start of the run
}

ClusterJob::ClusterJob(const RunSettings& settings, Console& console)
    : console_(console), job_(slurm_job(environment_variables())) {
  const std::string scontrol = job_ ? find_program(environment_variables(), "scontrol") : "";
  if (settings.plan.requeue && !job_)
    console.warn("trainer.requeue does nothing here: this is no SLURM job (SLURM_JOB_ID is not set)");
  if (settings.plan.requeue && job_ && scontrol.empty())
    throw Error(ErrorKind::usage, "--trainer.requeue: there is no program scontrol in the folders of PATH");
  if (settings.plan.requeue) scontrol_ = scontrol;
  if (!job_ || !fits(settings.config.command) || settings.plan.fast_dev_run > 0) return;
  if (!job_->end && !scontrol.empty()) job_->end = end_of_job(*job_, scontrol);
  if (job_->end) end_.emplace(*job_->end, JobEnd::Clock::now());
}

void ClusterJob::after_batch() {
  if (!end_ || !end_->is_near(JobEnd::Clock::now())) return;
  console_.warn(name_of(*job_) + " ends at " + time_of_day(end_->end()) + ": stops now, to save before");
  end_.reset();
  int none = 0;
  interruption.compare_exchange_strong(none, SIGUSR1);
}

void ClusterJob::stopped_by(int signal) {
  if (signal != SIGUSR1 || scontrol_.empty()) return;
  try {
    requeue(*job_, scontrol_);
    console_.info(name_of(*job_) + " is back in the queue");
  } catch (const std::exception& e) {
    console_.warn(name_of(*job_) + " is not back in the queue: " + e.what());
  }
}

}  // namespace levin::core
