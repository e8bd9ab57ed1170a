#include "core/logging/reduction/step_reduction.hpp"

#include <ATen/ops/zeros.h>

#include <cstring>

#include "core/distributed/watch/collective_log.hpp"
#include "core/logging/reduction/metric_share.hpp"

namespace levin::core {
namespace {

constexpr int64_t logs_steps_flag = 1, announces_flag = 2;  // flags of a row
constexpr int64_t absent = 0, in_float = 1, in_double = 2;  // kinds of values

bool is_due(const MetricEntry& e) {
  return e.logged.fresh && e.meta.when.on_step && e.reduced.step_due && e.meta.sync_dist &&
         (e.has_part() || !e.meta.when.on_epoch);
}

}  // namespace

bool StepReduction::reduce(MetricStore& store, bool logs_steps) {
  const CollectiveLabel label("logged values");
  const int64_t flags = logs_steps ? logs_steps_flag : 0;
  all_reduce_rows(flags | (fill_slots(store) ? 0 : announces_flag));
  if (any_row(announces_flag)) {
    announce(store);
    fill_slots(store);
    all_reduce_rows(flags);
  }
  take(store);
  return any_row(logs_steps_flag);
}

// Returns false if a logged metric has no slot yet.
bool StepReduction::fill_slots(MetricStore& store) {
  for (Slot& slot : slots_) slot.entry = nullptr;
  cursor_ = 0;
  bool complete = true;
  for (const auto& e : store.entries()) {
    if (!is_due(*e)) continue;
    const auto value = e->step_value();
    if (!value) continue;
    Slot* const slot = find(e->meta);
    complete = complete && slot && slot->here == e->meta.reduce;
    if (slot) slot->entry = e.get(), slot->value = *value;
  }
  return complete;
}

StepReduction::Slot* StepReduction::find(const MetricMeta& meta) {
  for (size_t i = 0; i < slots_.size(); ++i, ++cursor_) {
    if (cursor_ >= slots_.size()) cursor_ = 0;
    if (slots_[cursor_].meta.is_same_metric(meta)) return &slots_[cursor_++];
  }
  return nullptr;
}

// Each process sends the others its metrics for which it has announced no slot.
void StepReduction::announce(const MetricStore& store) {
  nlohmann::json mine = nlohmann::json::array();
  for (const auto& e : store.entries()) {
    const Slot* const slot = is_due(*e) ? find(e->meta) : nullptr;
    if (is_due(*e) && (!slot || slot->here != e->meta.reduce)) mine.push_back(e->meta.state_dict());
  }
  const std::vector<nlohmann::json> all = exchange_json(group_, mine);
  for (size_t rank = 0; rank < all.size(); ++rank)
    for (const nlohmann::json& meta : all[rank])
      add_slot(MetricMeta::from_state(meta), rank == static_cast<size_t>(group_.rank()));
}

void StepReduction::add_slot(const MetricMeta& meta, bool own) {
  Slot* slot = find(meta);
  if (!slot) slot = &slots_.emplace_back(Slot{meta, std::nullopt, nullptr, 0});
  if (own) slot->here = meta.reduce;
}

// A sum of rows, of which each process has filled only its own, keeps the bits of any value exactly.
void StepReduction::all_reduce_rows(int64_t flags) {
  const auto width = static_cast<int64_t>(1 + 2 * slots_.size());
  if (!rows_.defined() || rows_.size(1) != width)
    rows_ = at::zeros({group_.size(), width}, at::kLong);
  else
    std::memset(rows_.data_ptr(), 0, rows_.nbytes());
  int64_t* row = rows_.data_ptr<int64_t>() + group_.rank() * width;
  *row++ = flags;
  for (const Slot& slot : slots_) {
    if (slot.entry) {
      row[0] = slot.entry->logged.numbers.wide() ? in_double : in_float;
      std::memcpy(&row[1], &slot.value, sizeof slot.value);
    }
    row += 2;
  }
  group_.all_reduce(rows_, ReduceOp::sum);
}

bool StepReduction::any_row(int64_t flag) const {
  const int64_t* rows = rows_.data_ptr<int64_t>();
  for (int64_t rank = 0; rank < rows_.size(0); ++rank)
    if (rows[rank * rows_.size(1)] & flag) return true;
  return false;
}

void StepReduction::take(MetricStore& store) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const size_t column = 1 + 2 * i;
    const int64_t* rows = rows_.data_ptr<int64_t>();
    bool present = false;
    for (int64_t rank = 0; rank < rows_.size(0); ++rank)
      present = present || rows[static_cast<size_t>(rank * rows_.size(1)) + column] != absent;
    if (!present) continue;
    const Slot& slot = slots_[i];
    MetricEntry& e = slot.entry ? *slot.entry : store.entry_of(slot.meta);
    e.reduced.step = joined(slot, e.meta, column);
    e.reduced.step_due = false;
    e.logged.fresh = true;
    store.set_changed();
  }
}

// Reduces over the ranks of this process's entry; if none of them logged the metric, takes the value of the first
// process that did.
double StepReduction::joined(const Slot& slot, const MetricMeta& meta, size_t column) {
  const int64_t* row = rows_.data_ptr<int64_t>() + column;
  std::optional<MetricAccumulator::Part> first;
  parts_.clear();
  for (int rank = 0; rank < group_.size(); ++rank, row += rows_.size(1)) {
    if (row[0] == absent) continue;
    MetricAccumulator::Part part{0, 1, row[0] == in_double};
    std::memcpy(&part.total, &row[1], sizeof part.total);
    if (!first) first = part;
    if (meta.is_over(rank)) parts_.push_back(part);
  }
  if (parts_.empty()) parts_.push_back(*first);
  return MetricAccumulator::joined(parts_, slot.meta.reduce);
}

}  // namespace levin::core
