#include "core/logging/metrics/metric_meta.hpp"

#include <algorithm>

namespace levin::core {

void MetricMeta::set_names() {
  const bool forked = when.on_step && when.on_epoch;
  const std::string suffix =
      dataloader_idx >= 0 && add_dataloader_idx ? "/dataloader_idx_" + std::to_string(dataloader_idx) : std::string();
  plain = name + suffix;
  step = name + (forked ? "_step" : "") + suffix;
  epoch = name + (forked ? "_epoch" : "") + suffix;
}

bool MetricMeta::is_over(int rank) const {
  return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

bool MetricMeta::is_same_metric(const MetricMeta& other) const {
  return origin == other.origin && dataloader_idx == other.dataloader_idx && name == other.name;
}

nlohmann::json MetricMeta::state_dict() const {
  nlohmann::json state = {{"name", name},
                          {"origin", static_cast<uint32_t>(origin)},
                          {"dataloader_idx", dataloader_idx},
                          {"on_step", when.on_step},
                          {"on_epoch", when.on_epoch},
                          {"prog_bar", prog_bar},
                          {"logger", logger},
                          {"add_dataloader_idx", add_dataloader_idx},
                          {"reduce", static_cast<int>(reduce)}};
  if (sync_dist) state["sync_dist"] = true;
  if (rank_zero_only) state["rank_zero_only"] = true;
  if (!ranks.empty()) state["sync_dist_group"] = ranks;
  return state;
}

MetricMeta MetricMeta::from_state(const nlohmann::json& state) {
  MetricMeta meta;
  meta.name = state.at("name").get<std::string>();
  meta.origin = static_cast<LogOrigin>(state.at("origin").get<uint32_t>());
  meta.dataloader_idx = state.at("dataloader_idx").get<int64_t>();
  meta.when = {state.at("on_step").get<bool>(), state.at("on_epoch").get<bool>()};
  meta.prog_bar = state.at("prog_bar").get<bool>();
  meta.logger = state.at("logger").get<bool>();
  meta.add_dataloader_idx = state.at("add_dataloader_idx").get<bool>();
  meta.reduce = static_cast<Reduce>(state.at("reduce").get<int>());
  meta.sync_dist = state.value("sync_dist", false);
  meta.rank_zero_only = state.value("rank_zero_only", false);
  meta.ranks = state.value("sync_dist_group", std::vector<int>());
  meta.set_names();
  return meta;
}

}  // namespace levin::core
