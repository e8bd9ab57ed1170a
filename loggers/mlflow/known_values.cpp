#include "known_values.hpp"

#include "../common/values.hpp"

#include <functional>
#include <sstream>

#include "batch.hpp"

namespace levin::mlflow {
namespace {

constexpr size_t most = 1'000'000;  // further values reach the server twice

uint64_t hash_of(int64_t step, const std::string& name, double value) {
  return std::hash<std::string>()(std::to_string(step) + " " + name + " " + loggers::number_text(value));
}

}  // namespace

void KnownValues::add(const std::string& lines) {
  std::istringstream in(lines);
  for (std::string line; known_.size() < most && std::getline(in, line);) {
    const MetricsOfLine metrics = metrics_of_line(line);
    for (const auto& [name, value] : metrics.values) known_.insert(hash_of(metrics.step, name, value));
  }
}

Values KnownValues::without_known(int64_t step, const Values& values) {
  if (known_.empty()) return values;
  Values out;
  for (const auto& [name, value] : values) {
    const auto found = known_.find(hash_of(step, name, value));
    if (found == known_.end())
      out.emplace_back(name, value);
    else
      known_.erase(found);
  }
  return out;
}

}  // namespace levin::mlflow
