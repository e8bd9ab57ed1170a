#include "host/launch.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host/memory_limit.hpp"

namespace levin::core {
namespace {

std::filesystem::path engine_path() {
  return exe_path().parent_path().parent_path() / "libexec" / "levin" / "host-engine";
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::internal, what + ": " + std::strerror(errno));
}

// Writes the bytes to an anonymous file in memory and returns its descriptor. Nothing is left behind, and secrets never
// reach a disk.
int inherited_file(const std::string& bytes) {
  const int fd = ::memfd_create("levin-run-config", 0);
  if (fd < 0) fail("cannot make an anonymous file");
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n <= 0) fail("cannot write an anonymous file");
    done += static_cast<size_t>(n);
  }
  if (::lseek(fd, 0, SEEK_SET) != 0) fail("cannot rewind an anonymous file");
  return fd;
}

// Throws Error{usage} for what OpenMP would leave aside: it is a number of threads, or one for each level, "4,2".
void check_threads_variable() {
  const char* given = ::getenv("OMP_NUM_THREADS");
  if (given == nullptr || *given == '\0') return;
  const std::string text = given;
  for (const std::string& part : split(text, ',')) {
    const std::string number = trim(part);
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || number.find_first_not_of('0') == std::string::npos || number.size() > 6)
      throw Error(ErrorKind::usage, "the environment's OMP_NUM_THREADS is '" + text +
                                        "'; it has to be a number of threads, or not set: then all CPUs are used");
  }
}

// Sets environment variables for speed, unless the user has set them.
void set_default_environment() {
  ::setenv("OMP_NUM_THREADS", std::to_string(usable_cpus()).c_str(), 0);
  // Idle threads must not spin, because with more threads than CPUs they would take CPU time from working threads.
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  // Large tensors are allocated in the heap and freed memory is kept, because returning it to the system and faulting
  // it in again costs a quarter of a training step.
  ::setenv("MALLOC_MMAP_THRESHOLD_", "1073741824", 0);
  ::setenv("MALLOC_TRIM_THRESHOLD_", "2147483648", 0);
}

}  // namespace

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return CPU_COUNT(&set);
}

void launch_run(const RunConfig& config) {
  const auto& threads = config.trainer.at("num_threads");
  if (!threads.is_null()) ::setenv("OMP_NUM_THREADS", std::to_string(threads.get<int64_t>()).c_str(), 1);
  const int fd = inherited_file(to_json(config).dump());
  launch_engine({"--run-config-fd", std::to_string(fd)});
}

void launch_check(const nlohmann::json& request) {
  const int fd = inherited_file(request.dump());
  launch_engine({"--check-fd", std::to_string(fd)});
}

void launch_export(const nlohmann::json& request) {
  const int fd = inherited_file(request.dump());
  launch_engine({"--export-fd", std::to_string(fd)});
}

void launch_engine(const std::vector<std::string>& words) {
  check_threads_variable();
  set_default_environment();
  const std::string engine = engine_path().string();
  check_memory_limit(engine);
  std::vector<char*> argv = {const_cast<char*>("host-engine")};
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(engine.c_str(), argv.data());
  fail("cannot start the engine, which is a part of the installation, " + engine);
}

}  // namespace levin::core
