#include "core/logging/reduction/metric_share.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/logging/reduction/saved_states.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// A share is an array: how the metric was logged, what kind of share it is, and its content.
enum Kind { parts_of_value, known_value, metric_state };

json number_json(const std::optional<double>& number) { return number ? json(*number) : json(); }
std::optional<double> number_in(const json& given) {
  return given.is_null() ? std::nullopt : std::optional<double>(given.get<double>());
}

json bag_json(const StateBag& bag) {
  json out = json::array();
  for (const auto& [name, tensor] : bag.tensors()) {  // on the CPU, contiguous
    const auto* bytes = static_cast<const uint8_t*>(tensor.data_ptr());
    out.push_back({name, static_cast<int>(tensor.scalar_type()), tensor.sizes().vec(),
                   json::binary(std::vector<uint8_t>(bytes, bytes + tensor.nbytes()))});
  }
  return out;
}

StateBag bag_in(const json& given) {
  StateBag bag;
  for (const json& part : given) {
    const auto type = static_cast<at::ScalarType>(part.at(1).get<int>());
    const at::Tensor tensor = at::empty(part.at(2).get<std::vector<int64_t>>(), type);
    const auto& bytes = part.at(3).get_binary();
    if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), std::min(bytes.size(), tensor.nbytes()));
    bag.tensors()[part.at(0).get<std::string>()] = tensor;
  }
  return bag;
}

// Whether the object has the state of all processes already: it was logged under another name, too.
bool is_whole(const MetricStore& store, const MetricEntry& e) {
  const auto& all = store.entries();
  return std::any_of(all.begin(), all.end(), [&](const auto& other) {
    return other->is_whole && other->metric && other->metric_self == e.metric_self;
  });
}

// A state whose metric has not been logged again since a checkpoint has a fourth part, what is known of the value.
json share_of(const MetricStore& store, const MetricEntry& e) {
  if (!e.metric && !e.saved.empty()) return {e.how(), metric_state, bag_json(e.metric_state()), number_json(e.known)};
  if (e.metric && e.shares_state() && !is_whole(store, e)) return {e.how(), metric_state, bag_json(e.metric_state())};
  if (e.metric || e.agreed) return {e.how(), known_value, number_json(e.epoch_value())};
  const MetricAccumulator::Part part = e.value.part();
  return {e.how(), parts_of_value, part.total, part.weight, part.wide};
}

Kind kind_of(const json& share) { return static_cast<Kind>(share.at(1).get<int>()); }
bool is_state(const json& share) { return !share.is_null() && kind_of(share) == metric_state; }
bool has_metric(const json& share) { return is_state(share) && share.size() == 3; }  // which can join states

MetricAccumulator::Part part_in(const json& share) {
  return {share.at(2).get<double>(), share.at(3).get<int64_t>(), share.at(4).get<bool>()};
}

const json& first_of(const JointMetric& joint) {
  return *std::find_if(joint.shares.begin(), joint.shares.end(), [](const json& share) { return !share.is_null(); });
}

// Those by which an entry with sync_dist is reduced.
std::vector<MetricAccumulator::Part> parts_of(const MetricEntry& e, const JointMetric& joint) {
  std::vector<MetricAccumulator::Part> parts;
  for (size_t rank = 0; rank < joint.shares.size(); ++rank) {
    const json& share = joint.shares[rank];
    if (!share.is_null() && kind_of(share) == parts_of_value && e.is_over(static_cast<int>(rank)))
      parts.push_back(part_in(share));
  }
  return parts;
}

// Over the processes of this one's entry, and otherwise as the first process has logged it, so that all go alike.
// Without sync_dist a value is that of the first process that has it.
double joint_parts(const MetricEntry& e, const JointMetric& joint) {
  const MetricEntry as_first = MetricEntry::of(joint.how);
  const auto parts = as_first.sync_dist ? parts_of(e, joint) : std::vector<MetricAccumulator::Part>();
  return MetricAccumulator::joined(parts.empty() ? std::vector{part_in(first_of(joint))} : parts, as_first.reduce);
}

std::optional<double> joint_value(const MetricEntry& e, const JointMetric& joint) {
  const json& first = first_of(joint);
  return kind_of(first) == known_value ? number_in(first.at(2)) : joint_parts(e, joint);
}

void add_states(const MetricEntry& e, const json& share) {
  for (const StateBag& state : taken_apart(bag_in(share.at(2)))) e.add_state(state);
}

