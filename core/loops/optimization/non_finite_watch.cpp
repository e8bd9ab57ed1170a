#include "core/loops/optimization/non_finite_watch.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <utility>

#include "core/base/json.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

constexpr size_t most_unread = 100;

// Avoids at::Tensor::item(), which takes a microsecond: a lot for the smallest models.
double value_of(const at::Tensor& scalar) {
  if (scalar.scalar_type() == at::kFloat) return *scalar.data_ptr<float>();
  if (scalar.scalar_type() == at::kDouble) return *scalar.data_ptr<double>();
  return scalar.item<double>();
}

std::string text_of(double loss) {
  if (std::isnan(loss)) return "nan";
  if (std::isinf(loss)) return loss < 0 ? "-inf" : "inf";
  return show(loss);
}

std::string gradients_text(const std::vector<std::string>& names) {
  const std::string more = names.size() > 1 ? " (and " + std::to_string(names.size() - 1) + " more)" : std::string();
  return "the gradient of '" + names.front() + "'" + more + " is not finite";
}

std::string describe(double loss, bool loss_is_bad, const std::vector<std::string>& gradients) {
  const std::string of_loss = "the loss is " + text_of(loss);
  if (gradients.empty()) return of_loss;
  const bool known = loss_is_bad || !std::isnan(loss);
  return gradients_text(gradients) + (known ? ", and " + of_loss : "");
}

}  // namespace

void NonFiniteWatch::forget_losses() {
  loss_is_bad_ = false;
  data_.clear();
  losses_.clear();
  agreed_.reset();
  cut_.clear();
  ahead_.reset();
}

void NonFiniteWatch::see_loss(const at::Tensor& loss, const StepPlace& place) {
  if (loss.numel() != 1 || !at::isFloatingType(loss.scalar_type())) return;
  if (!loss.device().is_cpu()) {
    losses_.push_back({loss.detach().reshape({}).to(at::kDouble), place});
    return;
  }
  if (loss_is_bad_) return;
  loss_ = value_of(loss);
  loss_is_bad_ = !std::isfinite(loss_);
  if (loss_is_bad_) bad_place_ = place;
}

at::Tensor NonFiniteWatch::bad_loss(at::Device device) const {
  const at::NoGradGuard no_grad;
  at::Tensor bad = at::full({1}, loss_is_bad_ ? 1.0 : 0.0, at::TensorOptions(at::kFloat).device(device));
  for (const DeviceLoss& loss : losses_) bad.add_(at::isfinite(loss.value).logical_not().to(bad.options()));
  return bad;
}

void NonFiniteWatch::look_ahead(const Optimizer& optimizer) {
  if (is_on_device(optimizer))
    ahead_ = look(optimizer);
  else if (!gradients_are_finite(optimizer))
    cut_ = non_finite_gradients(optimizer);
}

bool NonFiniteWatch::passes(const Optimizer& optimizer, const StepPlace& place, bool known) {
  for (const DeviceLoss& loss : std::exchange(losses_, {})) see_loss(loss.value.cpu(), loss.place);
  std::vector<std::string> gradients = std::exchange(cut_, {});
  if (gradients.empty() && !known && !gradients_are_finite(optimizer)) gradients = non_finite_gradients(optimizer);
  const bool loss_is_bad = agreed_.defined() ? value_of(agreed_) != 0 : loss_is_bad_;
  if (!loss_is_bad && gradients.empty()) return true;
  const bool of_another = loss_is_bad && !loss_is_bad_;
  StepPlace where = place;
  if (loss_is_bad_) where.epoch = bad_place_.epoch, where.batch_idx = bad_place_.batch_idx;
  found_.push_back({where, describe(of_another ? std::nan("") : loss_, loss_is_bad, gradients), data_});
  return false;
}

