// The suites by name. A suite's source registers itself:
//   const SuiteEntry val_schedule("val_schedule", [](const Case& c) { ...; return outcome; });
#pragma once
#include <functional>
#include <map>
#include <string>

#include "conformance/harness/compare.hpp"

namespace conformance {

// May throw; levin::core::Error means that the call under test failed.
using Suite = std::function<Outcome(const Case&)>;

const std::map<std::string, Suite>& suites();

struct SuiteEntry {
  SuiteEntry(const char* name, Suite suite);
};

// Runs the case's suite and returns the verdict. Does not throw if the suite does.
Result run_case(const Case& c);

}  // namespace conformance
