#include "core/logging/metric_store.hpp"

#include <ATen/ops/scalar_tensor.h>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {

void MetricStore::reset() {
  for (const auto& e : entries_) {
    if (e->fresh && e->metric && e->metric->reset) e->metric->reset(e->metric_self);
    e->value.reset();
    e->saved = {};
    forget_computed(*e);
    e->fresh = false;
  }
  at_end_ = false;
  cursor_ = 0;
}

void MetricStore::forget_computed(const Entry& e) {
  e.computed.reset();
  e.computed_step.reset();
}

void MetricStore::set_batch(int64_t rows, int64_t dataloader_idx) {
  rows_ = rows;
  dataloader_idx_ = dataloader_idx;
  cursor_ = 0;
}

MetricStore::Entry& MetricStore::add(LogOrigin origin, const levin_log& l) {
  auto e = std::make_unique<Entry>();
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
  set_names(*e);
  entries_.push_back(std::move(e));
  return *entries_.back();
}

void MetricStore::set_names(Entry& e) {
  const bool forked = e.when.on_step && e.when.on_epoch;
  const std::string suffix = e.dataloader_idx >= 0 && e.add_dataloader_idx
                                 ? "/dataloader_idx_" + std::to_string(e.dataloader_idx)
                                 : std::string();
  e.plain = e.name + suffix;
  e.step = e.name + (forked ? "_step" : "") + suffix;
  e.epoch = e.name + (forked ? "_epoch" : "") + suffix;
}

// The values of two loaders would be mixed if their names did not contain the loader's number.
void MetricStore::check_no_other_loader(const Entry& e) const {
  for (const auto& other : entries_)
    if (other->origin == e.origin && other->name == e.name && other->dataloader_idx != e.dataloader_idx) throw_twice(e);
}

// A metric with a state does not know of loaders: it has the samples of all of them.
void MetricStore::check_metric_of_one_loader(const Entry& e, const levin_log& l) const {
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

void MetricStore::throw_twice(const Entry& e) {
  throw Error(ErrorKind::usage,
              "log(\"" + e.name + "\") was called twice in " + origin_name(e.origin) + " with different arguments");
}

void MetricStore::check_same(Entry& e, const levin_log& l) const {
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

MetricStore::Entry& MetricStore::find(LogOrigin origin, const levin_log& l) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const size_t at = cursor_ + i < entries_.size() ? cursor_ + i : cursor_ + i - entries_.size();
    Entry& e = *entries_[at];
    if (e.origin != origin || e.dataloader_idx != dataloader_idx_ || e.name != l.name) continue;
    cursor_ = at + 1 < entries_.size() ? at + 1 : 0;
    return e;
  }
  return add(origin, l);
}

void MetricStore::log(LogOrigin origin, const levin_log& l) {
  if (!l.name || !*l.name) throw Error(ErrorKind::usage, "log needs a name");
  Entry& e = find(origin, l);
  check_same(e, l);
  e.fresh = changed_ = true;
  if (l.metric) check_metric_of_one_loader(e, l);
  if (l.metric && !e.saved.empty()) restore_metric(e, l);
  e.metric = l.metric;  // the model may have made a new metric of this name
  e.metric_self = l.metric_self;
  forget_computed(e);
  if (e.metric) return;
  const int64_t weight = l.batch_size >= 0 ? l.batch_size : rows_;
  if (!l.tensor) return e.value.update(l.number, e.reduce, weight, e.when.on_epoch);
  const auto& tensor = *reinterpret_cast<const c10::TensorImpl*>(l.tensor);
  if (tensor.numel() != 1)
    throw Error(ErrorKind::usage,
                "log(\"" + e.name + "\") takes a tensor of one element, not of " + std::to_string(tensor.numel()));
  e.value.update(retain(l.tensor), e.reduce, weight, e.when.on_epoch);
}

nlohmann::json MetricStore::state_dict() const {
  nlohmann::json state = nlohmann::json::array();
  for (const auto& entry : entries_) {
    const Entry& e = *entry;
    if (!e.fresh) continue;
    state.push_back({{"name", e.name},
                     {"origin", static_cast<uint32_t>(e.origin)},
                     {"dataloader_idx", e.dataloader_idx},
                     {"on_step", e.when.on_step},
                     {"on_epoch", e.when.on_epoch},
                     {"prog_bar", e.prog_bar},
                     {"logger", e.logger},
                     {"add_dataloader_idx", e.add_dataloader_idx},
                     {"reduce", static_cast<int>(e.reduce)},
                     {"value", e.metric ? value_as_state(e) : e.value.state_dict()}});
  }
  return state;
}

