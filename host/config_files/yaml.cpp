#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>

#include "core/base/characters.hpp"
#include "core/base/text.hpp"
#include "host/config_files/formats.hpp"

namespace levin::core::config_files {
namespace {

using nlohmann::json;

// A value without quotation marks, by the core schema of YAML 1.2. So 1e-3 is a number, and yes, no, on and off are
// texts.
json plain_value(const std::string& text) {
  static const std::regex whole("[-+]?[0-9]+"), hexadecimal("0x[0-9a-fA-F]+"), octal("0o[0-7]+"),
      decimal("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return "nan";
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return "inf";
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return "-inf";
  if (std::string_view("+-.0123456789").find(text[0]) == std::string_view::npos || text.size() > 100) return text;
  errno = 0;
  const bool is_hexadecimal = std::regex_match(text, hexadecimal), is_octal = std::regex_match(text, octal);
  if (is_hexadecimal || is_octal || std::regex_match(text, whole)) {
    const long long value = is_hexadecimal ? std::strtoll(text.c_str() + 2, nullptr, 16)
                            : is_octal     ? std::strtoll(text.c_str() + 2, nullptr, 8)
                                           : std::strtoll(text.c_str(), nullptr, 10);
    if (errno == 0) return static_cast<int64_t>(value);
    return text;  // too large for an option: its check says so
  }
  if (std::regex_match(text, decimal)) return number_to_json(std::strtod(text.c_str(), nullptr));
  return text;
}

// Returns true if the quotation mark at this place has its counterpart. Returns true for other characters.
bool is_closed(const std::vector<std::string>& lines, size_t line, size_t column) {
  if (line >= lines.size() || column >= lines[line].size()) return true;
  const char quote = lines[line][column];
  if (quote != '"' && quote != '\'') return true;
  for (++column; line < lines.size(); ++line, column = 0)
    for (const std::string& text = lines[line]; column < text.size(); ++column) {
      const bool doubled = quote == '\'' && text.compare(column, 2, "''") == 0;
      if (doubled || (quote == '"' && text[column] == '\\'))
        ++column;
      else if (text[column] == quote)
        return true;
    }
  return false;
}

// Finds what yaml-cpp does not say: where the last document began, a quotation mark that is not closed, for which it
// takes the rest of the file for its text, and the bracket that is open where it stops.
class FirstPass : public YAML::EventHandler {
 public:
  explicit FirstPass(const std::vector<std::string>& lines) : lines_(lines) {}
  const YAML::Mark& document() const { return document_; }
  const std::optional<YAML::Mark>& unclosed() const { return unclosed_; }
  // Of mappings and lists, also those without brackets.
  const std::vector<YAML::Mark>& open() const { return open_; }

  void OnDocumentStart(const YAML::Mark& mark) override { document_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override {
    if (!unclosed_ && !is_closed(lines_, static_cast<size_t>(mark.line), static_cast<size_t>(mark.column)))
      unclosed_ = mark;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back(mark);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back(mark);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  const std::vector<std::string>& lines_;
  YAML::Mark document_;
  std::optional<YAML::Mark> unclosed_;
  std::vector<YAML::Mark> open_;
};

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& name)
      : builder_(name), lines_(split(text, '\n')), pass_(lines_) {}

  JsonDocument read(std::string_view text) {
    check_one_document(text);
    const YAML::Node document = YAML::Load(std::string(text));
    if (document.IsNull()) return builder_.finish(json::object());  // comments alone
    if (!document.IsMap()) builder_.fail({1, 1}, "a configuration is a YAML mapping, such as `model: mlp`");
    return builder_.finish(value_of(document, "", 0));
  }
  [[noreturn]] void fail(const YAML::Exception& error) const {
    refuse_tab(error.mark);
    const bool has_open = is_one_of(error.msg, {YAML::ErrorMsg::END_OF_MAP_FLOW, YAML::ErrorMsg::END_OF_SEQ_FLOW});
    if (has_open && !pass_.open().empty())
      builder_.fail(position_of(pass_.open().back()), "this bracket is not closed");
    const bool has_place = !error.mark.is_null();
    const bool is_deep = error.msg == YAML::ErrorMsg::BAD_FILE;  // of a text it means nothing else
    builder_.fail(has_place ? position_of(error.mark) : Position{1, 1},
                  is_deep ? "values are nested too deeply" : "this is no YAML: " + error.msg);
  }

 private:
  void check_one_document(std::string_view text) {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    // YAML::LoadAll never ends where a comma follows a document.
    const bool has_second = parser.HandleNextDocument(pass_) && !pass_.unclosed() && parser.HandleNextDocument(pass_);
    if (pass_.unclosed()) builder_.fail(position_of(*pass_.unclosed()), "the quotation mark is not closed");
    if (has_second)
      builder_.fail(position_of(pass_.document()),
                    "the YAML document ends before this; a configuration is one document, without --- in it");
  }

  // Refuses a tab that indents the line of the error, or the line before it.
  void refuse_tab(const YAML::Mark& mark) const {
    for (int line = mark.line; line >= std::max(0, mark.line - 1); --line) {
      if (static_cast<size_t>(line) >= lines_.size()) continue;
      const std::string& text = lines_[static_cast<size_t>(line)];
      const size_t tab = text.find('\t');
      if (tab != std::string::npos && tab == text.find_first_not_of(' '))
        builder_.fail({line + 1, static_cast<int>(tab) + 1},
                      "a tab indents this line, which YAML does not allow; use spaces");
    }
  }

  json value_of(const YAML::Node& node, const std::string& path, int depth) {
    builder_.count_value(depth, position_of(node.Mark()));
    check_tag(node);
    if (node.IsMap()) return map_of(node, path, depth);
    if (node.IsSequence()) {
      json out = json::array();
      for (const YAML::Node& element : node) {
        const std::string inner = joined_path(path, std::to_string(out.size()));
        builder_.add_key(inner, position_of(element.Mark()));
        out.push_back(value_of(element, inner, depth + 1));
      }
      return out;
    }
    if (!node.IsScalar()) return nullptr;
    builder_.count_text(node.Scalar().size(), position_of(node.Mark()));
    if (!is_utf8(node.Scalar())) builder_.fail(position_of(node.Mark()), "the text is not UTF-8");
    if (node.Tag() == "!" || ends_with(node.Tag(), ":str")) return node.Scalar();
    json value = plain_value(node.Scalar());
    if (!is_one_of(node.Tag(), {"?", "tag:yaml.org,2002:float"}) && value.is_string())
      builder_.fail(position_of(node.Mark()), "'" + node.Scalar() + "' is not what its tag says");
    return value;
  }

  json map_of(const YAML::Node& node, const std::string& path, int depth) {
    json out = json::object();
    for (const auto& member : node) {
      const Position at = position_of(member.first.Mark());
      if (!member.first.IsScalar()) builder_.fail(at, "a key is a word, not a list or a mapping");
      const std::string& key = member.first.Scalar();
      if (!is_utf8(key)) builder_.fail(at, "the key is not UTF-8");
      if (key == "<<")
        builder_.fail(at, "merge keys (<<) are not read; write the values out, or give two files to --config");
      if (out.contains(key)) builder_.fail(at, "'" + key + "' is given twice");
      const std::string inner = joined_path(path, key);
      builder_.add_key(inner, at);
      out[key] = value_of(member.second, inner, depth + 1);
    }
    return out;
  }

  void check_tag(const YAML::Node& node) const {
    const std::string& tag = node.Tag();
    if (is_one_of(tag, {"", "?", "!"})) return;
    const std::string standard = "tag:yaml.org,2002:";
    const std::string type = starts_with(tag, standard) ? tag.substr(standard.size()) : "";
    if (is_one_of(type, {"str", "int", "float", "bool", "null", "map", "seq"})) return;
    builder_.fail(position_of(node.Mark()), "the tag " + tag +
                                                " is not read; a value is a text, a number, true, false, "
                                                "null, a list or a mapping");
  }

  // yaml-cpp counts bytes.
  Position position_of(const YAML::Mark& mark) const {
    const auto line = static_cast<size_t>(std::max(mark.line, 0)),
               column = static_cast<size_t>(std::max(mark.column, 0));
    const std::string_view before = line < lines_.size() ? std::string_view(lines_[line]).substr(0, column) : "";
    return {mark.line + 1, mark.column + 1 - static_cast<int>(before.size() - characters_in(before))};
  }

  DocumentBuilder builder_;
  const std::vector<std::string> lines_;
  FirstPass pass_;
};

}  // namespace

JsonDocument parse_yaml(std::string_view text, const std::string& name) {
  YamlReader reader(text, name);
  try {
    return reader.read(text);
  } catch (const YAML::Exception& error) {
    reader.fail(error);
  }
}

}  // namespace levin::core::config_files
