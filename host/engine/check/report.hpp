// The verdicts of host check, printed as they fall.
#pragma once
#include <functional>
#include <string>

namespace levin::core {

// Thrown by a rule that does not apply; its text is the reason.
struct Skip {
  std::string reason;
};

class Report {
 public:
  // Runs the rule. It fails by throwing anything else than Skip, or by returning a text; "" holds.
  using Rule = std::function<std::string()>;
  bool check(int number, const std::string& what, const Rule& rule);
  void heading(const std::string& text) const;
  void summary() const;
  int failed() const { return failed_; }

 private:
  int passed_ = 0, failed_ = 0, skipped_ = 0;
};

}  // namespace levin::core
