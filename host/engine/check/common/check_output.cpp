#include "host/engine/check/common/check_output.hpp"

#include <cstdio>

namespace levin::core {

CheckOutput::CheckOutput(const std::string& file, const PluginSchema& schema, bool as_json) : as_json_(as_json) {
  const std::string abi = std::to_string(schema.abi_major) + "." + std::to_string(schema.abi_minor);
  document_ = {{"file", file},
               {"plugin", schema.id},
               {"version", schema.version},
               {"abi", abi},
               {"torch", schema.torch},
               {"rules", nlohmann::json::array()},
               {"components", nlohmann::json::array()}};
  if (as_json_) return;
  std::printf("%s %s, ABI %s, %s\n", schema.id.c_str(), schema.version.c_str(), abi.c_str(),
              schema.torch == "none" ? "no LibTorch" : ("LibTorch " + schema.torch).c_str());
}

void CheckOutput::component(const ComponentSchema& schema) {
  const char* kind = kind_name(schema.kind);
  document_["components"].push_back({{"kind", kind}, {"id", schema.id}, {"rules", nlohmann::json::array()}});
  if (!as_json_) std::printf("%s %s\n", kind, schema.id.c_str());
}

void CheckOutput::verdict(const Finding& v) {
  ++counts_[static_cast<int>(v.result)];
  nlohmann::json& of = document_["components"].empty() ? document_ : document_["components"].back();
  of["rules"].push_back(to_json(v));
  if (as_json_) return;
  std::printf("  %2d %s %s%s%s\n", v.rule, name_of(v.result), v.what.c_str(), v.text.empty() ? "" : ": ",
              v.text.c_str());
  std::fflush(stdout);
}

void CheckOutput::noise(const std::string& text) const { std::fprintf(stderr, "%s", text.c_str()); }

void CheckOutput::end() {
  const int pass = counts_[0], fail = counts_[1], skip = counts_[2];
  document_["hold"] = pass, document_["fail"] = fail, document_["skipped"] = skip;
  if (as_json_)
    std::printf("%s\n", document_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  else
    std::printf("%d hold, %d fail, %d skipped\n", pass, fail, skip);
}

}  // namespace levin::core
