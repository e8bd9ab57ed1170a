// Computes named metrics for metrics.py. Reads cases from stdin, each of three lines: METRIC CLASSES LABELS LOGITS
// SHAPE TARGET_SHAPE ("f1:macro 3 0 1 40x3 40"), the predictions, the targets; or METRIC "texts", and texts as bytes in
// hex behind a dot. Prints a line for each: the value from one batch, and the values from other splits into batches and
// ranks; or "error: " and the message.
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

using levin::metrics::Texts;

namespace {

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

at::Tensor some_rows(const at::Tensor& all, int64_t from, int64_t to, int64_t step) {
  return from == to ? all.narrow(0, 0, 0) : all.slice(0, from, to, step);
}
Texts some_rows(const Texts& all, int64_t from, int64_t to, int64_t step) {
  Texts out;
  for (int64_t i = from; i < to; i += step) out.push_back(all[static_cast<size_t>(i)]);
  return out;
}

// Rank r of the ranks has the rows r, r + ranks, ...; it gets them in batches of this size, and an empty one.
template <class Make, class Rows>
double value_of(const Make& make, const Rows& prediction, const Rows& target, int64_t rows, int64_t ranks,
                int64_t batch) {
  std::vector<decltype(make())> each;
  for (int64_t r = 0; r < ranks; ++r) {
    each.push_back(make());
    if (ranks > 1) each.back().update(some_rows(prediction, 0, 0, 1), some_rows(target, 0, 0, 1));
    for (int64_t from = r; from < rows; from += ranks * batch) {
      const int64_t to = std::min(rows, from + ranks * batch);
      each.back().update(some_rows(prediction, from, to, ranks), some_rows(target, from, to, ranks));
    }
    if (r > 0) add_rank(*each[0].metric, *each.back().metric);
  }
  return each[0].metric->compute();
}

template <class Make, class Rows>
std::string values_of(const Make& make, const Rows& prediction, const Rows& target, int64_t rows) {
  std::ostringstream out;
  out.precision(17);
  const auto value = [&](int64_t ranks, int64_t batch) {
    return value_of(make, prediction, target, rows, ranks, batch);
  };
  out << value(1, 1000000) << ' ' << value(1, 7) << ' ' << value(2, 5) << ' ' << value(4, 1);
  return out.str();
}

Texts texts_of(const std::string& line) {
  Texts out;
  std::istringstream words(line);
  for (std::string hex; words >> hex;) {
    out.emplace_back();
    for (size_t i = 1; i + 1 < hex.size(); i += 2)
      out.back() += static_cast<char>(std::strtol(hex.substr(i, 2).c_str(), nullptr, 16));
  }
  return out;
}

std::string answer(const std::string& head) {
  std::istringstream words(head);
  std::string metric, kind, shape, target_shape, predictions, targets;
  words >> metric >> kind;
  std::getline(std::cin, predictions);
  std::getline(std::cin, targets);
  try {
    if (kind == "texts") {
      const auto choice = levin::metrics::chosen_metrics(metric, levin::metrics::MetricTarget::texts).at(0);
      const Texts references = texts_of(targets);
      return values_of([&] { return levin::metrics::named_text_metric(choice); }, texts_of(predictions), references,
                       static_cast<int64_t>(references.size()));
    }
    levin::metrics::MetricInputs inputs;
    inputs.classes = std::stoll(kind);
    words >> inputs.labels >> inputs.logits >> shape >> target_shape;
    const auto choice = levin::metrics::chosen_metrics(metric, inputs.target()).at(0);
    const at::Tensor prediction = tensor_of(predictions, sizes_of(shape));
    at::Tensor target = tensor_of(targets, sizes_of(target_shape));
    if (inputs.classes > 0) target = target.to(at::kLong);
    return values_of([&] { return named_metric(choice, inputs); }, prediction, target, target.size(0));
  } catch (const std::exception& e) {
    return std::string("error: ") + e.what();
  }
}

}  // namespace

int main() {
  at::set_num_threads(1);
  for (std::string head; std::getline(std::cin, head);) std::puts(answer(head).c_str());
}
