// Learning rates and momenta as plain numbers.
#pragma once
#include <vector>

#include "core/optim/lr_schedulers/lr_scheduler.hpp"

struct PlainTarget : levin::core::LrTarget {
  explicit PlainTarget(std::vector<double> rates, bool with_momentum = true)
      : lrs(std::move(rates)), momenta(lrs.size(), 0.9), has(with_momentum) {}

  std::size_t group_count() const override { return lrs.size(); }
  double lr(std::size_t i) const override { return lrs[i]; }
  void set_lr(std::size_t i, double value) override { lrs[i] = value; }
  bool has_momentum() const override { return has; }
  double momentum(std::size_t i) const override { return momenta[i]; }
  void set_momentum(std::size_t i, double value) override { momenta[i] = value; }

  std::vector<double> lrs, momenta;
  bool has;
};
