#include "conformance/registry.hpp"

#include "core/base/error.hpp"

namespace conformance {
namespace {

std::map<std::string, Suite>& table() {
  static std::map<std::string, Suite> suites;
  return suites;
}

}  // namespace

const std::map<std::string, Suite>& suites() { return table(); }

SuiteEntry::SuiteEntry(const char* name, Suite suite) { table().emplace(name, std::move(suite)); }

Result run_case(const Case& c) {
  const auto suite = table().find(c.suite);
  if (suite == table().end())
    return c.deviates ? Result{Verdict::deviates, c.why + "; no such suite"} : Result{Verdict::fail, "no such suite"};
  Outcome outcome;
  try {
    outcome = suite->second(c);
  } catch (const levin::core::Error& e) {
    outcome.error = e.what();
  } catch (const std::exception& e) {  // an error of the suite itself, not of the case
    outcome = {};
    outcome.seen = json::object();
    return {c.deviates ? Verdict::deviates : Verdict::fail, std::string("could not be run: ") + e.what()};
  }
  return judge(c, outcome);
}

}  // namespace conformance
