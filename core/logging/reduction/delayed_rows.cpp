#include "core/logging/reduction/delayed_rows.hpp"

#include <utility>

namespace levin::core {
namespace {

using nlohmann::json;
using Parts = std::map<int64_t, std::vector<MetricAccumulator::Part>>;  // by batch

// Collects the processes' parts of a metric.
Parts parts_of(const MetricMeta& meta, const std::vector<json>& all) {
  Parts parts;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].contains(meta.step) || !meta.is_over(static_cast<int>(rank))) continue;
    const json& noted = all[rank].at(meta.step);
    const json &batches = noted.at("batches"), &values = noted.at("values");
    const bool wide = noted.at("wide").get<bool>();
    for (size_t i = 0; i < batches.size(); ++i)
      parts[batches.at(i).get<int64_t>()].push_back({values.at(i).get<double>(), 1, wide});
  }
  return parts;
}

}  // namespace

void DelayedRows::note(const MetricEntry& entry, int64_t batch, double value) {
  const auto [place, fresh] = noted_.try_emplace(entry.meta.step);
  Noted& noted = place->second;
  if (fresh) noted.meta = entry.meta;
  noted.wide = entry.logged.numbers.wide();
  noted.batches.push_back(batch);
  noted.values.push_back(value);
}

json DelayedRows::shares() const {
  json out = json::object();
  for (const auto& [name, n] : noted_) out[name] = {{"batches", n.batches}, {"values", n.values}, {"wide", n.wide}};
  return out;
}

void DelayedRows::send(const std::vector<json>& all,
                       const std::function<void(int64_t step, const OrderedMetrics& row)>& sink) {
  for (const auto& [name, noted] : noted_) {
    const Parts parts = parts_of(noted.meta, all);
    for (Row& row : rows_)
      if (double* const value = row.values.find(name))
        if (const auto found = parts.find(row.batch); found != parts.end())
          *value = MetricAccumulator::joined(found->second, noted.meta.reduce);
  }
  for (const Row& row : std::exchange(rows_, {})) sink(row.step, row.values);
  clear();
}

}  // namespace levin::core
