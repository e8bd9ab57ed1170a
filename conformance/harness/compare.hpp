// What was seen against what is expected.
#pragma once
#include <optional>
#include <string>

#include "conformance/harness/case_file.hpp"

namespace conformance {

// What a suite saw when it ran a case.
struct Outcome {
  json seen = json::object();        // by the keys of `expected`
  std::optional<std::string> error;  // the call failed with this message
  std::optional<json> expected;      // where the suite's rules of comparing change that side too
  std::string decided;               // Levin decides otherwise: the ADR and its reason; counts where something differs
  std::string not_applicable;        // the case asks for something that Levin does not have, because ...
};

enum class Verdict { pass, fail, deviates, not_applicable };
const char* name_of(Verdict verdict);

struct Result {
  Verdict verdict = Verdict::fail;
  std::string reason;  // what differed, or why the case is not counted; "" for a pass
};

// The first difference, as "where: expected ..., seen ..."; "" where there is none. Numbers agree within a relative
// 1e-5 or an absolute 1e-6; NaN and infinities are texts.
std::string difference(const json& expected, const json& seen, const std::string& where = "");

Result judge(const Case& c, const Outcome& outcome);

}  // namespace conformance
