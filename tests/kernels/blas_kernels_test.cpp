#include "core/kernels/blas/blas_kernels.hpp"

#include <sstream>

#include "catch.hpp"

using namespace levin::core;

namespace {

const std::string dynamic = "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64";
const CpuFlags avx = {"sse4_2", "avx"}, avx2 = {"sse4_2", "avx", "avx2", "fma"},
               avx512 = {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl"};

CpuFlags flags_in(const std::string& cpuinfo) {
  std::istringstream text(cpuinfo);
  return cpu_flags_of(text);
}

}  // namespace

TEST_CASE("kernels of an older processor are named with what this one could run") {
  const struct {
    const char* core;
    CpuFlags flags;
    const char* said;
  } rows[] = {
      {"Prescott", avx512, "for Prescott (SSE), and this processor has AVX-512: set OPENBLAS_CORETYPE=SKYLAKEX"},
      {"Prescott", avx2, "this processor has AVX2: set OPENBLAS_CORETYPE=HASWELL"},
      {"unknown", avx, "this processor has AVX: set OPENBLAS_CORETYPE=SANDYBRIDGE"},
      {"Zen", avx512, "for Zen (AVX2), and this processor has AVX-512"},
  };
  for (const auto& row : rows)
    CHECK_THAT(describe_blas_kernels(row.core, dynamic, row.flags),
               ContainsSubstring("OpenBLAS 0.3.21 runs its kernels ") && ContainsSubstring(row.said));
}

TEST_CASE("kernels of this processor, and of a newer one, are only named") {
  const std::pair<const char*, CpuFlags> rows[] = {{"SkylakeX", avx512}, {"Cooperlake", avx512}, {"Haswell", avx2},
                                                   {"Zen", avx2},        {"SkylakeX", avx2},     {"Prescott", {}}};
  for (const auto& [core, flags] : rows)
    CHECK(describe_blas_kernels(core, dynamic, flags) == "OpenBLAS 0.3.21 runs its kernels for " + std::string(core));
}

TEST_CASE("a library that was built for one processor has no other kernels to choose") {
  CHECK_THAT(describe_blas_kernels("Prescott", "OpenBLAS 0.3.21 Prescott", avx512),
             ContainsSubstring("DYNAMIC_ARCH") && !ContainsSubstring("OPENBLAS_CORETYPE"));
}

TEST_CASE("the instruction sets are read from the system's description of the processor") {
  CHECK(flags_in("processor\t: 0\nflags\t\t: fpu avx2 avx512_bf16\nbugs\t: x\n\nflags\t: other\n") ==
        CpuFlags{"fpu", "avx2", "avx512_bf16"});
  CHECK(flags_in("Features\t: fp bf16\n") == CpuFlags{"fp", "bf16"});
  CHECK(flags_in("nothing of it\n").empty());
}
