#include "core/trainer/cluster/slurm_job.hpp"

#include <stdlib.h>
#include <time.h>

#include "catch.hpp"

using namespace levin::core;
using namespace std::chrono_literals;

TEST_CASE("a SLURM job is known by its environment") {
  CHECK_FALSE(slurm_job({}));
  CHECK_FALSE(slurm_job({{"SLURM_JOB_ID", "$(reboot)"}}));
  const auto plain = slurm_job({{"SLURM_JOB_ID", "17"}, {"SLURM_JOB_END_TIME", "1700000000"}});
  REQUIRE(plain);
  CHECK(plain->id == "17");
  CHECK(plain->restarts == 0);
  CHECK(plain->end == 1700000000);
  const auto task = slurm_job({{"SLURM_JOB_ID", "19"},
                               {"SLURM_ARRAY_JOB_ID", "17"},
                               {"SLURM_ARRAY_TASK_ID", "3"},
                               {"SLURM_RESTART_COUNT", "2"},
                               {"SLURM_JOB_END_TIME", "soon"}});
  REQUIRE(task);
  CHECK(task->id == "17_3");
  CHECK(task->restarts == 2);
  CHECK_FALSE(task->end);
}

TEST_CASE("the end of a job is found in what scontrol says of it") {
  setenv("TZ", "UTC", 1);
  tzset();
  CHECK(end_in_text("JobId=17 RunTime=00:01:00 TimeLimit=00:02:00 EndTime=2023-11-14T22:13:20 Deadline=N/A") ==
        1700000000);
  for (const char* none : {"", "JobId=17 EndTime=Unknown Deadline=N/A", "JobId=17 EndTime=", "SuspendTime=None"})
    CHECK_FALSE(end_in_text(none));
  unsetenv("TZ");
  tzset();
}

TEST_CASE("a run stops while a minute, and its longest batch, are left of its job") {
  const JobEnd::Clock::time_point start{1000s};
  JobEnd hour(1000 + 3600, start);
  CHECK_FALSE(hour.is_near(start + 1000s));  // the time before the first batch does not count
  CHECK_FALSE(hour.is_near(start + 1100s));
  CHECK_FALSE(hour.is_near(start + 1200s));
  CHECK_FALSE(hour.is_near(start + 1300s));
  CHECK(hour.is_near(start + 3441s));
  JobEnd short_job(1000 + 100, start);
  for (int batch = 0; batch < 88; ++batch) CHECK_FALSE(short_job.is_near(start + std::chrono::seconds(batch)));
  CHECK(short_job.is_near(start + 89s));
  JobEnd over(900, start);
  CHECK(over.is_near(start));
}
