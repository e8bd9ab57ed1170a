#include <toml++/toml.h>
#include <sstream>

#include "core/base/text.hpp"
#include "host/config_files/formats.hpp"

namespace levin::core::config_files {
namespace {

using nlohmann::json;

Position position_of(const toml::source_region& source) {
  return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

class TomlReader {
 public:
  explicit TomlReader(const std::string& name) : builder_(name) {}

  JsonDocument read(std::string_view text) {
    try {
      return builder_.finish(table(toml::parse(text), "", 0));
    } catch (const toml::parse_error& error) {
      builder_.fail(position_of(error.source()), "this is no TOML: " + std::string(error.description()));
    }
  }

 private:
  json table(const toml::table& members, const std::string& path, int depth) {
    json out = json::object();
    for (const auto& [key, member] : members) {
      const std::string inner = joined_path(path, std::string(key.str()));
      builder_.add_key(inner, position_of(key.source()));
      out[std::string(key.str())] = value(member, inner, depth + 1);
    }
    return out;
  }

  json value(const toml::node& node, const std::string& path, int depth) {
    builder_.count_value(depth, position_of(node.source()));
    if (const toml::table* members = node.as_table()) return table(*members, path, depth);
    if (const toml::array* elements = node.as_array()) {
      json out = json::array();
      for (const toml::node& element : *elements)
        out.push_back(value(element, joined_path(path, std::to_string(out.size())), depth + 1));
      return out;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* number = node.as_floating_point()) return number_to_json(number->get());
    builder_.fail(position_of(node.source()), "dates and times are not read; put the text in quotation marks");
  }

  DocumentBuilder builder_;
};

}  // namespace

JsonDocument parse_toml(std::string_view text, const std::string& name) { return TomlReader(name).read(text); }

}  // namespace levin::core::config_files
