// Computes named metrics for metrics.py. Reads cases from stdin, each of three lines: METRIC FAMILY CLASSES LOGITS
// SHAPE TARGET_SHAPE ("f1:macro classification 3 1 40x3 40"), the predictions, the targets. Prints a line for each: the
// value from one batch, and the values from other splits into batches and ranks; or "error: " and the message.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "levin/metrics.hpp"

using levin::metrics::NamedMetric;

namespace {

struct Case {
  levin::metrics::MetricChoice choice;
  levin::metrics::MetricInputs inputs;
  at::Tensor prediction, target;
};

std::vector<int64_t> sizes_of(const std::string& text) {
  std::vector<int64_t> out;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each, 'x');) out.push_back(std::stoll(each));
  return out;
}

at::Tensor tensor_of(const std::string& line, const std::vector<int64_t>& shape) {
  std::vector<double> values;
  const char* at = line.c_str();
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) break;
    values.push_back(value);
  }
  return at::tensor(values, at::kDouble).reshape(shape);
}

// Adds the state of another rank, as the trainer merges them.
void add_rank(levin::metrics::Metric& metric, const levin::metrics::Metric& other) {
  std::map<std::string, at::Tensor> saved;
  for (const auto& state : other.states())
    if (state.tensor.defined()) saved[state.name] = state.tensor;
  levin_reader reader{};
  reader.size = sizeof reader;
  reader.ctx = &saved;
  reader.get_tensor = [](const levin_reader* r, const char* key, levin_tensor** out) -> levin_status {
    const auto& tensors = *static_cast<const std::map<std::string, at::Tensor>*>(r->ctx);
    const auto found = tensors.find(key);
    if (found == tensors.end()) return LEVIN_E_NOT_FOUND;
    *out = reinterpret_cast<levin_tensor*>(at::Tensor(found->second).unsafeReleaseTensorImpl());
    return LEVIN_OK;
  };
  if (metric.table().o.load(&metric, &reader) != LEVIN_OK)
    throw levin::Error(LEVIN_E_INVALID, "a state was not loaded");
}

// Rank r of the ranks has the rows r, r + ranks, ...; it gets them in batches of this size, and an empty one.
double value_of(const Case& c, int64_t ranks, int64_t batch) {
  std::vector<NamedMetric> each;
  for (int64_t r = 0; r < ranks; ++r) {
    each.push_back(named_metric(c.choice, c.inputs));
    const int64_t rows = c.target.size(0);
    if (ranks > 1) each.back().update(c.prediction.narrow(0, 0, 0), c.target.narrow(0, 0, 0));
    for (int64_t from = r; from < rows; from += ranks * batch) {
      const int64_t to = std::min(rows, from + ranks * batch);
      each.back().update(c.prediction.slice(0, from, to, ranks), c.target.slice(0, from, to, ranks));
    }
    if (r > 0) add_rank(*each[0].metric, *each.back().metric);
  }
  return each[0].metric->compute();
}

std::string answer(const std::string& head) {
  std::istringstream words(head);
  std::string metric, shape, target_shape, predictions, targets;
  Case c;
  words >> metric >> c.inputs.classes >> c.inputs.logits >> shape >> target_shape;
  std::getline(std::cin, predictions);
  std::getline(std::cin, targets);
  try {
    c.choice = levin::metrics::chosen_metrics(metric, c.inputs.classes > 0).at(0);
    c.prediction = tensor_of(predictions, sizes_of(shape));
    c.target = tensor_of(targets, sizes_of(target_shape));
    if (c.inputs.classes > 0) c.target = c.target.to(at::kLong);
    std::ostringstream out;
    out.precision(17);
    out << value_of(c, 1, 1000000) << ' ' << value_of(c, 1, 7) << ' ' << value_of(c, 2, 5) << ' ' << value_of(c, 4, 1);
    return out.str();
  } catch (const std::exception& e) {
    return std::string("error: ") + e.what();
  }
}

}  // namespace

int main() {
  at::set_num_threads(1);
  for (std::string head; std::getline(std::cin, head);) std::puts(answer(head).c_str());
}
