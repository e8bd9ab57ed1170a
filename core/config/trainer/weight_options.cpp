#include "core/config/trainer/weight_options.hpp"

#include "core/config/option_values.hpp"

namespace levin::core {
namespace {

std::vector<OptionSchema> weight_table() {
  OptionSchema from = json_option("init_from", nullptr,
                                  "initial weights of a fit: a file of PyTorch (.pt, .pth), Lightning (.ckpt), "
                                  "safetensors or a checkpoint; ignored on resume");
  from.type = LEVIN_T_PATH;
  OptionSchema match =
      choice_option("init_match", {"strict", "fitting"},
                    "strict = names and shapes must equal the model's; fitting = load the tensors that match");
  return {nullable(std::move(from)), std::move(match),
          json_option("init_map", nlohmann::json::object(),
                      "prefixes of the file's names to replace: {\"module.\": \"\", \"head.\": null}; null = leave "
                      "these tensors out")};
}

}  // namespace

const std::vector<OptionSchema>& weight_options() {
  static const std::vector<OptionSchema> table = weight_table();
  return table;
}

InitWeights init_weights_from(const nlohmann::json& values) {
  InitWeights out;
  const auto value = [&values](const char* name) {
    return values.is_object() ? values.value(name, nlohmann::json()) : nlohmann::json();
  };
  if (const auto from = value("init_from"); from.is_string()) out.from = from.get<std::string>();
  out.strict = value("init_match") != "fitting";
  if (const auto map = value("init_map"); map.is_object()) out.map = map;
  return out;
}

}  // namespace levin::core
