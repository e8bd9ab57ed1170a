// Runs rules, in the process that may crash, and tells what each one found.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "host/engine/check/common/finding.hpp"

namespace levin::core {

// Thrown by a rule that does not apply.
struct Skip {
  std::string reason;
};

class Report {
 public:
  // A rule holds if it returns "". It fails if it returns a text or throws anything but Skip.
  using Rule = std::function<std::string()>;
  using Tell = std::function<void(const Finding&)>;
  // known: the verdicts of an earlier process, which crashed after them. Their rules are not tried again.
  // begins, ends: told the rule that is about to be tried, and its verdict.
  Report(std::vector<Finding> known, Tell begins, Tell ends)
      : known_(std::move(known)), begins_(std::move(begins)), ends_(std::move(ends)) {}

  bool check(int number, const std::string& what, const Rule& rule);  // runs the rule; true: it holds
  // The same for a rule that makes what later rules need, so that it is run again in a process that goes on.
  bool prepare(int number, const std::string& what, const Rule& rule);

 private:
  const Finding* next_known();
  std::vector<Finding> known_;
  size_t next_ = 0;
  Tell begins_, ends_;
};

}  // namespace levin::core
