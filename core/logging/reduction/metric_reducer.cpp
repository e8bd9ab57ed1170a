#include "core/logging/reduction/metric_reducer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/distributed/watch/purpose.hpp"
#include "core/logging/reduction/metric_share.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

std::vector<json> members(const std::vector<json>& all, const char* name) {
  std::vector<json> out;
  for (const json& one : all) out.push_back(one.at(name));
  return out;
}

bool has_steps(const MetricStore& store) {
  const auto& all = store.entries();
  return std::any_of(all.begin(), all.end(), [](const auto& e) { return e->fresh && e->when.on_step && e->sync_dist; });
}

}  // namespace

std::vector<json> MetricReducer::exchange(const json& mine) {
  const PurposeScope purpose("logged values");
  const std::vector<uint8_t> bytes = json::to_msgpack(mine);
  std::vector<json> all;
  for (const std::string& theirs : group_.all_gather_bytes(std::string(bytes.begin(), bytes.end())))
    all.push_back(json::from_msgpack(theirs));
  return all;
}

std::vector<json> MetricReducer::reduce_epoch(MetricStore& store, const json& beside) {
  const std::vector<json> all = exchange({{"metrics", epoch_shares(store)}, {"beside", beside}});
  json told = json::object();
  std::vector<JointMetric> untold;
  for (const JointMetric& joint : join_shares(members(all, "metrics"))) {
    take_epoch(store, joint, group_.rank());
    if (!lacks_state(joint)) continue;
    const MetricEntry& e = store.entry_of(joint.how);
    if (e.is_whole && e.agreed) told[joint.key()] = *e.agreed;
    untold.push_back(joint);
  }
  if (!untold.empty()) {
    const std::vector<json> values = exchange(told);
    for (const JointMetric& joint : untold)
      for (auto theirs = values.rbegin(); theirs != values.rend(); ++theirs)  // the first one's stays
        if (theirs->contains(joint.key())) take_value(store, joint, theirs->at(joint.key()).get<double>());
  }
  asks_for_steps_ = true;
  return members(all, "beside");
}

void MetricReducer::note_states(MetricStore& store) {
  for (const JointMetric& joint : join_shares(exchange(state_shares(store)))) take_known(store, joint, group_.rank());
}

void MetricReducer::reduce_steps(MetricStore& store, bool in_any_case) {
  const bool asks = std::exchange(asks_for_steps_, false);
  if (!in_any_case && !asks && !has_steps_) return;
  const std::vector<json> all = exchange({{"metrics", step_shares(store)}, {"has_steps", has_steps(store)}});
  for (const JointMetric& joint : join_shares(members(all, "metrics"))) take_step(store, joint);
  for (const json& has : members(all, "has_steps")) has_steps_ = has_steps_ || has.get<bool>();
}

std::optional<double> MetricReducer::of_first(const std::optional<double>& value) {
  const json first = exchange(value ? json(*value) : json()).front();
  return first.is_null() ? std::nullopt : std::optional<double>(first.get<double>());
}

}  // namespace levin::core
