#include "core/config/optim/optim_spec.hpp"

namespace levin::core {

const OptimSpec* find_spec(const std::vector<OptimSpec>& table, const std::string& name) {
  for (const OptimSpec& spec : table)
    if (name == spec.id || name == spec.class_name) return &spec;
  return nullptr;
}

std::vector<std::string> spec_ids(const std::vector<OptimSpec>& table) {
  std::vector<std::string> ids;
  for (const OptimSpec& spec : table) ids.push_back(spec.id);
  return ids;
}

}  // namespace levin::core
