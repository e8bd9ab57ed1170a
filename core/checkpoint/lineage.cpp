#include "core/checkpoint/lineage.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

namespace levin::core {

Lineage new_lineage() {
  std::random_device random;
  char text[33];
  std::snprintf(text, sizeof text, "%08x%08x%08x%08x", random(), random(), random(), random());
  return {text, 0};
}

Lineage lineage_of(const nlohmann::json& manifest) {
  Lineage lineage = new_lineage();
  if (const std::string run = run_of(manifest); !run.empty()) lineage.run = run;
  lineage.saves = saves_of(manifest);
  return lineage;
}

std::string run_of(const nlohmann::json& manifest) {
  const auto run = manifest.find("run");
  return run != manifest.end() && run->is_string() ? run->get<std::string>() : "";
}

uint64_t saves_of(const nlohmann::json& manifest) {
  constexpr uint64_t most = uint64_t{1} << 53;
  const auto saves = manifest.find("saves");
  const bool known = saves != manifest.end() && saves->is_number_unsigned() && *saves <= most;
  return known ? saves->get<uint64_t>() : 0;
}

}  // namespace levin::core
