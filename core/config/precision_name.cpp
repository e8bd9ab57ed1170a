#include "core/config/precision_name.hpp"

namespace levin::core {
namespace {

struct Name {
  const char *given, *canonical;
  bool usable = true;
};
constexpr Name names[] = {{"32-true", "32-true"},
                          {"64-true", "64-true"},
                          {"16-mixed", "16-mixed"},
                          {"bf16-mixed", "bf16-mixed"},
                          {"16-true", "16-true"},
                          {"bf16-true", "bf16-true"},
                          {"transformer-engine", "transformer-engine", false},
                          {"transformer-engine-float16", "transformer-engine-float16", false},
                          {"32", "32-true"},
                          {"64", "64-true"},
                          {"16", "16-mixed"},
                          {"bf16", "bf16-mixed"}};

}  // namespace

std::optional<std::string> canonical_precision(const std::string& name) {
  for (const Name& n : names)
    if (name == n.given) return n.canonical;
  return std::nullopt;
}

std::vector<std::string> precision_names() {
  std::vector<std::string> out;
  for (const Name& n : names)
    if (n.usable) out.emplace_back(n.given);
  return out;
}

}  // namespace levin::core
