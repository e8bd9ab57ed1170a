// Prints the verdicts of `host check` as soon as they are known.
#pragma once
#include <functional>
#include <string>

namespace levin::core {

// Thrown by a rule that does not apply.
struct Skip {
  std::string reason;
};

class Report {
 public:
  // A rule holds if it returns "". It fails if it returns a text or throws anything but Skip.
  using Rule = std::function<std::string()>;
  bool check(int number, const std::string& what, const Rule& rule);  // runs the rule; true: it holds
  void heading(const std::string& text) const;
  void summary() const;
  int failed() const { return failed_; }

 private:
  int passed_ = 0, failed_ = 0, skipped_ = 0;
};

}  // namespace levin::core
