#include "host/complete/list_names.hpp"

#include "sdk/include/levin/util/metric_table.hpp"
#include "sdk/include/levin/util/transform_table.hpp"

namespace levin::core {
namespace {

template <class Families>
std::vector<std::string> names_in(const Families& families) {
  std::vector<std::string> out;
  for (const auto& family : families)
    for (const auto& row : family.rows) out.emplace_back(row.name);
  return out;
}

}  // namespace

std::vector<std::string> metric_names() { return names_in(metrics::metric_families()); }
std::vector<std::string> transform_names() { return names_in(images::transform_families()); }

}  // namespace levin::core
