#include "host/engine/check/rules/rules.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/optim/plugin_optimizer.hpp"

namespace levin::core {
namespace {

// An optimizer with two parameter groups. The last parameter of the second group never gets a gradient.
class TriedOptimizer {
 public:
  explicit TriedOptimizer(const Subject& subject) : schema_(subject.schema) {
    std::vector<ParamGroup> groups = {{"in", {leaf({3, 2}), leaf({3})}, {"in.weight", "in.bias"}},
                                      {"out", {leaf({2}), leaf({2, 2})}, {"out.weight", "out.unused"}}};
    optimizer_ = make_plugin_optimizer(subject.plugins, {schema_.id, subject.file, schema_.id, subject.defaults},
                                       subject.defaults, std::move(groups));
    for (size_t group = 0; group < 2; ++group)
      if (optimizer_->has("lr") && optimizer_->get(group, "lr") == 0) optimizer_->set(group, "lr", 0.1);
  }

  Optimizer& optimizer() { return *optimizer_; }
  std::vector<at::Tensor> params() const {
    std::vector<at::Tensor> out;
    for (const ParamGroup& group : optimizer_->groups())
      out.insert(out.end(), group.params.begin(), group.params.end());
    return out;
  }
  std::vector<at::Tensor> copies() const {
    std::vector<at::Tensor> out;
    for (const at::Tensor& p : params()) out.push_back(p.detach().clone());
    return out;
  }
  // Takes a step with new gradients for all parameters but the last.
  void step() {
    ++steps_;
    std::vector<at::Tensor> all = params();
    all.pop_back();
    for (at::Tensor& p : all) p.mutable_grad() = at::full(p.sizes(), 0.25 + 0.5 * steps_);
    optimizer_->step();
  }
  // Copies parameters, step count and state from the other optimizer.
  void continue_from(TriedOptimizer& other) {
    const std::vector<at::Tensor> values = other.copies(), own = params();
    for (size_t i = 0; i < own.size(); ++i) own[i].detach().copy_(values[i]);
    steps_ = other.steps_;
    optimizer_->load_state_dict(other.optimizer_->state_dict());
  }
  // Returns the names of the options that a parameter group keeps as numbers, including bools.
  std::vector<std::string> numbers() const {
    std::vector<std::string> out;
    for (const OptionSchema& o : schema_.options)
      if (o.type == LEVIN_T_FLOAT || o.type == LEVIN_T_INT || o.type == LEVIN_T_BOOL) out.push_back(o.name);
    return out;
  }

 private:
  static at::Tensor leaf(at::IntArrayRef shape) { return at::full(shape, 0.5).set_requires_grad(true); }

  const ComponentSchema& schema_;
  std::unique_ptr<Optimizer> optimizer_;
  int steps_ = 0;
};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string check_numbers(const Subject& subject) {
  TriedOptimizer trial(subject);
  if (trial.numbers().empty()) throw Skip{"it has no option that is a number"};
  for (const std::string& name : trial.numbers()) {
    Optimizer& o = trial.optimizer();
    const double first = o.get(0, name), second = o.get(1, name), other = first == 0 ? 1 : 0;
    o.set(0, name, other);
    if (o.get(0, name) != other) return "'" + name + "' was set, but get returns another value";
    if (!same(o.get(1, name), second)) return "'" + name + "' was set in one group, and changed in another";
    o.set(0, name, first);
  }
  return "";
}

std::string check_step(const Subject& subject) {
  TriedOptimizer trial(subject);
  const std::vector<at::Tensor> before = trial.copies();
  trial.step();
  trial.step();
  const std::vector<at::Tensor> after = trial.params();
  for (size_t i = 0; i < before.size(); ++i) {
    const bool moved = !at::equal(before[i], after[i]), had_gradient = i + 1 < before.size();
    if (moved && !had_gradient) return "a parameter without a gradient was moved";
    if (!moved && had_gradient) return "a parameter with a gradient was not moved in two steps";
  }
  return "";
}

std::string check_resume(const Subject& subject) {
  TriedOptimizer first(subject);
  first.step();
  first.step();
  TriedOptimizer second(subject);
  second.continue_from(first);
  for (TriedOptimizer* t : {&first, &second}) {
    t->step();
    t->step();
  }
  const std::vector<at::Tensor> a = first.params(), b = second.params();
  for (size_t i = 0; i < a.size(); ++i)
    if (!at::equal(a[i], b[i]))
      return "loaded into a new optimizer, the next steps differ: visit must name all its state";
  return "";
}

}  // namespace

void check_optimizer(Report& report, const Subject& subject) {
  const bool made = report.check(30, "accepts groups of parameters", [&] {
    TriedOptimizer trial(subject);
    return "";
  });
  if (!made) return;
  report.check(31, "get returns the values given to set, group by group", [&] { return check_numbers(subject); });
  report.check(32, "step changes the parameters that have a gradient, and no others",
               [&] { return check_step(subject); });
  report.check(33, "state: loaded into a new optimizer, the next steps are the same",
               [&] { return check_resume(subject); });
}

}  // namespace levin::core
