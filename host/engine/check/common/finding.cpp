#include "host/engine/check/common/finding.hpp"

namespace levin::core {

const char* name_of(Result result) {
  constexpr const char* names[] = {"PASS", "FAIL", "SKIP"};
  return names[static_cast<int>(result)];
}

nlohmann::json to_json(const Finding& v) {
  return {{"rule", v.rule}, {"what", v.what}, {"result", name_of(v.result)}, {"text", v.text}};
}

Finding finding_from_json(const nlohmann::json& json) {
  Finding v{json.at("rule").get<int>(), json.at("what").get<std::string>(), Result::pass,
            json.at("text").get<std::string>()};
  for (const Result result : {Result::fail, Result::skip})
    if (json.at("result") == name_of(result)) v.result = result;
  return v;
}

}  // namespace levin::core
