#include "core/components/oom_hints.hpp"

#include <algorithm>
#include <vector>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

constexpr int64_t large = 10000;  // smaller numbers are not listed

int64_t numbers_in(const levin_field& field) {
  double n = 1;
  for (int32_t d = 0; d < field.ndim; ++d) n *= static_cast<double>(std::max<int64_t>(field.shape[d], 1));
  return static_cast<int64_t>(std::min(n, 9e18));
}

}  // namespace

std::string asked_for_memory(const ComponentSchema& schema, const nlohmann::json& options,
                             const levin_data_info* data) {
  std::vector<std::string> causes;
  for (const OptionSchema& option : schema.options) {
    const auto value = options.find(option.name);
    const bool shown = value != options.end() && (option.flags & LEVIN_OPT_SECRET) == 0;
    if (shown && value->is_number_integer() && value->get<int64_t>() > large)
      causes.push_back(std::string("--") + kind_name(schema.kind) + "." + option.name + " " + value->dump());
  }
  for (uint32_t f = 0; data && f < data->n_fields; ++f) {
    const levin_field& field = *LEVIN_AT(levin_field, data->fields, data->field_size, f);
    if (const int64_t n = numbers_in(field); n > large)
      causes.push_back("field '" + std::string(field.name ? field.name : "") + "' of the data with " +
                       std::to_string(n) + " numbers a row");
  }
  return causes.empty() ? "" : "; what is large here: " + join_some(causes, 4);
}

}  // namespace levin::core
