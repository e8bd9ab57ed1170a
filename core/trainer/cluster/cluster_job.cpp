#include "core/trainer/cluster/cluster_job.hpp"

#include <csignal>
#include <ctime>

#include "core/base/error.hpp"
#include "core/progress/stop_request.hpp"

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

ClusterJob::ClusterJob(const RunSettings& settings, bool first, Console& console)
    : console_(console), job_(slurm_job(environment_variables())) {
  if (!first) return;
  const std::string scontrol = job_ ? find_program(environment_variables(), "scontrol") : "";
  if (settings.plan.supervision.requeue && !job_)
    console.warn("trainer.requeue has no effect: this is not a SLURM job (SLURM_JOB_ID is not set)");
  if (settings.plan.supervision.requeue && job_ && scontrol.empty())
    throw Error(ErrorCode::program_missing, "--trainer.requeue: PATH has no program scontrol");
  if (settings.plan.supervision.requeue) scontrol_ = scontrol;
  if (!job_ || !fits(settings.config.command) || settings.plan.duration.fast_dev_run > 0) return;
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
