// The suites that can be run, by name. A suite's source adds itself:
//   const SuiteEntry val_schedule("val_schedule", [](const Case& c) { ...; return outcome; });
#pragma once
#include <functional>
#include <map>
#include <string>

#include "conformance/harness/compare.hpp"

namespace conformance {

// May throw: levin::core::Error is the failure of the call under test.
using Suite = std::function<Outcome(const Case&)>;

const std::map<std::string, Suite>& suites();

struct SuiteEntry {
  SuiteEntry(const char* name, Suite suite);
};

// The verdict on one case, whatever its suite does.
Result run_case(const Case& c);

}  // namespace conformance
