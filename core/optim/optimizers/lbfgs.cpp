#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <deque>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/optim/optimizers/builtin_optimizer.hpp"
#include "core/optim/optimizers/line_search.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr double strong_wolfe_choice = 1;  // index of "strong_wolfe" in the option line_search_fn

class Lbfgs final : public BuiltinOptimizer {
 public:
  Lbfgs(const OptimSpec& spec, const json& options) : BuiltinOptimizer(spec, options) {}

  bool needs_closure() const override { return true; }
  void visit_state(const StateVisitor& visit) override;

 protected:
  void on_group_added() override;
  void do_step() override {}
  at::Tensor do_step(const Closure& closure) override;
  json group_values(size_t group) const override;
  void load_group_values(size_t group, const json& values) override;
  bool load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) override;

 private:
  // Indices in the order of the optimizer table.
  enum Option { lr, max_iter, max_eval, tolerance_grad, tolerance_change, history_size, line_search };

  // A step and the change of the gradient by it. Python calls these old_stps, old_dirs and ro.
  struct Pair {
    at::Tensor grad_change, step;
    double ro = 0;  // 1 / (grad_change . step)
  };
  struct Evaluation {
    double loss = 0;
    at::Tensor grad;
  };

  const std::vector<at::Tensor>& params() const { return groups()[0].params; }
  at::Tensor run(const Closure& closure) const;
  Evaluation evaluate(const Closure& closure) const;
  at::Tensor flat_grad() const;
  void move(double step, const at::Tensor& direction) const;
  void remember(const at::Tensor& grad);
  void find_direction(const at::Tensor& grad);
  int64_t search(const Closure& closure, Evaluation& now, double slope);
  double round(double x) const;

  at::Tensor direction_, last_grad_;
  std::deque<Pair> history_;
  double step_ = 0, scale_ = 1;
  int64_t iterations_ = 0, evaluations_ = 0;
};

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

// Rounds to the parameters' type, because Python keeps these numbers in tensors of that type.
double Lbfgs::round(double x) const {
  return params()[0].scalar_type() == at::kDouble ? x : static_cast<double>(static_cast<float>(x));
}

void Lbfgs::on_group_added() {
  if (groups().size() > 1)
    throw Error(ErrorCode::optimizer_misconfigured,
                "optimizer 'lbfgs' takes one parameter group: it treats all parameters as one vector");
  if (groups()[0].params.empty())
    throw Error(ErrorCode::optimizer_misconfigured, "optimizer 'lbfgs' has no parameters");
  BuiltinOptimizer::on_group_added();
}

at::Tensor Lbfgs::run(const Closure& closure) const {
  const at::AutoGradMode grad(true);
  at::Tensor loss = closure();
  if (!loss.defined())
    throw Error(ErrorCode::loss_invalid, "optimizer 'lbfgs' needs a loss, but the training step returned none");
  return loss;
}

at::Tensor Lbfgs::flat_grad() const {
  std::vector<at::Tensor> parts;
  for (const auto& param : params()) {
    const at::Tensor& grad = param.grad();
    if (!grad.defined()) {
      parts.push_back(at::zeros({param.numel()}, param.options()));
    } else {
      parts.push_back((grad.is_sparse() ? grad.to_dense() : grad).reshape({-1}));
    }
  }
  return at::cat(parts);
}

Lbfgs::Evaluation Lbfgs::evaluate(const Closure& closure) const {
  const double loss = run(closure).item<double>();
  return {loss, flat_grad()};
}

void Lbfgs::move(double step, const at::Tensor& direction) const {
  int64_t offset = 0;
  for (const auto& param : params()) {
    param.add_(direction.narrow(0, offset, param.numel()).view(param.sizes()), step);
    offset += param.numel();
  }
}

// Adds the last step to the history, unless the curvature along it is not positive.
void Lbfgs::remember(const at::Tensor& grad) {
  const at::Tensor change = grad.sub(last_grad_), step = direction_.mul(step_);
  const double curvature = change.dot(step).item<double>();
  if (!(curvature > 1e-10)) return;
  if (static_cast<double>(history_.size()) >= options(0)[history_size]) history_.pop_front();
  history_.push_back({change, step, round(1 / curvature)});
  scale_ = round(curvature / change.dot(change).item<double>());
}

// Multiplies the negative gradient by an approximate inverse Hessian, with the two-loop recursion over the history
// (Nocedal 1980).
void Lbfgs::find_direction(const at::Tensor& grad) {
  if (iterations_ == 1) {
    direction_ = grad.neg();
    history_.clear();
    scale_ = 1;
    return;
  }
  remember(grad);
  std::vector<double> weights(history_.size());
  at::Tensor q = grad.neg();
  for (size_t i = history_.size(); i-- > 0;) {
    weights[i] = round(history_[i].step.dot(q).item<double>() * history_[i].ro);
    q.add_(history_[i].grad_change, -weights[i]);
  }
  direction_ = at::mul(q, scale_);
  for (size_t i = 0; i < history_.size(); ++i) {
    const double back = round(history_[i].grad_change.dot(direction_).item<double>() * history_[i].ro);
    direction_.add_(history_[i].step, round(weights[i] - back));
  }
}

