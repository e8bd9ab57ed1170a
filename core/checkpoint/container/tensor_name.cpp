#include "core/checkpoint/container/tensor_name.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/checkpoint/container/format.hpp"

namespace levin::core {

bool is_pad_name(const std::string& name) { return starts_with(name, pad_prefix); }

bool is_tensor_name(const std::string& name) {
  if (name.empty() || name.size() > max_name_bytes || name == "__metadata__" || is_pad_name(name)) return false;
  return std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string show_name(const std::string& name) {
  using Json = nlohmann::json;
  std::string text = Json(name.substr(0, 200)).dump(-1, ' ', true, Json::error_handler_t::replace);
  text = text.substr(1, text.size() - 2);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return "'" + text + "'";
}

}  // namespace levin::core
