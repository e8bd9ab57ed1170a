// Compares the outcome of a case with the expected one.
#pragma once
#include <optional>
#include <string>

#include "conformance/harness/case_file.hpp"

namespace conformance {

// What a suite observed when it ran a case.
struct Outcome {
  json seen = json::object();        // keyed like `expected`
  std::optional<std::string> error;  // message of the failed call
  std::optional<json> expected;      // replaces the case's `expected` where the suite's comparison rules change it
  std::string decided;         // ADR and reason, where Levin deviates by decision; used only if there is a difference
  std::string not_applicable;  // why the feature that the case tests does not exist in Levin
};

enum class Verdict { pass, fail, deviates, not_applicable };
const char* name_of(Verdict verdict);

struct Result {
  Verdict verdict = Verdict::fail;
  std::string reason;  // the difference, or why the case is not counted; empty = pass
};

// Returns the first difference as "where: expected ..., seen ...", or "". Numbers are equal within a relative 1e-5 or
// an absolute 1e-6. NaN and infinities are texts.
std::string difference(const json& expected, const json& seen, const std::string& where = "");

Result judge(const Case& c, const Outcome& outcome);

}  // namespace conformance