// Moves by a step that satisfies the strong Wolfe conditions. step_: before, the step to try first; after, the step
// taken.
int64_t Lbfgs::search(const Closure& closure, Evaluation& now, double slope) {
  std::vector<at::Tensor> start;
  for (const auto& param : params()) start.push_back(param.clone());
  LineSearch line;
  line.direction = direction_;
  line.evaluate = [&](double step) {
    move(step, direction_);
    Evaluation there = evaluate(closure);
    for (size_t i = 0; i < start.size(); ++i) params()[i].copy_(start[i]);
    return LinePoint{step, there.loss, there.grad, 0};
  };
  const LineSearchResult result = strong_wolfe(line, {0, now.loss, now.grad, slope}, step_);
  now = {result.point.loss, result.point.grad};
  step_ = result.point.step;
  move(step_, direction_);
  return result.evaluations;
}

at::Tensor Lbfgs::do_step(const Closure& closure) {
  const double* o = options(0);
  const double max_evaluations = std::isnan(o[max_eval]) ? std::floor(o[max_iter] * 5 / 4) : o[max_eval];
  const at::Tensor first_loss = run(closure);
  Evaluation now{first_loss.item<double>(), flat_grad()};
  ++evaluations_;
  if (largest(now.grad) <= o[tolerance_grad]) return first_loss;

  int64_t evaluated = 1;
  for (int64_t i = 1; static_cast<double>(i) <= o[max_iter]; ++i) {
    ++iterations_;
    find_direction(now.grad);
    last_grad_ = now.grad.clone();
    const double last_loss = now.loss;
    step_ = iterations_ == 1 ? std::min(1.0, round(1 / now.grad.abs().sum().item<double>())) * o[lr] : o[lr];
    const double slope = now.grad.dot(direction_).item<double>();
    if (slope > -o[tolerance_change]) break;

    const bool last = static_cast<double>(i) == o[max_iter];
    int64_t more = 0;
    if (o[line_search] == strong_wolfe_choice) {
      more = search(closure, now, slope);
    } else {
      move(step_, direction_);
      if (!last) now = evaluate(closure);  // the loss after the last step is not needed
      more = last ? 0 : 1;
    }
    evaluated += more;
    evaluations_ += more;
    if (last || static_cast<double>(evaluated) >= max_evaluations) break;
    if (largest(now.grad) <= o[tolerance_grad]) break;
    if (largest(direction_.mul(step_)) <= o[tolerance_change]) break;
    if (std::abs(now.loss - last_loss) < o[tolerance_change]) break;
  }
  return first_loss;
}

void Lbfgs::visit_state(const StateVisitor& visit) {
  if (!direction_.defined()) return;
  visit(state_key(0, 0, "d"), direction_);
  visit(state_key(0, 0, "prev_flat_grad"), last_grad_);
  for (size_t i = 0; i < history_.size(); ++i) {
    visit(state_key(0, 0, ("old_dirs_" + std::to_string(i)).c_str()), history_[i].grad_change);
    visit(state_key(0, 0, ("old_stps_" + std::to_string(i)).c_str()), history_[i].step);
  }
}

json Lbfgs::group_values(size_t group) const {
  json values = BuiltinOptimizer::group_values(group);
  json ro = json::array();
  for (const auto& pair : history_) ro.push_back(pair.ro);
  values["state"] = {
      {"t", step_}, {"H_diag", scale_}, {"n_iter", iterations_}, {"func_evals", evaluations_}, {"ro", ro}};
  return values;
}

void Lbfgs::load_group_values(size_t group, const json& values) {
  BuiltinOptimizer::load_group_values(group, values);
  const json& state = values.at("state");
  step_ = state.at("t");
  scale_ = state.at("H_diag");
  iterations_ = state.at("n_iter");
  evaluations_ = state.at("func_evals");
  direction_.reset();
  last_grad_.reset();
  history_.clear();
  for (const json& ro : state.at("ro")) history_.push_back({{}, {}, ro});
}

bool Lbfgs::load_tensor(size_t, size_t, const std::string& slot, const at::Tensor& value) {
  int64_t elements = 0;
  for (const at::Tensor& param : params()) elements += param.numel();
  if (value.sizes() != at::IntArrayRef(elements))
    throw Error(ErrorCode::checkpoint_state_refused,
                "optimizer 'lbfgs': the saved " + slot + " has " + std::to_string(value.numel()) +
                    " elements, and the parameters have " + std::to_string(elements));
  const at::Tensor copy = value.to(params()[0].options(), false, true);
  if (slot == "d") return direction_ = copy, true;
  if (slot == "prev_flat_grad") return last_grad_ = copy, true;
  for (size_t i = 0; i < history_.size(); ++i) {
    if (slot == "old_dirs_" + std::to_string(i)) return history_[i].grad_change = copy, true;
    if (slot == "old_stps_" + std::to_string(i)) return history_[i].step = copy, true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Optimizer> make_lbfgs(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Lbfgs>(spec, options);
}

}  // namespace levin::core
