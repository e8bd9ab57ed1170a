#include "core/logging/metric_store.hpp"

#include <algorithm>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/logging/reduction/saved_states.hpp"

namespace levin::core {

void MetricStore::reset() {
  for (const auto& e : entries_) {
    if (e->fresh && e->metric && e->metric->reset) e->metric->reset(e->metric_self);
    e->forget();
  }
  at_end_ = false;
  cursor_ = 0;
}

void MetricStore::set_batch(int64_t rows, int64_t dataloader_idx) {
  rows_ = rows;
  dataloader_idx_ = dataloader_idx;
  cursor_ = 0;
}

MetricEntry& MetricStore::add(LogOrigin origin, const levin_log& l) {
  auto e = std::make_unique<MetricEntry>();
  e->origin = origin;
  e->first = l;
  e->dataloader_idx = dataloader_idx_;
  e->name = l.name;
  check_metric_name(e->name);
  if (e->name.find("/dataloader_idx_") != std::string::npos)
    throw Error(ErrorKind::usage, "log(\"" + e->name + "\"): '/dataloader_idx_' is added by the trainer");
  e->when = resolve_when(origin, l.on_step, l.on_epoch);
  e->prog_bar = l.prog_bar != 0;
  e->logger = l.logger != 0;
  e->add_dataloader_idx = l.add_dataloader_idx != 0;
  e->reduce = reduce_from(l.reduce_fx);
  if (!e->add_dataloader_idx) check_no_other_loader(*e);
  e->metric = l.metric;
  e->metric_self = l.metric_self;
  e->sync_dist = l.sync_dist != 0 && l.rank_zero_only == 0;
  e->rank_zero_only = l.rank_zero_only != 0;
  e->set_names();
  entries_.push_back(std::move(e));
  return *entries_.back();
}

// The values of two loaders would be mixed if their names did not contain the loader's number.
void MetricStore::check_no_other_loader(const MetricEntry& e) const {
  for (const auto& other : entries_)
    if (other->origin == e.origin && other->name == e.name && other->dataloader_idx != e.dataloader_idx) throw_twice(e);
}

// A metric with a state does not know of loaders: it has the samples of all of them.
void MetricStore::check_metric_of_one_loader(const MetricEntry& e, const levin_log& l) const {
  if (e.dataloader_idx < 0) return;
  for (const auto& other : entries_) {
    if (!other->fresh || other->metric_self != l.metric_self || !other->metric) continue;
    if (other->dataloader_idx < 0 || other->dataloader_idx == e.dataloader_idx) continue;
    throw Error(ErrorKind::usage, "log(\"" + e.name + "\"): the same metric object was logged for dataloader " +
                                      std::to_string(other->dataloader_idx) + " and for dataloader " +
                                      std::to_string(e.dataloader_idx) +
                                      ", so both would show the value of all samples: have one object for each "
                                      "dataloader, or log one for all in the hook of the epoch's end");
  }
}

void MetricStore::throw_twice(const MetricEntry& e) {
  throw Error(ErrorKind::usage,
              "log(\"" + e.name + "\") was called twice in " + origin_name(e.origin) + " with different arguments");
}

void MetricStore::check_same(MetricEntry& e, const levin_log& l) const {
  const bool same_reduce = (l.reduce_fx ? reduce_from(l.reduce_fx) : Reduce::mean) == e.reduce;
  if (same_reduce && l.on_step == e.first.on_step && l.on_epoch == e.first.on_epoch && l.prog_bar == e.first.prog_bar &&
      l.logger == e.first.logger)
    return;
  const LogWhen when = resolve_when(e.origin, l.on_step, l.on_epoch);
  if (same_reduce && when.on_step == e.when.on_step && when.on_epoch == e.when.on_epoch &&
      (l.prog_bar != 0) == e.prog_bar && (l.logger != 0) == e.logger) {
    e.first = l;
    return;
  }
  throw_twice(e);
}

MetricEntry& MetricStore::find(LogOrigin origin, const levin_log& l) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const size_t at = cursor_ + i < entries_.size() ? cursor_ + i : cursor_ + i - entries_.size();
    MetricEntry& e = *entries_[at];
    if (e.origin != origin || e.dataloader_idx != dataloader_idx_ || e.name != l.name) continue;
    cursor_ = at + 1 < entries_.size() ? at + 1 : 0;
    return e;
  }
  return add(origin, l);
}

