#include "core/checkpoint/state/loop_states.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace levin::core {
namespace {

using nlohmann::json;

// Maximum batch size; larger values might overflow when multiplied.
constexpr int64_t most_rows = int64_t{1} << 32;

// Returns the number of rows; 0 = missing or invalid.
int64_t rows_at(const json& config, const char* path) {
  const json::json_pointer place(path);
  if (!config.is_object() || !config.contains(place) || !config.at(place).is_number_integer()) return 0;
  const auto rows = config.at(place).get<int64_t>();
  return rows > most_rows ? 0 : std::max<int64_t>(rows, 0);
}

bool shares_rows(const json& config) {
  const json::json_pointer place("/trainer/use_distributed_sampler");
  return !config.is_object() || !config.contains(place) || config.at(place) != false;
}

// Returns the batch size of a process; 0 = unknown. A global batch size is divisible by the world size: the run checks
// it at its start.
int64_t batch_rows(const json& config, int64_t processes) {
  const int64_t all = rows_at(config, "/loader/global_batch_size");
  return all > 0 ? all / processes : rows_at(config, "/loader/batch_size");
}

}  // namespace

StepRows step_rows(const json& config_before, int64_t processes_before, const json& config, int64_t processes) {
  StepRows batch{batch_rows(config_before, processes_before), batch_rows(config, processes)};
  if (batch.before == 0 || batch.now == 0) batch = {1, 1};
  StepRows rows{batch.before * (shares_rows(config_before) ? processes_before : 1),
                batch.now * (shares_rows(config) ? processes : 1)};
  const int64_t divisor = std::gcd(rows.before, rows.now);
  return {rows.before / divisor, rows.now / divisor};
}

}  // namespace levin::core
