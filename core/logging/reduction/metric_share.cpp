#include "core/logging/reduction/metric_share.hpp"

#include <algorithm>
#include <utility>

namespace levin::core {
namespace {

using Part = MetricAccumulator::Part;

// Returns true if the metric object already has the state of all processes, because it was logged under another name
// too.
bool is_whole(const MetricStore& store, const MetricEntry& e) {
  const auto& all = store.entries();
  return std::any_of(all.begin(), all.end(), [&](const auto& other) {
    return other->reduced.is_whole && other->logged.metric && other->logged.metric.self == e.logged.metric.self;
  });
}

ShareContent content_of(const MetricStore& store, const MetricEntry& e) {
  const LoggedValue& logged = e.logged;
  if (!logged.metric && !logged.saved.empty()) return MetricState{e.metric_state(), false, e.reduced.restored};
  if (logged.metric.shares_state() && !is_whole(store, e)) return MetricState{e.metric_state(), true, std::nullopt};
  if (logged.metric || e.reduced.epoch) return KnownValue{e.epoch_value()};
  return logged.numbers.part();
}

template <class Content>
const Content* as(const std::optional<ShareContent>& share) {
  return share ? std::get_if<Content>(&*share) : nullptr;
}

bool is_state(const std::optional<ShareContent>& share) { return as<MetricState>(share) != nullptr; }
bool has_metric(const std::optional<ShareContent>& share) {
  return is_state(share) && as<MetricState>(share)->has_metric;
}

const ShareContent& first_of(const JointMetric& joint) {
  return **std::find_if(joint.shares.begin(), joint.shares.end(), [](const auto& share) { return share.has_value(); });
}

// The parts over which an entry with sync_dist is reduced.
std::vector<Part> parts_of(const MetricEntry& e, const JointMetric& joint) {
  std::vector<Part> parts;
  for (size_t rank = 0; rank < joint.shares.size(); ++rank)
    if (const Part* part = as<Part>(joint.shares[rank]); part && e.meta.is_over(static_cast<int>(rank)))
      parts.push_back(*part);
  return parts;
}

// Reduces over the ranks of this process's entry, with the reduction of the first process that logged the metric, so
// that all processes do the same. Without sync_dist, returns the value of the first process that has one.
std::optional<double> joint_value(const MetricEntry& e, const JointMetric& joint) {
  const ShareContent& first = first_of(joint);
  if (const auto* known = std::get_if<KnownValue>(&first)) return known->value;
  std::vector<Part> parts = joint.meta.sync_dist ? parts_of(e, joint) : std::vector<Part>();
  if (parts.empty()) parts.push_back(std::get<Part>(first));
  return MetricAccumulator::joined(parts, joint.meta.reduce);
}

void add_states(const MetricEntry& e, const MetricState& share) {
  for (const StateBag& state : taken_apart(share.state)) e.add_state(state);
}

std::optional<double> restored_value(const JointMetric& joint) {
  for (const auto& share : joint.shares)
    if (is_state(share) && as<MetricState>(share)->restored) return as<MetricState>(share)->restored;
  return std::nullopt;
}

// Merges in the order of ranks, so that all processes compute the same value to the last bit.
std::optional<double> join_states(MetricEntry& e, const JointMetric& joint) {
  std::vector<const MetricState*> states;
  for (size_t rank = 0; rank < joint.shares.size(); ++rank)
    if (is_state(joint.shares[rank]) && e.meta.is_over(static_cast<int>(rank)))
      states.push_back(as<MetricState>(joint.shares[rank]));
  if (states.empty())  // none of the entry's ranks has logged the metric
    states.push_back(as<MetricState>(*std::find_if(joint.shares.begin(), joint.shares.end(), is_state)));
  e.logged.metric.reset();
  for (const MetricState* share : states) add_states(e, *share);
  e.forget_computed();
  return e.epoch_value();
}

}  // namespace

std::vector<MetricShare> epoch_shares(const MetricStore& store) {
  std::vector<MetricShare> out;
  for (const auto& e : store.entries())
    if (e->logged.fresh && e->meta.when.on_epoch && e->reduced.epoch_due && e->has_part())
      out.push_back({e->meta, content_of(store, *e)});
  return out;
}

std::vector<MetricShare> state_shares(const MetricStore& store) {
  std::vector<MetricShare> out;
  for (const auto& e : store.entries()) {
    if (!e->logged.fresh) continue;
    if (e->logged.metric && e->meta.when.on_step)
      e->step_value();  // computed now, because a state does not hold the last batch's value
    if (!e->meta.when.on_epoch || !e->reduced.epoch_due) continue;
    MetricShare share{e->meta, content_of(store, *e)};
    if (std::holds_alternative<MetricState>(share.content)) out.push_back(std::move(share));
  }
  return out;
}

std::vector<JointMetric> join_shares(std::vector<std::vector<MetricShare>> all) {
  std::vector<JointMetric> joint;
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (MetricShare& share : all[rank]) {
      auto place = std::find_if(joint.begin(), joint.end(),
                                [&](const JointMetric& other) { return other.meta.is_same_metric(share.meta); });
      if (place == joint.end())
        place = joint.insert(joint.end(), {share.meta, std::vector<std::optional<ShareContent>>(all.size())});
      place->shares[rank] = std::move(share.content);
    }
  return joint;
}

bool lacks_state(const JointMetric& joint) {
  const auto& all = joint.shares;
  return std::any_of(all.begin(), all.end(), has_metric) && !std::all_of(all.begin(), all.end(), has_metric);
}

void take_value(MetricStore& store, const JointMetric& joint, const std::optional<double>& number) {
  MetricEntry& e = store.entry_of(joint.meta);
  e.reduced.epoch_due = false;
  if (!number) return;
  if (!e.logged.fresh) e.logged.metric = {};  // the metric is of an earlier epoch
  e.reduced.epoch = number;
  e.logged.fresh = true;
}

void take_epoch(MetricStore& store, const JointMetric& joint, int rank) {
  MetricEntry& e = store.entry_of(joint.meta);
  const auto& all = joint.shares;
  if (std::none_of(all.begin(), all.end(), is_state)) return take_value(store, joint, joint_value(e, joint));
  if (std::none_of(all.begin(), all.end(), has_metric)) return take_value(store, joint, restored_value(joint));
  if (!has_metric(all[static_cast<size_t>(rank)])) return;
  take_value(store, joint, join_states(e, joint));
  e.reduced.is_whole = true;
}

void take_restored(MetricStore& store, const JointMetric& joint, int rank) {
  const auto& mine = joint.shares[static_cast<size_t>(rank)];
  MetricEntry* const known = has_metric(mine) ? store.known_entry(joint.meta) : nullptr;
  if (!known) return;
  known->reduced.restored = join_states(*known, joint);
  known->logged.metric.reset();
  add_states(*known, *as<MetricState>(mine));
  known->forget_computed();
}

}  // namespace levin::core
