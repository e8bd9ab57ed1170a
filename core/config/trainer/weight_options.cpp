#include "core/config/trainer/weight_options.hpp"

#include "core/config/option_values.hpp"

namespace levin::core {
namespace {

std::vector<OptionSchema> weight_table() {
  OptionSchema from =
      json_option("init_from", nullptr,
                  "start a fit from the weights in this file: of PyTorch (.pt, .pth), Lightning (.ckpt), "
                  "safetensors or a checkpoint; a resume does not read it again");
  from.type = LEVIN_T_PATH;
  OptionSchema match = choice_option("init_match", {"strict", "fitting"},
                                     "strict: names and shapes have to be the model's; fitting: take those that are");
  return {
      nullable(std::move(from)), std::move(match),
      json_option("init_map", nlohmann::json::object(),
                  "other beginnings of the file's names: {\"module.\": \"\", \"head.\": null}; null leaves them out")};
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
