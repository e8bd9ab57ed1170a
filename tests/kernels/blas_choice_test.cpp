#include "core/base/machine.hpp"
#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

using namespace levin::core;

namespace {

// Runs of `host doctor` with their own cache folder.
struct Machine {
  // words: environment variables, the program and its arguments.
  std::string run(const std::string& words) const {
    const Variables variables = {{"OPENBLAS_CORETYPE", {}},
                                 {"LEVIN_BLAS_CORE", {}},
                                 {"OMP_NUM_THREADS", "1"},
                                 {"XDG_CACHE_HOME", folder.path().string()}};
    const Outcome outcome = run_program({shell_command("exec env " + words + " 2>&1"), folder.path(), variables});
    REQUIRE(outcome.code == 0);
    return outcome.out;
  }
  std::string doctor(const std::string& variables) const { return run(variables + " " LEVIN_TEST_HOST " doctor"); }
  TempFolder folder;
};

bool has_openblas(const Machine& machine) {
  if (machine.doctor("").find("OpenBLAS") != std::string::npos) return true;
  WARN("SKIPPED: this LibTorch does not use OpenBLAS");
  return false;
}

bool is_recent_processor() {
  if (cpu_flags().count("avx2") != 0) return true;
  WARN("SKIPPED: this processor has no AVX2, so that OpenBLAS has no other kernels for it");
  return false;
}

const std::string preload = "LD_PRELOAD=" LEVIN_WRONG_BLAS " ";

}  // namespace

TEST_CASE("a run uses the fastest kernels of OpenBLAS that the processor can run") {
  const Machine machine;
  if (!has_openblas(machine)) return;
  const std::string said = machine.doctor("");
  CHECK_THAT(said, !ContainsSubstring("for faster ones"));
  CHECK(machine.doctor("").substr(0, 40) == said.substr(0, 40));
}

TEST_CASE("the user's own choice of kernels stays") {
  const Machine machine;
  if (!has_openblas(machine) || !is_recent_processor()) return;
  const std::string said = machine.doctor("OPENBLAS_CORETYPE=Nehalem");
  CHECK_THAT(said, ContainsSubstring("its kernels for Nehalem") && ContainsSubstring("for faster ones"));
}

TEST_CASE("kernels that multiply wrongly or crash are not used, are named once, and the verdict is kept") {
  const Machine machine;
  if (!has_openblas(machine) || !is_recent_processor()) return;
  const auto [how, said] =
      GENERATE(table<std::string, std::string>({{"wrong", "multiply wrongly (1x1 times 1x1)"}, {"crash", "crash"}}));
  const std::string variables = preload + "LEVIN_TEST_BLAS=" + how;
  const std::string first = machine.doctor(variables), second = machine.doctor(variables);
  CHECK_THAT(first, ContainsSubstring("host: warning: OpenBLAS's kernels for ") &&
                        ContainsSubstring(said + " on this processor; runs use those for Prescott"));
  CHECK_THAT(second, !ContainsSubstring("host: warning") && ContainsSubstring("but on this processor these " + said));
}

TEST_CASE("kernels that are faster are chosen, and kernels that are not faster are left") {
  const Machine machine;
  if (!has_openblas(machine) || !is_recent_processor()) return;
  CHECK_THAT(machine.doctor(preload + "LEVIN_TEST_BLAS=slow"), ContainsSubstring("its kernels for Prescott (SSE)"));
  const Machine other;
  const std::string fastest = cpu_flags().count("avx512vl") != 0 ? "SkylakeX" : "Haswell";
  for (int time = 0; time < 2; ++time)
    CHECK_THAT(other.doctor(preload), ContainsSubstring("its kernels for " + fastest +
                                                        ", which the host has chosen and verified; "
                                                        "OpenBLAS itself would take Prescott ("));
}

TEST_CASE("a program with levin_inference gets the same kernels, and keeps its arguments") {
  const Machine machine;
  if (!has_openblas(machine) || !is_recent_processor()) return;
  const std::string chosen = machine.run(preload + LEVIN_PROGRAM " 'two words' ''");
  CHECK_THAT(chosen, ContainsSubstring("OPENBLAS_CORETYPE=SKYLAKEX\ntwo words\n\nend\n") ||
                         ContainsSubstring("OPENBLAS_CORETYPE=HASWELL\ntwo words\n\nend\n"));
  const Machine other;
  CHECK_THAT(other.run(preload + "LEVIN_TEST_BLAS=crash " LEVIN_PROGRAM),
             ContainsSubstring("OPENBLAS_CORETYPE=\nend\n"));
}

TEST_CASE("a folder for the verdict that cannot be written is no obstacle") {
  const Machine machine;
  if (!has_openblas(machine)) return;
  CHECK_THAT(machine.doctor("XDG_CACHE_HOME=/proc/none"), ContainsSubstring("GFLOP/s"));
  CHECK_THAT(machine.doctor("HOME=/nonexistent XDG_CACHE_HOME="), ContainsSubstring("GFLOP/s"));
}

TEST_CASE("a verdict for another library is not used") {
  const Machine machine;
  if (!has_openblas(machine) || !is_recent_processor()) return;
  const std::string said = machine.doctor("OPENBLAS_CORETYPE=NEHALEM LEVIN_BLAS_CORE='NEHALEM /usr/lib/other.so'");
  CHECK_THAT(said, !ContainsSubstring("for Nehalem"));
}