std::optional<double> known_value_of(const JointMetric& joint) {
  for (const json& share : joint.shares)
    if (is_state(share) && !share.at(3).is_null()) return share.at(3).get<double>();
  return std::nullopt;
}

// In the order of ranks, so that all processes compute the same value to the last bit.
std::optional<double> join_states(const MetricEntry& e, const JointMetric& joint) {
  std::vector<const json*> states;
  for (size_t rank = 0; rank < joint.shares.size(); ++rank)
    if (is_state(joint.shares[rank]) && e.is_over(static_cast<int>(rank))) states.push_back(&joint.shares[rank]);
  if (states.empty())  // none of its ranks has logged it
    states.push_back(&*std::find_if(joint.shares.begin(), joint.shares.end(), is_state));
  e.metric->reset(e.metric_self);
  for (const json* share : states) add_states(e, *share);
  e.computed.reset();
  return e.epoch_value();
}

}  // namespace

std::string JointMetric::key() const { return json{how.at(0), how.at(1), how.at(2)}.dump(); }

json epoch_shares(const MetricStore& store) {
  json out = json::array();
  for (const auto& e : store.entries())
    if (e->fresh && e->when.on_epoch && e->epoch_due && e->has_part()) out.push_back(share_of(store, *e));
  return out;
}

json step_shares(const MetricStore& store) {
  json out = json::array();
  for (const auto& e : store.entries())
    if (e->fresh && e->when.on_step && e->step_due && e->sync_dist && (e->has_part() || !e->when.on_epoch))
      if (const auto now = e->step_value()) out.push_back({e->how(), parts_of_value, *now, 1, e->value.wide()});
  return out;
}

std::vector<JointMetric> join_shares(const std::vector<json>& all) {
  std::vector<JointMetric> joint;
  std::map<std::string, size_t> places;
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (const json& share : all[rank]) {
      JointMetric one{share.at(0), std::vector<json>(all.size())};
      const auto [place, fresh] = places.emplace(one.key(), joint.size());
      if (fresh) joint.push_back(std::move(one));
      joint[place->second].shares[rank] = share;
    }
  return joint;
}

bool lacks_state(const JointMetric& joint) {
  const auto& all = joint.shares;
  return std::any_of(all.begin(), all.end(), has_metric) && !std::all_of(all.begin(), all.end(), has_metric);
}

void take_value(MetricStore& store, const JointMetric& joint, const std::optional<double>& number) {
  MetricEntry& e = store.entry_of(joint.how);
  e.epoch_due = false;
  if (!number) return;
  if (!e.fresh) e.metric = nullptr, e.metric_self = nullptr;  // that of an earlier epoch
  e.agreed = number;
  e.fresh = true;
}

void take_epoch(MetricStore& store, const JointMetric& joint, int rank) {
  MetricEntry& e = store.entry_of(joint.how);
  const auto& all = joint.shares;
  if (std::none_of(all.begin(), all.end(), is_state)) return take_value(store, joint, joint_value(e, joint));
  if (std::none_of(all.begin(), all.end(), has_metric)) return take_value(store, joint, known_value_of(joint));
  if (!has_metric(all[static_cast<size_t>(rank)])) return;
  take_value(store, joint, join_states(e, joint));
  e.is_whole = true;
}

json state_shares(const MetricStore& store) {
  json out = json::array();
  for (const auto& e : store.entries()) {
    if (e->fresh && e->metric && e->when.on_step) e->step_value();  // of the last batch, which a state does not have
    if (!e->fresh || !e->when.on_epoch || !e->epoch_due) continue;
    json share = share_of(store, *e);
    if (is_state(share)) out.push_back(std::move(share));
  }
  return out;
}

void take_known(MetricStore& store, const JointMetric& joint, int rank) {
  const json& mine = joint.shares[static_cast<size_t>(rank)];
  if (!has_metric(mine)) return;
  MetricEntry* const known = store.known_entry(joint.how);
  if (!known) return;
  MetricEntry& e = *known;
  e.known = join_states(e, joint);
  e.metric->reset(e.metric_self);
  add_states(e, mine);
  e.computed.reset();
}

void take_step(MetricStore& store, const JointMetric& joint) {
  MetricEntry& e = store.entry_of(joint.how);
  e.agreed_step = joint_parts(e, joint);
  e.step_due = false;
  e.fresh = true;
}

}  // namespace levin::core
