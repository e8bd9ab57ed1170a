#include "names.hpp"

#include <map>
#include <set>

#include "levin/error.hpp"

namespace levin::learning_rate_monitor {
namespace {

void refuse_duplicates(const Optimizer& optimizer) {
  std::set<std::string> seen;
  for (const std::string& group : optimizer.groups)
    if (!group.empty() && !seen.insert(group).second)
      throw Error(LEVIN_E_INVALID, "two parameter groups of " + optimizer.name + " are named '" + group +
                                       "': their learning rates need different names");
}

}  // namespace

std::vector<std::vector<std::string>> names(const std::vector<Optimizer>& optimizers, const std::string& prefix) {
  std::vector<std::vector<std::string>> out;
  std::map<std::string, int> seen;  // number of optimizers without a label that have this name
  for (const Optimizer& optimizer : optimizers) {
    refuse_duplicates(optimizer);
    std::string base = prefix + (optimizer.label.empty() ? "lr-" + optimizer.name : optimizer.label);
    if (optimizer.label.empty()) ++seen[optimizer.name];
    const int count = seen[optimizer.name];
    if (count > 1) base += "-" + std::to_string(count - 1);
    out.emplace_back();
    for (size_t i = 0; i < optimizer.groups.size(); ++i) {
      const std::string& group = optimizer.groups[i];
      const std::string number = optimizer.groups.size() > 1 ? "/pg" + std::to_string(i + 1) : "";
      out.back().push_back(base + (group.empty() ? number : "/" + group));
    }
  }
  return out;
}

bool logs_at(const std::string& moment, const std::string& own_interval, const std::string& wanted_interval) {
  if (!wanted_interval.empty()) return moment == wanted_interval;
  return own_interval.empty() || own_interval == moment;
}

}  // namespace levin::learning_rate_monitor