// After a resume, the metric's present value is shown until the metric is logged again.
nlohmann::json MetricStore::value_as_state(const Entry& e) const {
  MetricAccumulator present;
  const auto as_double = [](double value) { return at::scalar_tensor(value, at::kDouble); };  // not rounded to a float
  if (const auto value = compute(e)) present.update(as_double(*value), e.reduce, 1, /*on_epoch=*/true);
  const auto step = e.when.on_step ? compute_step(e) : std::nullopt;
  if (step) present.update(as_double(*step), e.reduce, 1, /*on_epoch=*/false);
  return present.state_dict();
}

std::vector<StateBag> MetricStore::metric_states() const {
  std::vector<StateBag> out;
  for (const auto& e : entries_) {
    if (!e->fresh) continue;
    out.push_back(e->saved);
    if (!e->metric || !e->metric->state) continue;
    const levin_writer writer = out.back().writer();
    levin_metric_state visitor{};
    visitor.size = sizeof visitor;
    visitor.ctx = const_cast<levin_writer*>(&writer);
    visitor.tensor = [](const levin_metric_state* v, const char* name, levin_tensor* tensor, uint32_t reduce) {
      if (reduce > LEVIN_REDUCE_CAT)
        return failed_service(std::string("the state '") + name + "' of a metric has no reduction of LEVIN_REDUCE_*",
                              LEVIN_E_INVALID);
      const auto* to = static_cast<const levin_writer*>(v->ctx);
      return to->put_tensor(to, name, tensor);
    };
    if (e->metric->state(e->metric_self, &visitor) < 0)
      throw Error(ErrorKind::run, "the metric '" + e->name + "' could not say its state" +
                                      (service_failure().empty() ? "" : ": " + service_failure()));
  }
  return out;
}

// The metric has already seen a batch when it gets its saved state, so it adds the state to that batch.
void MetricStore::restore_metric(Entry& e, const levin_log& l) {
  const StateBag saved = std::exchange(e.saved, {});
  if (!LEVIN_HAS(levin_object, &l.metric->o, load)) return;
  const levin_reader reader = saved.reader("");
  if (l.metric->o.load(l.metric_self, &reader) < 0)
    throw Error(ErrorKind::checkpoint, "the metric '" + e.name + "' does not take its state back");
}

void MetricStore::load_state_dict(const nlohmann::json& state, std::vector<StateBag> metric_states) {
  entries_.clear();
  at_end_ = false;
  changed_ = true;
  cursor_ = 0;
  for (const auto& saved : state) {
    auto e = std::make_unique<Entry>();
    e->name = saved.at("name").get<std::string>();
    e->origin = static_cast<LogOrigin>(saved.at("origin").get<uint32_t>());
    e->first = levin_log{};
    e->dataloader_idx = saved.at("dataloader_idx").get<int64_t>();
    e->when = {saved.at("on_step").get<bool>(), saved.at("on_epoch").get<bool>()};
    e->prog_bar = saved.at("prog_bar").get<bool>();
    e->logger = saved.at("logger").get<bool>();
    e->add_dataloader_idx = saved.at("add_dataloader_idx").get<bool>();
    e->reduce = static_cast<Reduce>(saved.at("reduce").get<int>());
    e->metric = nullptr;
    e->metric_self = nullptr;
    e->value.load_state_dict(saved.at("value"));
    e->fresh = true;
    set_names(*e);
    if (entries_.size() < metric_states.size()) e->saved = std::move(metric_states[entries_.size()]);
    entries_.push_back(std::move(e));
  }
}

bool MetricStore::value_of(const Entry& e, double& out) const {
  if (!e.fresh) return false;
  if (at_end_ ? !e.when.on_epoch : !e.when.on_step || e.dataloader_idx != dataloader_idx_) return false;
  if (!e.metric) {
    out = at_end_ ? e.value.epoch(e.reduce) : e.value.step();
    return true;
  }
  const auto value = at_end_ ? compute(e) : compute_step(e);
  if (value) out = *value;
  return value.has_value();
}

std::optional<double> MetricStore::compute(const Entry& e) {
  double value;
  if (!e.computed && e.metric->compute && e.metric->compute(e.metric_self, &value) >= 0) e.computed = value;
  return e.computed;
}

std::optional<double> MetricStore::compute_step(const Entry& e) {
  if (!LEVIN_HAS(levin_metric, e.metric, compute_step)) return compute(e);
  double value;
  if (!e.computed_step && e.metric->compute_step(e.metric_self, &value) >= 0) e.computed_step = value;
  return e.computed_step;
}

void MetricStore::visit(MetricSet set, const Sink& sink) const {
  for (const auto& entry : entries_) {
    const Entry& e = *entry;
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
