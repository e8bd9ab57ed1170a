// The case file: the observed behaviour of Lightning, case by case.
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
  std::string why;                      // why Levin deviates by decision
  std::vector<std::string> may_filter;  // as in SuiteInfo
  ordered_json written;                 // the inputs in the order of the file, for suites where the order matters
};

struct SuiteInfo {
  std::string name, kind;  // "run" or "pure"
  std::vector<std::string>
      may_filter;  // patterns of events that may be removed from both sides, e.g. "lm.train", "*.state_dict"
};

struct CaseFile {
  std::vector<SuiteInfo> suites;
  std::vector<Case> cases;
  const SuiteInfo* suite(const std::string& name) const;  // nullptr = the file does not describe the suite
};

// Throws levin::core::Error if the file cannot be read or does not match the schema.
CaseFile read_case_file(const std::filesystem::path& path);

}  // namespace conformance
