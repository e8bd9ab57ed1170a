#include "core/logging/metrics/metric_store.hpp"

#include <algorithm>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {

void MetricStore::reset() {
  for (const auto& e : entries_) {
    if (e->logged.fresh && e->logged.metric) e->logged.metric.reset();
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
  MetricMeta& meta = e->meta;
  e->first = l;
  meta.origin = origin;
  meta.dataloader_idx = dataloader_idx_;
  meta.name = l.name;
  check_metric_name(meta.name);
  if (meta.name.find("/dataloader_idx_") != std::string::npos)
    throw Error(ErrorCode::call_invalid, "log(\"" + meta.name + "\"): '/dataloader_idx_' is added by the trainer");
  meta.when = resolve_when(origin, l.on_step, l.on_epoch);
  meta.prog_bar = l.prog_bar != 0;
  meta.logger = l.logger != 0;
  meta.add_dataloader_idx = l.add_dataloader_idx != 0;
  meta.reduce = reduce_from(l.reduce_fx);
  if (!meta.add_dataloader_idx) check_no_other_loader(meta);
  meta.set_names();
  entries_.push_back(std::move(e));
  return *entries_.back();
}

// The values of two loaders would be mixed if their names did not contain the loader's index.
void MetricStore::check_no_other_loader(const MetricMeta& meta) const {
  for (const auto& e : entries_) {
    const MetricMeta& other = e->meta;
    if (other.origin == meta.origin && other.name == meta.name && other.dataloader_idx != meta.dataloader_idx)
      throw_twice(meta);
  }
}

// A metric with a state does not distinguish loaders: its value covers the samples of all of them.
void MetricStore::check_metric_of_one_loader(const MetricMeta& meta, const levin_log& l) const {
  if (meta.dataloader_idx < 0) return;
  for (const auto& e : entries_) {
    const LoggedValue& other = e->logged;
    const int64_t other_idx = e->meta.dataloader_idx;
    if (!other.fresh || other.metric.self != l.metric_self || !other.metric) continue;
    if (other_idx < 0 || other_idx == meta.dataloader_idx) continue;
    throw Error(ErrorCode::call_invalid,
                "log(\"" + meta.name + "\"): the same metric object was logged for dataloader " +
                    std::to_string(other_idx) + " and for dataloader " + std::to_string(meta.dataloader_idx) +
                    ", so both would show the value of all samples: use one object for each "
                    "dataloader, or log one for all in the hook at the end of the epoch");
  }
}

void MetricStore::throw_twice(const MetricMeta& meta) {
  throw Error(ErrorCode::call_invalid, "log(\"" + meta.name + "\") was called twice in " + origin_name(meta.origin) +
                                           " with different arguments");
}

void MetricStore::check_same(MetricEntry& e, const levin_log& l) {
  const MetricMeta& meta = e.meta;
  const bool same_reduce = (l.reduce_fx ? reduce_from(l.reduce_fx) : Reduce::mean) == meta.reduce;
  if (same_reduce && l.on_step == e.first.on_step && l.on_epoch == e.first.on_epoch && l.prog_bar == e.first.prog_bar &&
      l.logger == e.first.logger)
    return;
  const LogWhen when = resolve_when(meta.origin, l.on_step, l.on_epoch);
  if (!same_reduce || when.on_step != meta.when.on_step || when.on_epoch != meta.when.on_epoch ||
      (l.prog_bar != 0) != meta.prog_bar || (l.logger != 0) != meta.logger)
    throw_twice(meta);
  e.first = l;
}

MetricEntry& MetricStore::find(LogOrigin origin, const levin_log& l) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const size_t at = cursor_ + i < entries_.size() ? cursor_ + i : cursor_ + i - entries_.size();
    MetricEntry& e = *entries_[at];
    if (e.meta.origin != origin || e.meta.dataloader_idx != dataloader_idx_ || e.meta.name != l.name) continue;
    cursor_ = at + 1 < entries_.size() ? at + 1 : 0;
    return e;
  }
  return add(origin, l);
}

MetricEntry& MetricStore::log(LogOrigin origin, const levin_log& l, const std::vector<int>& ranks) {
  if (!l.name || !*l.name) throw Error(ErrorCode::call_invalid, "log needs a name");
  MetricEntry& e = find(origin, l);
  check_same(e, l);
  e.logged.fresh = changed_ = true;
  const StatefulMetric metric{l.metric, l.metric_self};
  if (metric) check_metric_of_one_loader(e.meta, l);
  if (metric) e.restore(metric);
  e.logged.metric = metric;  // the model may have created a new metric of this name
  e.meta.sync_dist = l.sync_dist != 0 && l.rank_zero_only == 0;
  e.meta.rank_zero_only = l.rank_zero_only != 0;
  e.meta.ranks = ranks;
  e.changed();
  if (!metric) update(e, l);
  return e;
}

