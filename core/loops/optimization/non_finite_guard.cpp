#include "core/loops/optimization/non_finite_guard.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/where.h>

#include "core/base/error.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_in_a_row = 100;  // after so many skipped steps in a row the run stops

}  // namespace

StepPlace NonFiniteGuard::place() const {
  return {progress_.global_step(), progress_.current_epoch(), progress_.batch_idx()};
}

// Describes the batch of the loss now, because the step may follow some batches later.
void NonFiniteGuard::see_loss(const at::Tensor& loss) {
  if (!is_on()) return;
  const bool was_bad = watch_.loss_is_bad();
  watch_.see_loss(loss, place());
  if (!was_bad && watch_.loss_is_bad() && look_at_batch_) watch_.note_data(look_at_batch_());
}

void NonFiniteGuard::begin_window() {
  if (!is_on()) return;
  watch_.forget_losses();
  const at::NoGradGuard no_grad;
  const std::vector<NamedTensor>& now = model_.buffers();
  buffers_.resize(now.size());
  for (size_t i = 0; i < now.size(); ++i) {
    if (!restores(now[i].tensor)) continue;
    at::Tensor& kept = buffers_[i];
    if (kept.defined() && kept.sizes() == now[i].tensor.sizes() && kept.device() == now[i].tensor.device())
      kept.copy_(now[i].tensor);
    else
      kept = now[i].tensor.detach().clone();
  }
}

// Removes the skipped batch from running statistics: one NaN in them would stay forever.
void NonFiniteGuard::put_buffers_back(const at::Tensor& where) {
  if (where.defined() && plan_.numerics.non_finite != NonFinite::skip)
    return;  // a buffer on the CPU would wait for the device
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < buffers_.size() && i < model_.buffers().size(); ++i) {
    at::Tensor now = model_.buffers()[i].tensor;
    if (!buffers_[i].defined() || now.sizes() != buffers_[i].sizes()) continue;
    now.copy_(where.defined() ? at::where(where.to(now.device()), buffers_[i], now) : buffers_[i]);
  }
}

NonFiniteGuard::Verdict NonFiniteGuard::verdict(const Optimizer& optimizer, bool known) {
  if (!is_on()) return {};
  if (is_on_device(optimizer)) {
    Verdict masked{true, watch_.mask(optimizer, place())};
    put_buffers_back(masked.skip);
    return masked;
  }
  if (watch_.passes(optimizer, place(), known)) return {};
  put_buffers_back({});
  return {false, {}};
}

bool NonFiniteGuard::allows_step(const Optimizer& optimizer) {
  if (!is_on() || watch_.passes(optimizer, place(), /*known=*/false)) return true;
  put_buffers_back({});
  return false;
}

void NonFiniteGuard::undone(const Optimizer& optimizer) {
  put_buffers_back({});
  watch_.add({place(), "the step of optimizer '" + optimizer.id() + "' led to weights that are not finite", ""});
}

void NonFiniteGuard::overflowed(const Optimizer& optimizer) {
  if (is_on()) watch_.mask(optimizer, place(), /*gradients=*/false);
}

void NonFiniteGuard::settle(bool wait) {
  if (!is_on()) return;
  const std::vector<NonFiniteStep> found = watch_.take(wait);
  if (plan_.numerics.non_finite == NonFinite::stop)  // a checkpoint of the failed run counts them
    for (const NonFiniteStep& step : found) skipped_.add(step.place.global_step);
  for (const NonFiniteStep& step : found) handle(step);
}

SkippedSteps NonFiniteGuard::skipped() {
  SkippedSteps out = skipped_;
  if (plan_.numerics.non_finite != NonFinite::skip) return out;
  for (const NonFiniteStep& step : watch_.found()) out.add(step.place.global_step);
  return out;
}

void NonFiniteGuard::end_fit() {
  if (skipped_.total > 0)
    warn_(std::to_string(skipped_.total) + " of " + std::to_string(progress_.global_step()) +
          " optimizer steps were skipped, because a loss or a gradient was not finite");
  skipped_ = {};
  const std::string weight = is_on() ? first_non_finite(model_.parameters()) : "";
  if (!weight.empty())
    throw Error(ErrorCode::parameter_not_finite,
                "the fit ended with a parameter that is not finite: '" + weight +
                    "'; lower the learning rate (--trainer.non_finite ignore allows it)");
}

std::string NonFiniteGuard::text_of(const NonFiniteStep& step) const {
  const StepPlace here = place();
  const bool in_hand = step.place.epoch == here.epoch && step.place.batch_idx == here.batch_idx;
  const std::string data = step.data.empty() && in_hand && look_at_batch_ ? look_at_batch_() : step.data;
  return "epoch " + std::to_string(step.place.epoch) + ", batch_idx " + std::to_string(step.place.batch_idx) +
         ", global_step " + std::to_string(step.place.global_step) + ": " + step.what +
         (data.empty() ? "" : " (" + data + ")");
}

void NonFiniteGuard::handle(const NonFiniteStep& step) {
  const std::string text = text_of(step);
  const std::string weight = first_non_finite(model_.parameters());
  if (plan_.numerics.non_finite == NonFinite::roll_back && roll_back_) return warn_(roll_back_(text));
  if (!weight.empty()) stop(text + "; the parameter '" + weight + "' was not finite before");
  if (plan_.numerics.non_finite != NonFinite::skip) stop(text + "; no weight was changed");
  count(step, text);
}

void NonFiniteGuard::count(const NonFiniteStep& step, const std::string& text) {
  skipped_.add(step.place.global_step);
  if (skipped_.in_a_row == most_in_a_row)
    stop(text + "; " + std::to_string(most_in_a_row) + " steps in a row were skipped, so nothing is learned");
  const bool power_of_two = (skipped_.total & (skipped_.total - 1)) == 0;
  if (power_of_two)
    warn_(text + "; this step was skipped, and no weight was changed (trainer.non_finite=skip, " +
          std::to_string(skipped_.total) + " so far)");
}

void NonFiniteGuard::stop(const std::string& text) const {
  throw PlacedError(ErrorCode::loss_not_finite,
                    text +
                        ". Check the data and the learning rate, clip with --trainer.gradient_clip_val, or find the "
                        "operation with --trainer.detect_anomaly true; --trainer.non_finite skip skips such steps, "
                        "roll_back restores the last checkpoint");
}

}  // namespace levin::core
