#include "conformance/report.hpp"

#include <cstdio>

namespace conformance {
namespace {

std::string counted(const std::array<int, 4>& n) {
  return std::to_string(n[0]) + " passed, " + std::to_string(n[1]) + " failed, " + std::to_string(n[2]) +
         " deviates, " + std::to_string(n[3]) + " not applicable";
}

}  // namespace

void Report::add(const Case& c, const std::string& kind, const Result& result) {
  const auto verdict = static_cast<size_t>(result.verdict);
  ++counts_[{kind, c.suite}][verdict];
  ++total_[verdict];
  list_.push_back({{"id", c.id},
                   {"suite", c.suite},
                   {"kind", kind},
                   {"verdict", name_of(result.verdict)},
                   {"reason", result.reason}});
  if (!verbose_) return;
  std::printf("%s: %s%s%s\n", name_of(result.verdict), c.id.c_str(), result.reason.empty() ? "" : ": ",
              result.reason.c_str());
  std::fflush(stdout);
}

void Report::print() const {
  for (const auto& [key, counts] : counts_)
    std::printf("%-4s %-32s %s\n", key.first.c_str(), key.second.c_str(), counted(counts).c_str());
  for (const char* kind : {"pure", "run"}) {
    Counts sum{};
    for (const auto& [key, counts] : counts_)
      for (size_t i = 0; key.first == kind && i < sum.size(); ++i) sum[i] += counts[i];
    std::printf("%-4s %-32s %s\n", kind, "(all)", counted(sum).c_str());
  }
  std::printf("%s\n", counted(total_).c_str());
}

}  // namespace conformance