void MetricStore::update(MetricEntry& e, const levin_log& l) const {
  const int64_t weight = l.batch_size >= 0 ? l.batch_size : rows_;
  const MetricMeta& meta = e.meta;
  if (!l.tensor) return e.logged.numbers.update(l.number, meta.reduce, weight, meta.when.on_epoch);
  const auto& tensor = *reinterpret_cast<const c10::TensorImpl*>(l.tensor);
  if (tensor.numel() != 1)
    throw Error(ErrorCode::call_invalid,
                "log(\"" + meta.name + "\") takes a tensor of one element, not of " + std::to_string(tensor.numel()));
  e.logged.numbers.update(retain(l.tensor), meta.reduce, weight, meta.when.on_epoch);
}

nlohmann::json MetricStore::state_dict() const {
  nlohmann::json state = nlohmann::json::array();
  for (const auto& e : entries_)
    if (e->logged.fresh) state.push_back(e->state_dict());
  return state;
}

std::vector<StateBag> MetricStore::metric_states() const {
  std::vector<StateBag> out;
  for (const auto& e : entries_)
    if (e->logged.fresh) out.push_back(e->metric_state());
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
    if (place < metric_states.size()) entries_[place]->logged.saved = taken_apart(metric_states[place]);
  }
}

void MetricStore::take_over(const nlohmann::json& state, std::vector<StateBag> metric_states) {
  for (size_t i = 0; i < state.size(); ++i) {
    MetricEntry other = MetricEntry::from_state(state[i]);
    const StateBag bag = i < metric_states.size() ? std::move(metric_states[i]) : StateBag();
    if (MetricEntry* const mine = known_entry(other.meta)) {
      mine->take_over(other, bag);
    } else {
      if (!bag.empty()) other.logged.saved = taken_apart(bag);
      entries_.push_back(std::make_unique<MetricEntry>(std::move(other)));
    }
  }
}

MetricEntry* MetricStore::known_entry(const MetricMeta& meta) {
  for (const auto& e : entries_)
    if (e->meta.is_same_metric(meta)) return e.get();
  return nullptr;
}

MetricEntry& MetricStore::entry_of(const MetricMeta& meta) {
  changed_ = true;
  if (MetricEntry* known = known_entry(meta)) return *known;
  entries_.push_back(std::make_unique<MetricEntry>());
  entries_.back()->meta = meta;
  return *entries_.back();
}

void MetricStore::take_synced_steps(const std::function<void(const MetricEntry&, double)>& sink) {
  for (const auto& e : entries_) {
    double value;
    if (e->meta.sync_dist && e->reduced.step_due && value_of(*e, value)) sink(*e, value);
    e->reduced.step_due = false;
  }
}

bool MetricStore::is_unreduced(const std::string& name) const {
  for (const auto& e : entries_) {
    const MetricMeta& meta = e->meta;
    if ((name == meta.plain || name == meta.step || name == meta.epoch) && !meta.sync_dist && !meta.rank_zero_only &&
        !e->logged.metric)
      return true;
  }
  return false;
}

bool MetricStore::value_of(const MetricEntry& e, double& out) const {
  if (!e.logged.fresh) return false;
  const MetricMeta& meta = e.meta;
  if (at_end_ ? !meta.when.on_epoch : !meta.when.on_step || meta.dataloader_idx != dataloader_idx_) return false;
  const auto value = at_end_ ? e.epoch_value() : e.step_value();
  if (value) out = *value;
  return value.has_value();
}

void MetricStore::visit(MetricSet set, const Sink& sink) const {
  for (const auto& entry : entries_) {
    const MetricMeta& meta = entry->meta;
    double value;
    const bool wanted = set == MetricSet::logged     ? meta.logger
                        : set == MetricSet::progress ? meta.prog_bar
                                                     : training_ || at_end_;
    if (!wanted || !value_of(*entry, value)) continue;
    const std::string& name = at_end_ ? meta.epoch : meta.step;
    sink(name, value);
    if (set == MetricSet::callback && name != meta.plain) sink(meta.plain, value);
  }
}

void MetricStore::visit_loader(int64_t dataloader_idx, const Sink& sink) const {
  for (const auto& entry : entries_) {
    double value;
    const MetricMeta& meta = entry->meta;
    if (meta.logger && meta.dataloader_idx == dataloader_idx && value_of(*entry, value)) sink(meta.epoch, value);
  }
}

}  // namespace levin::core
