#include "core/strategies/dp/joined_logs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/logging/metrics/stateful_metric.hpp"

namespace levin::core {
namespace {

// The calls that log one value, one per replica that has logged it.
struct Joined {
  std::vector<RecordedLog*> calls;
  std::vector<int64_t> weights;
  bool weighted = false;  // not weighted by the rows of the whole batch
  const RecordedLog& first() const { return *calls.front(); }
  double total() const { return static_cast<double>(std::accumulate(weights.begin(), weights.end(), int64_t{0})); }
  double share(size_t i) const {
    return total() > 0 ? static_cast<double>(weights[i]) / total() : 1.0 / static_cast<double>(weights.size());
  }
};

Joined same_calls(const RecordedLog& call, const std::vector<StepRecord*>& records, const std::vector<int64_t>& rows) {
  Joined out;
  for (size_t r = 0; r < records.size(); ++r) {
    auto& calls = records[r]->calls();
    const auto found = std::find_if(calls.begin(), calls.end(), [&](const RecordedLog& other) {
      return !other.taken && other.origin == call.origin && other.name == call.name;
    });
    if (found == calls.end()) {
      out.weighted = true;
      continue;
    }
    found->taken = true;
    const bool given = found->log.batch_size >= 0;
    out.weighted = out.weighted || given;
    out.weights.push_back(given ? found->log.batch_size : rows[r]);
    out.calls.push_back(&*found);
  }
  return out;
}

double joined_number(const Joined& joined, Reduce reduce) {
  double out = reduce == Reduce::min || reduce == Reduce::max ? joined.first().log.number : 0;
  for (size_t i = 0; i < joined.calls.size(); ++i) {
    const double value = joined.calls[i]->log.number;
    if (reduce == Reduce::min)
      out = std::min(out, value);
    else if (reduce == Reduce::max)
      out = std::max(out, value);
    else
      out += reduce == Reduce::mean ? value * joined.share(i) : value;
  }
  return out;
}

at::Tensor as_scalar(const RecordedLog& call, const at::Tensor& like) {
  if (!call.tensor.defined())
    throw Error(ErrorCode::call_invalid,
                "log(\"" + call.name + "\") takes a tensor in one replica and a number in another");
  if (call.tensor.numel() != 1)
    throw Error(ErrorCode::call_invalid, "log(\"" + call.name + "\") takes a tensor of one element, not of " +
                                             std::to_string(call.tensor.numel()));
  return call.tensor.reshape({}).to(like.device());
}

at::Tensor joined_tensor(const Joined& joined, Reduce reduce) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> values;
  for (const RecordedLog* call : joined.calls) values.push_back(as_scalar(*call, joined.first().tensor));
  if (reduce == Reduce::min || reduce == Reduce::max) {
    const at::Tensor all = at::stack(values);
    return reduce == Reduce::min ? all.min() : all.max();
  }
  at::Tensor out;
  for (size_t i = 0; i < values.size(); ++i) {
    const at::Tensor term = reduce == Reduce::mean ? values[i] * joined.share(i) : values[i];
    out = out.defined() ? out + term : term;
  }
  return out;
}

[[noreturn]] void refuse_metric(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::option_unsupported,
              "trainer.strategy=dp cannot merge the metric '" + name + "' over the replicas of the model: it " + why);
}

// Returns the mean over replicas as the step value, because a state does not hold the last batch's value.
std::optional<double> joined_metric(const Joined& joined, const RecordedLog* of_first_replica) {
  const std::string& name = joined.first().name;
  if (&joined.first() != of_first_replica) refuse_metric(name, "was logged by another replica and not by the first");
  const bool on_step =
      resolve_when(joined.first().origin, joined.first().log.on_step, joined.first().log.on_epoch).on_step;
  const StatefulMetric home{joined.first().log.metric, joined.first().log.metric_self};
  double step = 0;
  for (size_t i = 0; i < joined.calls.size(); ++i) {
    const StatefulMetric metric{joined.calls[i]->log.metric, joined.calls[i]->log.metric_self};
    if (!metric.shares_state()) refuse_metric(name, "does not give its state (state, load and reset)");
    if (on_step) step += metric.compute_step().value_or(0) * joined.share(i);
    if (i == 0) continue;
    home.add(metric.state(name), name);
    metric.reset();
  }
  return on_step ? std::optional<double>(step) : std::nullopt;
}

void join(const Joined& joined, const RecordedLog* of_first_replica, const JoinedLogSink& sink) {
  const RecordedLog& first = joined.first();
  levin_log log = first.arguments(first.tensor);
  if (joined.weighted) log.batch_size = static_cast<int64_t>(joined.total());
  if (joined.calls.size() == 1 && !log.metric) return sink(first.origin, log, std::nullopt);
  if (log.metric) return sink(first.origin, log, joined_metric(joined, of_first_replica));
  const Reduce reduce = reduce_from(log.reduce_fx);
  const at::Tensor value = first.tensor.defined() ? joined_tensor(joined, reduce) : at::Tensor();
  log = first.arguments(value);
  if (!value.defined()) log.number = joined_number(joined, reduce);
  if (joined.weighted) log.batch_size = static_cast<int64_t>(joined.total());
  sink(first.origin, log, std::nullopt);
}

}  // namespace

RecordedLog::RecordedLog(LogOrigin where, const levin_log& given)
    : origin(where),
      log(given),
      name(given.name),
      reduce_fx(given.reduce_fx ? given.reduce_fx : ""),
      has_reduce_fx(given.reduce_fx != nullptr) {
  if (given.tensor) tensor = retain(given.tensor).detach();
}

levin_log RecordedLog::arguments(const at::Tensor& value) const {
  levin_log out = log;
  out.name = name.c_str();
  out.reduce_fx = has_reduce_fx ? reduce_fx.c_str() : nullptr;
  out.tensor = borrow(value);
  return out;
}

void StepRecord::add(LogOrigin origin, const levin_log& log) {
  if (!log.name || !*log.name) throw Error(ErrorCode::call_invalid, "log needs a name");
  calls_.emplace_back(origin, log);
}

void join_logs(const std::vector<StepRecord*>& records, const std::vector<int64_t>& rows, const JoinedLogSink& sink) {
  for (StepRecord* record : records)
    for (const RecordedLog& call : record->calls())
      if (!call.taken) join(same_calls(call, records, rows), record == records.front() ? &call : nullptr, sink);
}

}  // namespace levin::core
