#include "core/logging/metrics/metric_entry.hpp"

#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <utility>

#include "core/base/json.hpp"

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

void MetricEntry::changed() {
  computed_.reset();
  computed_step_.reset();
  reduced = {std::nullopt, std::nullopt, /*epoch_due=*/true, /*step_due=*/true, reduced.is_whole, std::nullopt};
}

void MetricEntry::forget() {
  computed_.reset();
  computed_step_.reset();
  reduced = {};
  logged.numbers.reset();
  logged.saved = {};
  logged.fresh = false;
}

std::optional<double> MetricEntry::step_value() const {
  if (reduced.step) return reduced.step;
  return logged.metric ? compute_step() : logged.numbers.step();
}

std::optional<double> MetricEntry::epoch_value() const {
  if (reduced.epoch) return reduced.epoch;
  if (logged.metric) return compute();
  return reduced.restored ? reduced.restored : logged.numbers.epoch(meta.reduce);
}

std::optional<double> MetricEntry::compute() const {
  if (!computed_) computed_ = logged.metric.compute();
  return computed_;
}

std::optional<double> MetricEntry::compute_step() const {
  if (!LEVIN_HAS(levin_metric, logged.metric.table, compute_step)) return compute();
  if (!computed_step_) computed_step_ = logged.metric.compute_step();
  return computed_step_;
}

nlohmann::json MetricEntry::state_dict() const {
  nlohmann::json state = meta.state_dict();
  state["value"] = logged.metric || reduced.epoch ? value_as_state() : logged.numbers.state_dict();
  if (reduced.epoch) state["agreed"] = true;
  if (reduced.step) state["agreed_step"] = number_to_json(*reduced.step);
  if (reduced.restored) state["known"] = number_to_json(*reduced.restored);
  return state;
}

MetricEntry MetricEntry::from_state(const nlohmann::json& state) {
  MetricEntry e;
  e.meta = MetricMeta::from_state(state);
  e.logged.numbers.load_state_dict(state.at("value"));
  e.logged.fresh = true;
  e.reduced.epoch_due = !state.value("agreed", false);
  if (state.contains("agreed_step")) e.reduced.step = number_from_json(state.at("agreed_step"));
  e.reduced.step_due = e.reduced.epoch_due && !e.reduced.step;
  if (state.contains("known")) e.reduced.restored = number_from_json(state.at("known"));
  return e;
}

// The current value, shown after a resume until the metric is logged again.
nlohmann::json MetricEntry::value_as_state() const {
  MetricAccumulator present;
  const auto as_double = [](double number) {
    return at::scalar_tensor(number, at::kDouble);
  };  // a double, not rounded to a float
  if (const auto now = epoch_value()) present.update(as_double(*now), meta.reduce, 1, /*on_epoch=*/true);
  const auto last = !meta.when.on_step ? std::nullopt
                    : logged.metric    ? compute_step()
                                       : logged.numbers.step();  // of this process alone
  if (last) present.update(as_double(*last), meta.reduce, 1, /*on_epoch=*/false);
  return present.state_dict();
}

void MetricEntry::take_over(const MetricEntry& other, const StateBag& state) {
  if (!reduced.epoch_due || !other.reduced.epoch_due) return;  // the value is already that of all processes
  for (StateBag& one : taken_apart(state)) logged.saved.push_back(std::move(one));
  if (state.empty() && meta.sync_dist) logged.numbers.add(other.logged.numbers, meta.reduce);
}

StateBag MetricEntry::metric_state() const {
  return logged.metric ? logged.metric.state(meta.name) : put_together(logged.saved);
}

// The metric has already seen a batch when it gets its saved states, so it adds them to that batch.
void MetricEntry::restore(const StatefulMetric& metric) {
  const std::vector<StateBag> before = std::exchange(logged.saved, {});
  if (before.empty() || !LEVIN_HAS(levin_object, &metric.table->o, load)) return;
  logged.metric = metric;
  for (const StateBag& state : before) add_state(state);
}

}  // namespace levin::core
