#include "core/optim/optimizers/lbfgs.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <deque>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option_values.hpp"
#include "core/optim/optimizers/builtin_optimizer.hpp"
#include "core/optim/optimizers/line_search.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr double kStrongWolfe = 1;

class Lbfgs final : public BuiltinOptimizer {
 public:
  Lbfgs(const OptimizerSpec& spec, const json& options) : BuiltinOptimizer(spec, options) {}

  bool needs_closure() const override { return true; }
  void visit_state(const StateVisitor& visit) override;

 protected:
  void on_group_added() override;
  void do_step() override {}
  at::Tensor do_step(const Closure& closure) override;
  json group_values(std::size_t group) const override;
  void load_group_values(std::size_t group, const json& values) override;
  bool load_tensor(std::size_t group, std::size_t param, const std::string& what, const at::Tensor& value) override;

 private:
  enum Option {
    kLr,
    kMaxIter,
    kMaxEval,
    kToleranceGrad,
    kToleranceChange,
    kHistorySize,
    kLineSearch
  };  // as in the spec

  struct Pair {  // a step that was taken, and how it changed the gradient
    at::Tensor direction, step;
    double ro = 0;
  };
  struct Evaluation {
    double loss = 0;
    at::Tensor grad;
  };

  const std::vector<at::Tensor>& params() const { return groups()[0].params; }
  at::Tensor run(const Closure& closure) const;
  Evaluation evaluate(const Closure& closure) const;
  at::Tensor flat_grad() const;
  void move(double t, const at::Tensor& direction) const;
  void remember(const at::Tensor& grad);
  void find_direction(const at::Tensor& grad);
  int64_t search(const Closure& closure, Evaluation& now, double slope);
  double fit(double x) const;

  at::Tensor direction_, last_grad_;
  std::deque<Pair> history_;
  double t_ = 0, scale_ = 1;
  int64_t iterations_ = 0, evaluations_ = 0;
};

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

// Python keeps these numbers in tensors of the parameters' type.
double Lbfgs::fit(double x) const {
  return params()[0].scalar_type() == at::kDouble ? x : static_cast<double>(static_cast<float>(x));
}

void Lbfgs::on_group_added() {
  if (groups().size() > 1) {
    throw Error(ErrorKind::usage,
                "optimizer 'lbfgs' takes one parameter group: it treats all parameters as one vector");
  }
  if (groups()[0].params.empty()) throw Error(ErrorKind::usage, "optimizer 'lbfgs' has no parameters");
  BuiltinOptimizer::on_group_added();
}

at::Tensor Lbfgs::run(const Closure& closure) const {
  const at::AutoGradMode grad(true);
  at::Tensor loss = closure();
  if (!loss.defined())
    throw Error(ErrorKind::run, "optimizer 'lbfgs' needs a loss, but the training step returned none");
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

void Lbfgs::move(double t, const at::Tensor& direction) const {
  int64_t offset = 0;
  for (const auto& param : params()) {
    param.add_(direction.narrow(0, offset, param.numel()).view(param.sizes()), t);
    offset += param.numel();
  }
}

// The last step joins the history, unless the curvature along it is not positive.
void Lbfgs::remember(const at::Tensor& grad) {
  const at::Tensor change = grad.sub(last_grad_), step = direction_.mul(t_);
  const double curvature = change.dot(step).item<double>();
  if (!(curvature > 1e-10)) return;
  if (static_cast<double>(history_.size()) >= options(0)[kHistorySize]) history_.pop_front();
  history_.push_back({change, step, fit(1 / curvature)});
  scale_ = fit(curvature / change.dot(change).item<double>());
}

// The two loops over the history that multiply the gradient with an approximate inverse Hessian.
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
  for (std::size_t i = history_.size(); i-- > 0;) {
    weights[i] = fit(history_[i].step.dot(q).item<double>() * history_[i].ro);
    q.add_(history_[i].direction, -weights[i]);
  }
  direction_ = at::mul(q, scale_);
  for (std::size_t i = 0; i < history_.size(); ++i) {
    const double back = fit(history_[i].direction.dot(direction_).item<double>() * history_[i].ro);
    direction_.add_(history_[i].step, fit(weights[i] - back));
  }
}

// Moves by a step that satisfies the strong Wolfe conditions; t_ is the step tried first, and then the one taken.
int64_t Lbfgs::search(const Closure& closure, Evaluation& now, double slope) {
  std::vector<at::Tensor> start;
  for (const auto& param : params()) start.push_back(param.clone());
  LineSearch line;
  line.direction = direction_;
  line.evaluate = [&](double t) {
    move(t, direction_);
    Evaluation there = evaluate(closure);
    for (std::size_t i = 0; i < start.size(); ++i) params()[i].copy_(start[i]);
    return LinePoint{t, there.loss, there.grad, 0};
  };
  const LineSearchResult result = strong_wolfe(line, {0, now.loss, now.grad, slope}, t_);
  now = {result.point.loss, result.point.grad};
  t_ = result.point.t;
  move(t_, direction_);
  return result.evaluations;
}

