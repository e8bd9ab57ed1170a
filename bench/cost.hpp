// The cost of a piece of work in this process, and its JSON form.
#pragma once
#include <sys/resource.h>

#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>

namespace levin_bench {

inline double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

struct Cost {
  double wall, cpu, user, system;
  int64_t faults, preempted;

  static Cost now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID),
            seconds(usage.ru_utime),  seconds(usage.ru_stime),
            usage.ru_minflt,          usage.ru_nivcsw};
  }
  Cost since(const Cost& begin) const {
    return {wall - begin.wall,     cpu - begin.cpu,       user - begin.user,
            system - begin.system, faults - begin.faults, preempted - begin.preempted};
  }
  nlohmann::json json() const {
    return {{"wall", wall},     {"cpu", cpu},       {"user", user},
            {"system", system}, {"faults", faults}, {"preempted", preempted}};
  }
};

inline double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace levin_bench
