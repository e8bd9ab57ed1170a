#include "core/logging/reduction/metric_reducer.hpp"

#include <algorithm>
#include <utility>

namespace levin::core {
namespace {

using nlohmann::json;

bool logs_steps(const MetricStore& store) {
  const auto& all = store.entries();
  return std::any_of(all.begin(), all.end(),
                     [](const auto& e) { return e->logged.fresh && e->meta.when.on_step && e->meta.sync_dist; });
}

std::vector<JointMetric> joined(const std::vector<json>& all) {
  std::vector<std::vector<MetricShare>> shares;
  for (const json& theirs : all) shares.push_back(decode(theirs));
  return join_shares(std::move(shares));
}

std::vector<json> members(const std::vector<json>& all, const char* name) {
  std::vector<json> out;
  for (const json& one : all) out.push_back(one.at(name));
  return out;
}

}  // namespace

std::vector<json> MetricReducer::reduce_epoch(MetricStore& store, const json& beside) {
  const std::vector<json> all = exchange_json(group_, {{"metrics", encode(epoch_shares(store))}, {"beside", beside}});
  std::vector<JointMetric> untold;
  for (JointMetric& joint : joined(members(all, "metrics"))) {
    take_epoch(store, joint, group_.rank());
    if (lacks_state(joint)) untold.push_back(std::move(joint));
  }
  if (!untold.empty()) tell_values(store, untold);
  asks_for_steps_ = true;
  return members(all, "beside");
}

// Processes without a part of a state get its value from the first process that has it.
void MetricReducer::tell_values(MetricStore& store, const std::vector<JointMetric>& untold) {
  json mine = json::array();
  for (const JointMetric& joint : untold) {
    const ReducedValue& value = store.entry_of(joint.meta).reduced;
    mine.push_back(value.is_whole && value.epoch ? json(*value.epoch) : json());
  }
  const std::vector<json> all = exchange_json(group_, mine);
  for (size_t i = 0; i < untold.size(); ++i) {
    const auto told = std::find_if(all.begin(), all.end(), [&](const json& theirs) { return !theirs.at(i).is_null(); });
    if (told != all.end()) take_value(store, untold[i], told->at(i).get<double>());
  }
}

void MetricReducer::note_states(MetricStore& store) {
  for (const JointMetric& joint : joined(exchange_json(group_, encode(state_shares(store)))))
    take_restored(store, joint, group_.rank());
}

void MetricReducer::reduce_steps(MetricStore& store, bool in_any_case) {
  const bool asks = std::exchange(asks_for_steps_, false);
  if (!in_any_case && !asks && !has_steps_) return;
  if (steps_.reduce(store, logs_steps(store))) has_steps_ = true;
}

std::optional<double> MetricReducer::of_first(const std::optional<double>& value) {
  const json first = exchange_json(group_, value ? json(*value) : json()).front();
  return first.is_null() ? std::nullopt : std::optional<double>(first.get<double>());
}

}  // namespace levin::core