at::Tensor Lbfgs::do_step(const Closure& closure) {
  const double* o = options(0);
  const double max_evaluations = std::isnan(o[kMaxEval]) ? std::floor(o[kMaxIter] * 5 / 4) : o[kMaxEval];
  const at::Tensor first_loss = run(closure);
  Evaluation now{first_loss.item<double>(), flat_grad()};
  ++evaluations_;
  if (largest(now.grad) <= o[kToleranceGrad]) return first_loss;

  int64_t evaluated = 1;
  for (int64_t i = 1; static_cast<double>(i) <= o[kMaxIter]; ++i) {
    ++iterations_;
    find_direction(now.grad);
    last_grad_ = now.grad.clone();
    const double last_loss = now.loss;
    t_ = iterations_ == 1 ? std::min(1.0, fit(1 / now.grad.abs().sum().item<double>())) * o[kLr] : o[kLr];
    const double slope = now.grad.dot(direction_).item<double>();
    if (slope > -o[kToleranceChange]) break;

    const bool last = static_cast<double>(i) == o[kMaxIter];
    int64_t more = 0;
    if (o[kLineSearch] == kStrongWolfe) {
      more = search(closure, now, slope);
    } else {
      move(t_, direction_);
      if (!last) now = evaluate(closure);  // after the last step nobody asks for the loss
      more = last ? 0 : 1;
    }
    evaluated += more;
    evaluations_ += more;
    if (last || static_cast<double>(evaluated) >= max_evaluations) break;
    if (largest(now.grad) <= o[kToleranceGrad]) break;
    if (largest(direction_.mul(t_)) <= o[kToleranceChange]) break;
    if (std::abs(now.loss - last_loss) < o[kToleranceChange]) break;
  }
  return first_loss;
}

void Lbfgs::visit_state(const StateVisitor& visit) {
  if (!direction_.defined()) return;
  visit(state_key(0, 0, "d"), direction_);
  visit(state_key(0, 0, "prev_flat_grad"), last_grad_);
  for (std::size_t i = 0; i < history_.size(); ++i) {
    visit(state_key(0, 0, ("old_dirs_" + std::to_string(i)).c_str()), history_[i].direction);
    visit(state_key(0, 0, ("old_stps_" + std::to_string(i)).c_str()), history_[i].step);
  }
}

json Lbfgs::group_values(std::size_t group) const {
  json values = BuiltinOptimizer::group_values(group);
  json ro = json::array();
  for (const auto& pair : history_) ro.push_back(pair.ro);
  values["state"] = {{"t", t_}, {"H_diag", scale_}, {"n_iter", iterations_}, {"func_evals", evaluations_}, {"ro", ro}};
  return values;
}

void Lbfgs::load_group_values(std::size_t group, const json& values) {
  BuiltinOptimizer::load_group_values(group, values);
  const json& state = values.at("state");
  t_ = state.at("t");
  scale_ = state.at("H_diag");
  iterations_ = state.at("n_iter");
  evaluations_ = state.at("func_evals");
  direction_.reset();
  last_grad_.reset();
  history_.clear();
  for (const json& ro : state.at("ro")) history_.push_back({{}, {}, ro});
}

bool Lbfgs::load_tensor(std::size_t, std::size_t, const std::string& what, const at::Tensor& value) {
  const at::Tensor copy = value.to(params()[0].options(), false, true);
  if (what == "d") return direction_ = copy, true;
  if (what == "prev_flat_grad") return last_grad_ = copy, true;
  for (std::size_t i = 0; i < history_.size(); ++i) {
    if (what == "old_dirs_" + std::to_string(i)) return history_[i].direction = copy, true;
    if (what == "old_stps_" + std::to_string(i)) return history_[i].step = copy, true;
  }
  return false;
}

}  // namespace

OptimizerSpec lbfgs_spec() {
  return {"lbfgs",
          "LBFGS",
          "quasi-Newton steps that evaluate the loss several times",
          {float_option("lr", 1.0, 0, "length of the step, or of the first one tried"),
           int_option("max_iter", 20, 1, "iterations in a step"),
           nullable(int_option("max_eval", nullptr, 1, "evaluations of the loss in a step; null: 1.25 x max_iter")),
           float_option("tolerance_grad", 1e-7, 0, "stop when no gradient is larger"),
           float_option("tolerance_change", 1e-9, 0, "stop when parameters or loss change less"),
           int_option("history_size", 100, 1, "steps that are remembered"),
           nullable(choice_option("line_search_fn", {"none", "strong_wolfe"}, "line search; null: a fixed step"))}};
}

std::unique_ptr<Optimizer> make_lbfgs(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Lbfgs>(spec, options);
}

}  // namespace levin::core
