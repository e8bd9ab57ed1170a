#include "core/kernels/blas_choice.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/emergency_output.hpp"
#include "core/base/error_line.hpp"
#include "core/base/file.hpp"
#include "core/base/machine.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "core/kernels/blas/blas_kernels.hpp"
#include "core/kernels/blas/blas_verdict.hpp"
#include "core/kernels/blas_trial.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* trial_variable = "LEVIN_TRY_BLAS";  // this process is the child of a trial
constexpr auto trial_time = std::chrono::seconds(30);
constexpr double least_gain = 1.05;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

[[noreturn]] void try_here() {
  const json result = {
      {"core", said_by_openblas("openblas_get_corename")}, {"wrong", wrong_blas_product()}, {"gflops", blas_gflops()}};
  std::printf("%s\n", result.dump().c_str());
  std::fflush(stdout);
  end_process(0);
}

// Under a limit LibTorch may crash for lack of memory.
bool has_memory_limit() {
  rlimit memory{};
  return ::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
}

// The result of a trial with this OPENBLAS_CORETYPE; "" = the choice of OpenBLAS.
struct Trial {
  explicit Trial(const std::string& core) {
    std::vector<std::string> command = {"/usr/bin/env", "-u", chosen_core_variable, "-u", blas_core_variable};
    if (!core.empty()) command.push_back(std::string(blas_core_variable) + "=" + core);
    command.insert(command.end(), {std::string(trial_variable) + "=1", exe_path().string()});
    const ChildResult child = run_child(command, trial_time);
    crashed = child.signal == SIGILL || ((child.signal == SIGSEGV || child.signal == SIGBUS) && !has_memory_limit());
    const json said = json::parse(child.out, nullptr, false);
    ended = child.exit_code == 0 && said.is_object();
    if (!ended) return;
    name = said.value("core", "");
    wrong = said.value("wrong", "");
    gflops = said.value("gflops", 0.0);
  }
  bool ended = false, crashed = false;
  std::string name, wrong;
  double gflops = 0;
};

// Returns nullopt if the trial failed for a reason that has nothing to do with the kernels, such as a lack of memory.
std::optional<BlasVerdict> try_core(const std::string& core) {
  BlasVerdict verdict;
  verdict.library = openblas_library();
  verdict.own_core = said_by_openblas("openblas_get_corename");
  const Trial faster(core);
  if (!faster.ended && !faster.crashed) return {};
  if (faster.crashed) verdict.problem = "crash";
  if (!faster.wrong.empty()) verdict.problem = "multiply wrongly (" + faster.wrong + ")";
  if (!verdict.problem.empty()) {
    print_message("warning", "OpenBLAS's kernels for " + core + " " + verdict.problem +
                                 " on this processor; runs use those for " + verdict.own_core + ", which are slower");
    return verdict;
  }
  const Trial own("");
  if (!own.ended) return {};
  verdict.own_gflops = own.gflops;
  verdict.gflops = faster.gflops;
  if (lower(faster.name) == lower(core) && faster.gflops > least_gain * own.gflops) verdict.core = core;
  return verdict;
}

[[noreturn]] void start_again() {
  const std::string text = [] {
    std::FILE* const file = std::fopen("/proc/self/cmdline", "re");
    std::string all;
    for (int c; file && (c = std::fgetc(file)) != EOF;) all += static_cast<char>(c);
    if (file) std::fclose(file);
    return all;
  }();
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) words.emplace_back(text.c_str() + at);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (words.empty()) std::abort();
  ::execv(exe_path().c_str(), arguments.data());
  const std::string what = std::string("cannot execute this program again: ") + std::strerror(errno);
  std::fprintf(stderr, "%s\n", error_line(ErrorCode::system_call_failed, what).c_str());
  end_process(1);
}

void set_variables(const EnvironmentVariables& variables) {
  for (const char* name : {blas_core_variable, chosen_core_variable})
    if (const auto found = variables.find(name); found != variables.end())
      ::setenv(name, found->second.c_str(), 1);
    else
      ::unsetenv(name);
}

std::optional<BlasVerdict> verdict_on(const std::string& faster, bool may_try) {
  const std::string program = exe_path().string();
  auto verdict = read_blas_verdict(program);
  if (verdict && verdict->library == openblas_library()) return verdict;
  if (!may_try || !can_keep_blas_verdicts()) return {};
  try {
    if (world_of(environment_variables()).several()) return {};
    verdict = try_core(faster);
  } catch (const std::exception&) {  // variables that a later check reports, or a lack of processes or memory
    return {};
  }
  if (verdict) keep_blas_verdict(program, *verdict);
  return verdict;
}

}  // namespace

void choose_blas_kernels(bool may_try) {
  if (!variable(trial_variable).empty()) try_here();
  const std::string core = said_by_openblas("openblas_get_corename"), given = variable(blas_core_variable);
  if (core.empty()) return;
  if (const std::string chosen = variable(chosen_core_variable); !given.empty()) {
    if (chosen.empty() || chosen == given + " " + openblas_library()) return;
    set_variables({});  // chosen for another library
    start_again();
  }
  const std::string faster = faster_blas_core(core, said_by_openblas("openblas_get_config"), cpu_flags());
  if (faster.empty()) return;
  EnvironmentVariables variables;
  if (const auto verdict = verdict_on(faster, may_try)) add_blas_variables(variables, *verdict);
  if (variables.empty()) return;
  set_variables(variables);
  start_again();
}

}  // namespace levin::core
