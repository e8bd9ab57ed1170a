#include "launch/memory_limit.hpp"

#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

constexpr auto wall_time = std::chrono::seconds(60);
constexpr rlim_t cpu_seconds = 6;  // loading LibTorch takes less than 1 s

// Limits the CPU time of a child. A child that spins ends by its CPU time, independent of the speed of the disk.
class CpuLimit {
 public:
  CpuLimit() {
    known_ = ::getrlimit(RLIMIT_CPU, &before_) == 0;
    rlimit limit = before_;
    limit.rlim_cur = before_.rlim_cur < cpu_seconds ? before_.rlim_cur : cpu_seconds;
    if (known_) ::setrlimit(RLIMIT_CPU, &limit);
  }
  ~CpuLimit() {
    if (known_) ::setrlimit(RLIMIT_CPU, &before_);
  }
  CpuLimit(const CpuLimit&) = delete;
  CpuLimit& operator=(const CpuLimit&) = delete;

 private:
  rlimit before_{};
  bool known_ = false;
};

// Passes on the number of threads, because each thread takes memory; run_child() would use one.
std::string threads() {
  const char* given = std::getenv("OMP_NUM_THREADS");
  return std::string("OMP_NUM_THREADS=") + (given ? given : "");
}

std::string reason(const ChildResult& tried) {
  const std::string said = trim(tried.err);
  if (!said.empty()) return said.substr(0, said.find('\n'));
  return tried.timed_out || tried.signal == SIGXCPU ? "it waited for memory without end"
         : tried.signal != 0                        ? "it was killed by " + signal_name(tried.signal)
                                                    : "it ended with code " + std::to_string(tried.exit_code);
}

}  // namespace

void check_memory_limit(const std::string& engine) {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  ChildResult tried;
  {
    const CpuLimit limited;
    tried = run_child({"/usr/bin/env", threads(), engine, "--try-product"}, wall_time);
  }
  if (tried.exit_code == 0) return;
  throw Error(ErrorCode::memory_limit_too_low,
              "the limit of " + std::to_string(memory.rlim_cur / 1048576) +
                  " MiB on this process's address space (ulimit -v) is too small for LibTorch, which "
                  "cannot multiply two small matrices: " +
                  reason(tried) +
                  "; raise it with ulimit -v, use fewer threads (--trainer.num_threads), or limit the "
                  "memory of a cgroup instead");
}

}  // namespace levin::core
