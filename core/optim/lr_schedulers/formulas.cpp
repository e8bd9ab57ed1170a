// Schedules that two formulas define: step, multi_step, exponential, polynomial, constant, linear.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

struct Formulas {
  std::function<double(int64_t t, double before)> next;  // the learning rate of step t, from the one of step t - 1
  std::function<double(int64_t t, double base)> closed;  // the same from the initial learning rate
};

class FormulaLr final : public LrScheduler {
 public:
  FormulaLr(LrTarget& target, Formulas formulas) : LrScheduler(target), formulas_(std::move(formulas)) {}

 private:
  double next_lr(size_t i) override { return formulas_.next(last_epoch_, lr(i)); }
  double closed_form_lr(size_t i) override { return formulas_.closed(last_epoch_, base_lr(i)); }

  Formulas formulas_;
};

template <Formulas (*formulas)(const json& options)>
std::unique_ptr<LrScheduler> make_of(const SchedulerArgs& args) {
  return std::make_unique<FormulaLr>(args.target, formulas(args.options));
}

double power(double base, int64_t exponent) { return std::pow(base, static_cast<double>(exponent)); }

Formulas step(const json& o) {
  const int64_t size = o["step_size"];
  const double gamma = o["gamma"];
  return {[=](int64_t t, double lr) { return t == 0 || t % size != 0 ? lr : lr * gamma; },
          [=](int64_t t, double base) { return base * power(gamma, t / size); }};
}

Formulas multi_step(const json& o) {
  auto milestones = o["milestones"].get<std::vector<int64_t>>();
  std::sort(milestones.begin(), milestones.end());
  const double gamma = o["gamma"];
  return {[=](int64_t t, double lr) {
            const auto [first, last] = std::equal_range(milestones.begin(), milestones.end(), t);
            return first == last ? lr : lr * power(gamma, last - first);
          },
          [=](int64_t t, double base) {
            const auto passed = std::upper_bound(milestones.begin(), milestones.end(), t);
            return base * power(gamma, passed - milestones.begin());
          }};
}

Formulas exponential(const json& o) {
  const double gamma = o["gamma"];
  return {[=](int64_t t, double lr) { return t == 0 ? lr : lr * gamma; },
          [=](int64_t t, double base) { return base * power(gamma, t); }};
}

Formulas polynomial(const json& o) {
  const double total = o["total_iters"], exponent = o["power"];
  return {[=](int64_t step, double lr) {
            const double t = static_cast<double>(step);
            if (step == 0 || t > total) return lr;
            return lr * std::pow((1.0 - t / total) / (1.0 - (t - 1) / total), exponent);
          },
          [=](int64_t t, double base) {
            return base * std::pow(1.0 - std::min(total, static_cast<double>(t)) / total, exponent);
          }};
}

// Returns an option by which the schedule divides later.
double positive(const json& options, const char* name, const char* schedule) {
  const double value = options[name];
  if (value > 0) return value;
  throw Error(ErrorCode::scheduler_misconfigured,
              std::string("schedule '") + schedule + "', option '" + name + "': must be above 0");
}

Formulas constant(const json& o) {
  const double factor = positive(o, "factor", "constant");
  const int64_t total = o["total_iters"];
  return {[=](int64_t t, double lr) {
            if (t == 0) return lr * factor;
            return t == total ? lr * (1.0 / factor) : lr;
          },
          [=](int64_t t, double base) { return base * (factor + (t >= total ? 1 - factor : 0)); }};
}

Formulas linear(const json& o) {
  const double start = positive(o, "start_factor", "linear"), end = o["end_factor"], total = o["total_iters"];
  return {[=](int64_t step, double lr) {
            const double t = static_cast<double>(step);
            if (step == 0) return lr * start;
            if (t > total) return lr;
            return lr * (1. + (end - start) / (total * start + (t - 1) * (end - start)));
          },
          [=](int64_t t, double base) {
            return base * (start + (end - start) * std::min(total, static_cast<double>(t)) / total);
          }};
}

}  // namespace

std::vector<SchedulerKind> formula_schedulers() {
  return {{"step", make_of<step>},
          {"multi_step", make_of<multi_step>},
          {"exponential", make_of<exponential>},
          {"polynomial", make_of<polynomial>},
          {"constant", make_of<constant>},
          {"linear", make_of<linear>}};
}

}  // namespace levin::core
