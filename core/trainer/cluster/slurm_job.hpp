// The SLURM job that this process runs in: when it ends, and how it is put back into the queue.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/environment.hpp"

namespace levin::core {

struct SlurmJob {
  std::string id;              // as scontrol takes it: "17", or "17_3" in an array of jobs
  int64_t restarts = 0;        // how often SLURM has started the job again
  std::optional<int64_t> end;  // seconds since 1970
};

// nullopt outside a job. What a variable does not say as a number counts as not said.
std::optional<SlurmJob> slurm_job(const EnvironmentVariables& variables);

// When the job ends, in seconds since 1970, as scontrol says: SLURM before 23 does not put it into the environment.
// nullopt: never, or it does not say.
std::optional<int64_t> end_of_job(const SlurmJob& job, const std::string& scontrol);
// The same, of the text that `scontrol show job` prints.
std::optional<int64_t> end_in_text(const std::string& text);
// Asks SLURM to end this job and start it again later. Throws Error{run} with what scontrol says if it refuses.
void requeue(const SlurmJob& job, const std::string& scontrol);

// Says when a fit has to stop so that it can save before the job ends.
class JobEnd {
 public:
  using Clock = std::chrono::system_clock;
  // end: the job's, in seconds since 1970.
  JobEnd(int64_t end, Clock::time_point now);
  // Call it after each batch. Returns true once no more time is left than the longest batch so far took, and a minute,
  // or a tenth of the time that was left at the start if that is shorter.
  bool is_near(Clock::time_point now);
  Clock::time_point end() const { return end_; }

 private:
  Clock::time_point end_;
  std::optional<Clock::time_point> last_;  // batch
  Clock::duration reserve_, longest_{0};
};

}  // namespace levin::core
