#include "host/launch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "host/launcher/launcher.hpp"
#include "host/launcher/ranks/descriptor.hpp"
#include "host/launcher/ranks/engine_environment.hpp"
#include "host/memory_limit.hpp"

namespace levin::core {
namespace {

std::string engine_path() {
  return (exe_path().parent_path().parent_path() / "libexec" / "levin" / "host-engine").string();
}

// Stays open in the engine.
int inherited_file(const std::string& bytes) {
  const int fd = file_in_memory(bytes).release();
  ::fcntl(fd, F_SETFD, 0);
  return fd;
}

// Sets environment variables for speed, unless the user has set them.
void set_default_environment() {
  EnvironmentVariables variables = environment_variables();
  check_threads_variable(variables);
  add_engine_variables(variables);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 0);
}

[[noreturn]] void become_engine(const RunConfig& config) {
  const auto& threads = config.trainer.at("num_threads");
  if (!threads.is_null()) ::setenv("OMP_NUM_THREADS", std::to_string(threads.get<int64_t>()).c_str(), 1);
  const int fd = inherited_file(to_json(config).dump());
  launch_engine({"--run-config-fd", std::to_string(fd)});
}

// This process has no LibTorch to ask.
int count_gpus() {
  const ChildResult answer = run_child({engine_path(), "--count-gpus"}, std::chrono::seconds(120));
  if (answer.exit_code == 0) return std::atoi(answer.out.c_str());
  throw Error(ErrorKind::run, "cannot count the GPUs of this machine: " + trim(answer.err));
}

}  // namespace

int launch_run(RunConfig config, const LaunchWords& words) {
  if (is_launched(environment_variables())) {
    if (words.any())
      throw Error(ErrorKind::usage,
                  "--hosts, --hostfile and --ssh_command are for the host's own launcher, and another one has started "
                  "this process (RANK and WORLD_SIZE are set); leave them out");
    become_engine(config);
  }
  const WorldPlan plan = plan_world(config, words, count_gpus);
  const bool stays = config.trainer.value("max_restarts", int64_t{0}) > 0;
  if (plan.world() == 1 && plan.machines.front().is_this && !stays) become_engine(config);
  check_memory_limit(engine_path());
  std::fflush(nullptr);
  return launch_world(config, plan, {{engine_path()}, {exe_path().string(), "__node"}, words.ssh_command});
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
  set_default_environment();
  const std::string engine = engine_path();
  check_memory_limit(engine);
  std::vector<char*> argv = {const_cast<char*>("host-engine")};
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(engine.c_str(), argv.data());
  throw Error(ErrorKind::internal,
              "cannot start the engine, which is a part of the installation, " + engine + ": " + std::strerror(errno));
}

}  // namespace levin::core