MetricEntry& MetricStore::log(LogOrigin origin, const levin_log& l, const std::vector<int>& ranks) {
  if (!l.name || !*l.name) throw Error(ErrorKind::usage, "log needs a name");
  MetricEntry& e = find(origin, l);
  check_same(e, l);
  e.fresh = changed_ = true;
  if (l.metric) check_metric_of_one_loader(e, l);
  if (l.metric) e.restore(*l.metric, l.metric_self);
  e.metric = l.metric;  // the model may have made a new metric of this name
  e.metric_self = l.metric_self;
  e.sync_dist = l.sync_dist != 0 && l.rank_zero_only == 0;
  e.rank_zero_only = l.rank_zero_only != 0;
  e.ranks = ranks;
  e.changed();
  if (e.metric) return e;
  const int64_t weight = l.batch_size >= 0 ? l.batch_size : rows_;
  if (!l.tensor) {
    e.value.update(l.number, e.reduce, weight, e.when.on_epoch);
    return e;
  }
  const auto& tensor = *reinterpret_cast<const c10::TensorImpl*>(l.tensor);
  if (tensor.numel() != 1)
    throw Error(ErrorKind::usage,
                "log(\"" + e.name + "\") takes a tensor of one element, not of " + std::to_string(tensor.numel()));
  e.value.update(retain(l.tensor), e.reduce, weight, e.when.on_epoch);
  return e;
}

nlohmann::json MetricStore::state_dict() const {
  nlohmann::json state = nlohmann::json::array();
  for (const auto& e : entries_)
    if (e->fresh) state.push_back(e->state_dict());
  return state;
}

std::vector<StateBag> MetricStore::metric_states() const {
  std::vector<StateBag> out;
  for (const auto& e : entries_)
    if (e->fresh) out.push_back(e->metric_state());
  return out;
}

void MetricStore::load_state_dict(const nlohmann::json& state, std::vector<StateBag> metric_states) {
  entries_.clear();
  at_end_ = false;
  changed_ = true;
  cursor_ = 0;
  for (const auto& saved : state) {
    entries_.push_back(std::make_unique<MetricEntry>(MetricEntry::from_state(saved)));
    const size_t place = entries_.size() - 1;
    if (place < metric_states.size()) entries_[place]->saved = taken_apart(metric_states[place]);
  }
}

void MetricStore::take_over(const nlohmann::json& state, std::vector<StateBag> metric_states) {
  for (size_t i = 0; i < state.size(); ++i) {
    MetricEntry other = MetricEntry::from_state(state[i]);
    const StateBag bag = i < metric_states.size() ? std::move(metric_states[i]) : StateBag();
    const auto mine = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) {
      return e->origin == other.origin && e->dataloader_idx == other.dataloader_idx && e->name == other.name;
    });
    if (mine != entries_.end()) {
      (*mine)->take_over(other, bag);
    } else {
      if (!bag.empty()) other.saved = taken_apart(bag);
      entries_.push_back(std::make_unique<MetricEntry>(std::move(other)));
    }
  }
}

MetricEntry* MetricStore::known_entry(const nlohmann::json& how) {
  const MetricEntry like = MetricEntry::of(how);
  for (const auto& e : entries_)
    if (e->origin == like.origin && e->dataloader_idx == like.dataloader_idx && e->name == like.name) return e.get();
  return nullptr;
}

MetricEntry& MetricStore::entry_of(const nlohmann::json& how) {
  changed_ = true;
  if (MetricEntry* known = known_entry(how)) return *known;
  entries_.push_back(std::make_unique<MetricEntry>(MetricEntry::of(how)));
  return *entries_.back();
}

void MetricStore::take_synced_steps(const std::function<void(const MetricEntry&, double)>& sink) {
  for (const auto& e : entries_) {
    double value;
    if (e->sync_dist && e->step_due && value_of(*e, value)) sink(*e, value);
    e->step_due = false;
  }
}

bool MetricStore::is_unreduced(const std::string& name) const {
  for (const auto& e : entries_)
    if ((name == e->plain || name == e->step || name == e->epoch) && !e->sync_dist && !e->rank_zero_only && !e->metric)
      return true;
  return false;
}

bool MetricStore::value_of(const MetricEntry& e, double& out) const {
  if (!e.fresh) return false;
  if (at_end_ ? !e.when.on_epoch : !e.when.on_step || e.dataloader_idx != dataloader_idx_) return false;
  const auto value = at_end_ ? e.epoch_value() : e.step_value();
  if (value) out = *value;
  return value.has_value();
}

void MetricStore::visit(MetricSet set, const Sink& sink) const {
  for (const auto& entry : entries_) {
    const MetricEntry& e = *entry;
    double value;
    const bool wanted = set == MetricSet::logged     ? e.logger
                        : set == MetricSet::progress ? e.prog_bar
                                                     : training_ || at_end_;
    if (!wanted || !value_of(e, value)) continue;
    const std::string& name = at_end_ ? e.epoch : e.step;
    sink(name, value);
    if (set == MetricSet::callback && name != e.plain) sink(e.plain, value);
  }
}

void MetricStore::visit_loader(int64_t dataloader_idx, const Sink& sink) const {
  for (const auto& entry : entries_) {
    double value;
    if (entry->logger && entry->dataloader_idx == dataloader_idx && value_of(*entry, value)) sink(entry->epoch, value);
  }
}

}  // namespace levin::core
