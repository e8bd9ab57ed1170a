#include "core/logging/reduction/delayed_rows.hpp"

#include <utility>

namespace levin::core {
namespace {

using nlohmann::json;
using Parts = std::map<int64_t, std::vector<MetricAccumulator::Part>>;  // by batch

// What all processes have of one name.
Parts parts_of(const std::string& name, const std::vector<json>& all) {
  Parts parts;
  for (const json& theirs : all) {
    if (!theirs.contains(name)) continue;
    const json& noted = theirs.at(name);
    for (size_t i = 0; i < noted.at(1).size(); ++i)
      parts[noted.at(1).at(i).get<int64_t>()].push_back({noted.at(2).at(i).get<double>(), 1, noted.at(3).get<bool>()});
  }
  return parts;
}

}  // namespace

void DelayedRows::note(const std::string& name, int64_t batch, const MetricAccumulator::Part& value, Reduce reduce) {
  Noted& noted = noted_[name];
  noted.reduce = reduce;
  noted.wide = value.wide;
  noted.batches.push_back(batch);
  noted.values.push_back(value.total);
}

json DelayedRows::shares() const {
  json out = json::object();
  for (const auto& [name, n] : noted_) out[name] = {static_cast<int>(n.reduce), n.batches, n.values, n.wide};
  return out;
}

void DelayedRows::send(const std::vector<json>& all,
                       const std::function<void(int64_t step, const OrderedMetrics& row)>& sink) {
  for (const auto& [name, noted] : noted_) {
    const Parts parts = parts_of(name, all);
    for (Row& row : rows_)
      if (double* const value = row.values.find(name))
        if (const auto found = parts.find(row.batch); found != parts.end())
          *value = MetricAccumulator::joined(found->second, noted.reduce);
  }
  for (const Row& row : std::exchange(rows_, {})) sink(row.step, row.values);
  clear();
}

}  // namespace levin::core
