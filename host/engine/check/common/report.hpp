// The rules of `host check`: runs them in the process that may crash, and reports the result of each.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/enum_names.hpp"

namespace levin::core {

enum class Result { pass, fail, skip };
template <>
inline constexpr auto enum_names<Result> = std::array{"PASS", "FAIL", "SKIP"};
NLOHMANN_JSON_SERIALIZE_ENUM(Result, {{Result::pass, "PASS"}, {Result::fail, "FAIL"}, {Result::skip, "SKIP"}})

struct Finding {
  int rule = 0;
  std::string what;  // what has to hold
  Result result = Result::pass;
  std::string text;  // what was found, or why the rule was skipped
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, rule, what, result, text)

// A rule throws Skip if it does not apply.
struct Skip {
  std::string reason;
};

class Report {
 public:
  // A rule holds if it returns "". It fails if it returns a text or throws anything but Skip.
  using Rule = std::function<std::string()>;
  using Tell = std::function<void(const Finding&)>;
  // known: the findings of an earlier process that crashed; their rules are not run again. begins, ends: called with
  // the rule before it runs, and with its result.
  Report(std::vector<Finding> known, Tell begins, Tell ends)
      : known_(std::move(known)), begins_(std::move(begins)), ends_(std::move(ends)) {}

  bool check(int number, const std::string& what, const Rule& rule);  // runs the rule; true = it holds
  // Like check(), for a rule that creates what later rules need. It runs again in a process that continues after a
  // crash.
  bool prepare(int number, const std::string& what, const Rule& rule);

 private:
  const Finding* next_known();
  std::vector<Finding> known_;
  size_t next_ = 0;
  Tell begins_, ends_;
};

}  // namespace levin::core
