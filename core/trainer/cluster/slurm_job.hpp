// The SLURM job that this process runs in: when it ends, and how it is requeued.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/environment.hpp"

namespace levin::core {

struct SlurmJob {
  std::string id;              // in scontrol's form: "17", or "17_3" in a job array
  int64_t restarts = 0;        // number of times SLURM has restarted the job
  std::optional<int64_t> end;  // seconds since 1970
};

// Returns nullopt outside of a job. Variables that should be numbers and are not are ignored.
std::optional<SlurmJob> slurm_job(const EnvironmentVariables& variables);

// Returns the end of the job in seconds since 1970, according to scontrol, because SLURM before 23 does not set it in
// the environment. nullopt = no end, or unknown.
std::optional<int64_t> end_of_job(const SlurmJob& job, const std::string& scontrol);
// Returns the end of the job from the output of `scontrol show job`.
std::optional<int64_t> end_in_text(const std::string& text);
// Asks SLURM to end this job and start it again later. Throws Error{run} with scontrol's message if it refuses.
void requeue(const SlurmJob& job, const std::string& scontrol);

// Decides when a fit has to stop so that it can save before the job ends.
class JobEnd {
 public:
  using Clock = std::chrono::system_clock;
  // end: the end of the job, in seconds since 1970.
  JobEnd(int64_t end, Clock::time_point now);
  // Call it after each batch. Returns true once the remaining time is at most the longest batch so far plus a reserve:
  // one minute, or a tenth of the time left at the start if that is shorter.
  bool is_near(Clock::time_point now);
  Clock::time_point end() const { return end_; }

 private:
  Clock::time_point end_;
  std::optional<Clock::time_point> last_;  // end of the last batch
  Clock::duration reserve_, longest_{0};
};

}  // namespace levin::core
