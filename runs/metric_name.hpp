// The parts of a metric's name.
#pragma once
#include <string>

namespace levin::core {

struct MetricName {
  std::string base;   // "loss" of "train_loss_step"
  std::string stage;  // "train", "val", "test" or ""
  std::string kind;   // "step", "epoch" or ""

  std::string without_base() const { return stage + (stage.empty() || kind.empty() ? "" : " ") + kind; }
};
MetricName parsed_name(const std::string& name);

}  // namespace levin::core
