// The file of cases: what Lightning does, case by case.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace conformance {

using nlohmann::json;
using nlohmann::ordered_json;

struct Case {
  std::string id, suite;
  json inputs, expected;
  bool deviates = false;
  std::string why;                      // Levin decides otherwise
  std::vector<std::string> may_filter;  // of its suite
  ordered_json written;                 // inputs in the order of the file, where that has a meaning
};

struct SuiteInfo {
  std::string name, kind;               // "run" or "pure"
  std::vector<std::string> may_filter;  // events that may be left out of both sides: "lm.train", "*.state_dict"
};

struct CaseFile {
  std::vector<SuiteInfo> suites;
  std::vector<Case> cases;
  const SuiteInfo* suite(const std::string& name) const;  // nullptr: not described
};

// Throws levin::core::Error for a file that cannot be read or does not have the schema.
CaseFile read_case_file(const std::filesystem::path& path);

}  // namespace conformance
