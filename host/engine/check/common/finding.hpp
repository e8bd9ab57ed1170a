// The result of a rule of `host check`.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

enum class Result { pass, fail, skip };

struct Finding {
  int rule = 0;
  std::string what;  // what has to hold
  Result result = Result::pass;
  std::string text;  // what was found, or why the rule was skipped
};

const char* name_of(Result result);  // "PASS", "FAIL", "SKIP"
nlohmann::json to_json(const Finding& verdict);
Finding finding_from_json(const nlohmann::json& json);

}  // namespace levin::core
