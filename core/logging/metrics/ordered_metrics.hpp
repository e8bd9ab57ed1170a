// Metrics by name, in the order in which they first appeared.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace levin::core {

class OrderedMetrics {
 public:
  void set(const std::string& name, double value) {
    if (double* known = find(name)) {
      *known = value;
      return;
    }
    items_.emplace_back(name, value);
  }
  double* find(const std::string& name) {
    for (auto& [n, v] : items_)
      if (n == name) return &v;
    return nullptr;
  }
  bool take(const std::string& name, double& out) {
    for (auto it = items_.begin(); it != items_.end(); ++it) {
      if (it->first != name) continue;
      out = it->second;
      items_.erase(it);
      return true;
    }
    return false;
  }
  bool empty() const { return items_.empty(); }
  const std::vector<std::pair<std::string, double>>& items() const { return items_; }

 private:
  std::vector<std::pair<std::string, double>> items_;
};

}  // namespace levin::core
