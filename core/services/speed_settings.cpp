#include "core/services/speed_settings.hpp"

#include <ATen/Parallel.h>

#include "core/kernels/cpu_kernels.hpp"
#include "core/kernels/threads.hpp"

namespace levin::core {

const std::vector<SpeedSetting>& speed_settings() {
  static const std::vector<SpeedSetting> all = {
      {"channels_last", 0, 1, [](const SpeedParts& p) -> int64_t { return p.plan.machine.channels_last ? 1 : 0; },
       [](const SpeedParts& p, int64_t value) { p.plan.machine.channels_last = value != 0; }},
      {"cpu_kernels", 0, 1, [](const SpeedParts&) -> int64_t { return cpu_kernels_are_used() ? 1 : 0; },
       [](const SpeedParts&, int64_t value) { switch_cpu_kernels(value != 0); }},
      {"num_threads", 1, 1024, [](const SpeedParts&) -> int64_t { return at::get_num_threads(); },
       [](const SpeedParts&, int64_t value) { set_compute_threads(static_cast<int>(value)); }},
      {"num_workers", 0, 1024, [](const SpeedParts& p) { return p.loaders.num_workers(); },
       [](const SpeedParts& p, int64_t value) { p.loaders.set_num_workers(value); }},
  };
  return all;
}

const SpeedSetting* speed_setting(const std::string& name) {
  for (const SpeedSetting& setting : speed_settings())
    if (setting.name == name) return &setting;
  return nullptr;
}

std::vector<int64_t> speed_values(const SpeedParts& parts) {
  std::vector<int64_t> out;
  for (const SpeedSetting& setting : speed_settings()) out.push_back(setting.get(parts));
  return out;
}

void set_speed_values(const SpeedParts& parts, const std::vector<int64_t>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (const SpeedSetting& setting = speed_settings()[i]; setting.get(parts) != values[i])
      setting.set(parts, values[i]);
}

}  // namespace levin::core
