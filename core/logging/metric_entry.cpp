#include "core/logging/metric_entry.hpp"

#include <ATen/ops/scalar_tensor.h>

#include <utility>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/logging/reduction/saved_states.hpp"

namespace levin::core {

void MetricEntry::set_names() {
  const bool forked = when.on_step && when.on_epoch;
  const std::string suffix =
      dataloader_idx >= 0 && add_dataloader_idx ? "/dataloader_idx_" + std::to_string(dataloader_idx) : std::string();
  plain = name + suffix;
  step = name + (forked ? "_step" : "") + suffix;
  epoch = name + (forked ? "_epoch" : "") + suffix;
}

void MetricEntry::changed() {
  computed.reset();
  computed_step.reset();
  agreed.reset();
  agreed_step.reset();
  known.reset();
  epoch_due = step_due = true;
}

void MetricEntry::forget() {
  changed();
  value.reset();
  saved = {};
  fresh = epoch_due = step_due = is_whole = false;
}

bool MetricEntry::has_part() const { return metric || agreed || !saved.empty() || !value.empty(); }

std::optional<double> MetricEntry::step_value() const {
  if (agreed_step) return agreed_step;
  return metric ? compute_step() : value.step();
}

std::optional<double> MetricEntry::epoch_value() const {
  if (agreed) return agreed;
  if (metric) return compute();
  return known ? known : value.epoch(reduce);
}

std::optional<double> MetricEntry::compute() const {
  double out;
  if (!computed && metric->compute && metric->compute(metric_self, &out) >= 0) computed = out;
  return computed;
}

std::optional<double> MetricEntry::compute_step() const {
  if (!LEVIN_HAS(levin_metric, metric, compute_step)) return compute();
  double out;
  if (!computed_step && metric->compute_step(metric_self, &out) >= 0) computed_step = out;
  return computed_step;
}

nlohmann::json MetricEntry::how() const {
  const int flags[] = {when.on_step, when.on_epoch, prog_bar, logger, add_dataloader_idx, sync_dist, rank_zero_only};
  int bits = 0;
  for (const int flag : flags) bits = bits * 2 + flag;
  return {name, static_cast<uint32_t>(origin), dataloader_idx, static_cast<int>(reduce), bits, ranks};
}

MetricEntry MetricEntry::of(const nlohmann::json& how) {
  MetricEntry e;
  e.name = how.at(0).get<std::string>();
  e.origin = static_cast<LogOrigin>(how.at(1).get<uint32_t>());
  e.dataloader_idx = how.at(2).get<int64_t>();
  e.reduce = static_cast<Reduce>(how.at(3).get<int>());
  e.ranks = how.at(5).get<std::vector<int>>();
  const int bits = how.at(4).get<int>();
  e.when = {(bits & 64) != 0, (bits & 32) != 0};
  bool* const flags[] = {&e.prog_bar, &e.logger, &e.add_dataloader_idx, &e.sync_dist, &e.rank_zero_only};
  int bit = 16;
  for (bool* flag : flags) *flag = (bits & bit) != 0, bit /= 2;
  e.set_names();
  return e;
}

nlohmann::json MetricEntry::state_dict() const {
  nlohmann::json state = {{"name", name},
                          {"origin", static_cast<uint32_t>(origin)},
                          {"dataloader_idx", dataloader_idx},
                          {"on_step", when.on_step},
                          {"on_epoch", when.on_epoch},
                          {"prog_bar", prog_bar},
                          {"logger", logger},
                          {"add_dataloader_idx", add_dataloader_idx},
                          {"reduce", static_cast<int>(reduce)},
                          {"value", metric || agreed ? value_as_state() : value.state_dict()}};
  if (sync_dist) state["sync_dist"] = true;
  if (rank_zero_only) state["rank_zero_only"] = true;
  if (!ranks.empty()) state["sync_dist_group"] = ranks;
  if (agreed) state["agreed"] = true;
  if (agreed_step) state["agreed_step"] = number_to_json(*agreed_step);
  if (known) state["known"] = number_to_json(*known);
  return state;
}

MetricEntry MetricEntry::from_state(const nlohmann::json& saved) {
  MetricEntry e;
  e.name = saved.at("name").get<std::string>();
  e.origin = static_cast<LogOrigin>(saved.at("origin").get<uint32_t>());
  e.dataloader_idx = saved.at("dataloader_idx").get<int64_t>();
  e.when = {saved.at("on_step").get<bool>(), saved.at("on_epoch").get<bool>()};
  e.prog_bar = saved.at("prog_bar").get<bool>();
  e.logger = saved.at("logger").get<bool>();
  e.add_dataloader_idx = saved.at("add_dataloader_idx").get<bool>();
  e.reduce = static_cast<Reduce>(saved.at("reduce").get<int>());
  e.value.load_state_dict(saved.at("value"));
  e.sync_dist = saved.value("sync_dist", false);
  e.rank_zero_only = saved.value("rank_zero_only", false);
  e.ranks = saved.value("sync_dist_group", std::vector<int>());
  e.epoch_due = !saved.value("agreed", false);
  if (saved.contains("agreed_step")) e.agreed_step = number_from_json(saved.at("agreed_step"));
  e.step_due = e.epoch_due && !e.agreed_step;
  if (saved.contains("known")) e.known = number_from_json(saved.at("known"));
  e.fresh = true;
  e.set_names();
  return e;
}

// After a resume, the present value is shown until the metric is logged again.
nlohmann::json MetricEntry::value_as_state() const {
  MetricAccumulator present;
  const auto as_double = [](double number) {
    return at::scalar_tensor(number, at::kDouble);
  };  // not rounded to a float
  if (const auto now = epoch_value()) present.update(as_double(*now), reduce, 1, /*on_epoch=*/true);
  const auto last = !when.on_step ? std::nullopt : metric ? compute_step() : value.step();  // of this process alone
  if (last) present.update(as_double(*last), reduce, 1, /*on_epoch=*/false);
  return present.state_dict();
}

void MetricEntry::take_over(const MetricEntry& other, const StateBag& state) {
  if (!epoch_due || !other.epoch_due) return;  // it is that of all processes already
  for (StateBag& one : taken_apart(state)) saved.push_back(std::move(one));
  if (state.empty() && sync_dist) value.add(other.value, reduce);
}

StateBag MetricEntry::metric_state() const {
  StateBag out = put_together(saved);
  if (!metric || !metric->state) return out;
  const levin_writer writer = out.writer();
  levin_metric_state visitor{};
  visitor.size = sizeof visitor;
  visitor.ctx = const_cast<levin_writer*>(&writer);
  visitor.tensor = [](const levin_metric_state* v, const char* tensor_name, levin_tensor* tensor, uint32_t how) {
    if (how > LEVIN_REDUCE_CAT)
      return failed_service(
          std::string("the state '") + tensor_name + "' of a metric has no reduction of LEVIN_REDUCE_*",
          LEVIN_E_INVALID);
    const auto* to = static_cast<const levin_writer*>(v->ctx);
    return to->put_tensor(to, tensor_name, tensor);
  };
  if (metric->state(metric_self, &visitor) < 0)
    throw Error(ErrorKind::run, "the metric '" + name + "' could not say its state" +
                                    (service_failure().empty() ? "" : ": " + service_failure()));
  return out;
}

bool MetricEntry::shares_state() const {
  return metric && metric->state && metric->reset && LEVIN_HAS(levin_object, &metric->o, load);
}

void MetricEntry::add_state(const StateBag& state) const {
  const levin_reader reader = state.reader("");
  if (metric->o.load(metric_self, &reader) < 0)
    throw Error(ErrorKind::checkpoint, "the metric '" + name + "' does not take its state back");
}

// The metric has already seen a batch when it gets its saved state, so it adds the state to that batch.
void MetricEntry::restore(const levin_metric& logged, void* self) {
  const std::vector<StateBag> before = std::exchange(saved, {});
  if (before.empty() || !LEVIN_HAS(levin_object, &logged.o, load)) return;
  metric = &logged;
  metric_self = self;
  for (const StateBag& state : before) add_state(state);
}

}  // namespace levin::core
