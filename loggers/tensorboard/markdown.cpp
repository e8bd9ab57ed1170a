#include "markdown.hpp"

#include <nlohmann/json.hpp>

namespace levin::tensorboard {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return out;
}

std::string line(const Json& cells) {
  std::string out = "|";
  for (const Json& value : cells) out += " " + cell(value) + " |";
  return out + "\n";
}

}  // namespace

std::string markdown_table(const std::string& json) {
  const Json table = Json::parse(json);
  const Json& columns = table.at("columns");
  std::string out = line(columns) + "|";
  for (size_t i = 0; i < columns.size(); ++i) out += " --- |";
  out += "\n";
  for (const Json& row : table.at("rows")) out += line(row);
  return out;
}

std::string markdown_run(const std::string& name, const std::vector<std::string>& tags) {
  std::string out = name.empty() ? "" : "**" + cell(name) + "**";
  for (const std::string& tag : tags) out += (out.empty() ? "" : " ") + ("`" + cell(tag) + "`");
  return out;
}

std::string markdown_code(const std::string& json) { return "```json\n" + Json::parse(json).dump(2) + "\n```"; }

}  // namespace levin::tensorboard
