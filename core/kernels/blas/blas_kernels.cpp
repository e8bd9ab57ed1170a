#include "core/kernels/blas/blas_kernels.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

struct InstructionSet {
  const char* name;
  const char* core;                    // an OpenBLAS core whose kernels use the set
  std::vector<std::string> flags;      // CPU flags that these kernels need
  std::vector<std::string> also = {};  // further cores whose kernels use the set
};

// From the newest to the oldest.
const std::vector<InstructionSet>& instruction_sets() {
  static const std::vector<InstructionSet> all = {
      {"AVX-512", "SkylakeX", {"avx512f", "avx512dq", "avx512bw", "avx512vl"}, {"Cooperlake", "SapphireRapids"}},
      {"AVX2", "Haswell", {"avx2", "fma"}, {"Zen", "Excavator"}},
      {"AVX", "Sandybridge", {"avx"}, {"Bulldozer", "Piledriver", "Steamroller"}},
      {"SSE", "Nehalem", {"sse4_2"}, {}}};
  return all;
}

using InstructionSetPlace = std::vector<InstructionSet>::const_iterator;

bool uses(const InstructionSet& set, const std::string& core) {
  const auto is = [&](const std::string& name) { return lower(name) == lower(core); };
  return is(set.core) || std::any_of(set.also.begin(), set.also.end(), is);
}

// Cores that are not in the table are older ones.
InstructionSetPlace used_by(const std::string& core) {
  const auto& all = instruction_sets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const InstructionSet& set) { return uses(set, core); });
  return found == all.end() ? std::prev(found) : found;
}

InstructionSetPlace best_of(const CpuFlags& flags) {
  const auto& all = instruction_sets();
  const auto has = [&](const std::string& flag) { return flags.count(flag) > 0; };
  const auto found = std::find_if(all.begin(), all.end(), [&](const InstructionSet& set) {
    return std::all_of(set.flags.begin(), set.flags.end(), has);
  });
  return found == all.end() ? std::prev(found) : found;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

bool chooses_kernels(const std::string& config) { return config.find("DYNAMIC_ARCH") != std::string::npos; }

}  // namespace

std::string faster_blas_core(const std::string& core, const std::string& config, const CpuFlags& flags) {
  const auto best = best_of(flags);
  return best < used_by(core) && chooses_kernels(config) ? upper(best->core) : "";
}

std::string describe_blas_kernels(const std::string& core, const std::string& config, const CpuFlags& flags) {
  const std::vector<std::string> words = split(config, ' ');  // "OpenBLAS 0.3.21 ..."
  const std::string version = words.size() > 1 ? words[0] + " " + words[1] : "OpenBLAS";
  const std::string taken = version + " runs its kernels for " + core;
  const auto used = used_by(core), best = best_of(flags);
  if (best >= used) return taken;
  const std::string slow = taken + " (" + used->name + "), and this processor has " + best->name + ": ";
  if (!chooses_kernels(config))
    return slow + "install an OpenBLAS that is built for all processors (DYNAMIC_ARCH), as libopenblas0-openmp is";
  return slow + "set OPENBLAS_CORETYPE=" + upper(best->core) + " for faster ones";
}

}  // namespace levin::core
