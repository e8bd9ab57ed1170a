#include "host/engine/check/common/report.hpp"

#include "core/abi/failure.hpp"

namespace levin::core {
namespace {

Finding judge(int number, const std::string& what, const Report::Rule& rule) {
  Finding verdict{number, what, Result::pass, ""};
  try {
    verdict.text = rule();
    if (!verdict.text.empty()) verdict.result = Result::fail;
  } catch (const Skip& skip) {
    verdict.result = Result::skip;
    verdict.text = skip.reason;
  } catch (const std::exception& e) {
    verdict.result = Result::fail;
    verdict.text = brief(e);
  }
  return verdict;
}

}  // namespace

const Finding* Report::next_known() { return next_ < known_.size() ? &known_[next_++] : nullptr; }

bool Report::check(int number, const std::string& what, const Rule& rule) {
  if (const Finding* known = next_known()) return known->result == Result::pass;
  begins_({number, what, Result::pass, ""});
  const Finding verdict = judge(number, what, rule);
  ends_(verdict);
  return verdict.result == Result::pass;
}

bool Report::prepare(int number, const std::string& what, const Rule& rule) {
  const bool again = next_ < known_.size();
  const bool holds = check(number, what, rule);
  if (!again || !holds) return holds;
  const Finding anew = judge(number, what, rule);
  return anew.result == Result::pass;
}

}  // namespace levin::core