NonFiniteWatch::Unread NonFiniteWatch::look(const Optimizer& optimizer) {
  const at::NoGradGuard no_grad;
  Unread seen;
  std::vector<at::Tensor> grads;
  for (const ParamGroup& group : optimizer.groups())
    for (size_t i = 0; i < group.params.size(); ++i) {
      const at::Tensor& grad = group.params[i].grad();
      if (!grad.defined() || grad.numel() == 0) continue;
      grads.push_back(grad.is_sparse() ? grad._values() : grad);
      seen.names.push_back(&group.names[i]);
    }
  if (grads.empty()) return seen;
  std::vector<at::Tensor> largest = at::_foreach_norm(grads, std::numeric_limits<double>::infinity());
  const at::TensorOptions first = largest.front().options();
  bool alike = true;
  for (const at::Tensor& n : largest)
    alike = alike && n.device() == largest.front().device() && n.scalar_type() == largest.front().scalar_type();
  if (!alike)  // a model may be on several devices
    for (at::Tensor& n : largest) n = n.to(first.dtype(at::kDouble), /*non_blocking=*/true);
  seen.numbers = at::stack(largest).to(at::kDouble);
  return seen;
}

// With several processes the agreed value decides whether a loss is bad; the process's own losses are only reported.
void NonFiniteWatch::add_losses(std::vector<at::Tensor>& numbers, const at::TensorOptions& options) const {
  const auto number = [&](const at::Tensor& t) { return t.to(options, /*non_blocking=*/true).reshape({1}); };
  if (!agreed_.defined()) {
    for (const DeviceLoss& own : losses_) numbers.push_back(number(own.value));
    return;
  }
  const at::Tensor bad = number(agreed_).ne(0);
  at::Tensor last = at::zeros({1}, options);
  for (const DeviceLoss& own : losses_) {
    last = number(own.value);
    last = at::where(at::isfinite(last).logical_or(bad), last, 0.0);
    numbers.push_back(last);
  }
  numbers.push_back(at::where(bad, std::nan(""), last).to(options));
}

at::Tensor NonFiniteWatch::mask(const Optimizer& optimizer, const StepPlace& place, bool gradients) {
  const at::NoGradGuard no_grad;
  Unread unread;
  if (ahead_)
    unread = std::move(*std::exchange(ahead_, std::nullopt));
  else if (gradients)
    unread = look(optimizer);
  unread.place = place;
  for (const DeviceLoss& loss : losses_) unread.losses.push_back(loss.place);
  const at::TensorOptions device = optimizer.groups().at(0).params.at(0).options().dtype(at::kDouble);
  std::vector<at::Tensor> parts;
  if (unread.numbers.defined()) parts.push_back(unread.numbers.to(device, /*non_blocking=*/true));
  add_losses(parts, device);
  unread.numbers = parts.empty() ? at::zeros({0}, device) : at::cat(parts);
  at::Tensor mask = at::isfinite(unread.numbers).all().logical_not();
  unread_.push_back(std::move(unread));
  return mask;
}

void NonFiniteWatch::read(const Unread& unread) {
  const at::Tensor numbers = unread.numbers.cpu();
  const double* value = numbers.data_ptr<double>();
  const size_t n = unread.names.size();
  std::vector<std::string> gradients;
  for (size_t i = 0; i < n; ++i)
    if (!std::isfinite(value[i])) gradients.push_back(*unread.names[i]);
  double loss = loss_;
  bool loss_is_bad = false;
  StepPlace place = unread.place;
  for (size_t i = n; i < static_cast<size_t>(numbers.numel()) && !loss_is_bad; ++i) {
    loss_is_bad = !std::isfinite(loss = value[i]);
    if (!loss_is_bad || i - n >= unread.losses.size()) continue;
    place.epoch = unread.losses[i - n].epoch;
    place.batch_idx = unread.losses[i - n].batch_idx;
  }
  if (loss_is_bad || !gradients.empty()) found_.push_back({place, describe(loss, loss_is_bad, gradients), ""});
}

void NonFiniteWatch::read_all() {
  for (const Unread& unread : std::exchange(unread_, {})) read(unread);
}

const std::vector<NonFiniteStep>& NonFiniteWatch::found() {
  read_all();
  return found_;
}

std::vector<NonFiniteStep> NonFiniteWatch::take(bool wait) {
  if (wait || unread_.size() >= most_unread) read_all();
  return std::exchange(found_, {});
}

}  // namespace levin::core
