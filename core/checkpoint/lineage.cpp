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
  const auto run = manifest.find("run");
  if (run != manifest.end() && run->is_string()) lineage.run = run->get<std::string>();
  lineage.saves = saves_of(manifest);
  return lineage;
}

uint64_t saves_of(const nlohmann::json& manifest) {
  constexpr uint64_t most = uint64_t{1} << 53;
  const auto saves = manifest.find("saves");
  const bool known = saves != manifest.end() && saves->is_number_unsigned() && *saves <= most;
  return known ? saves->get<uint64_t>() : 0;
}

}  // namespace levin::core
