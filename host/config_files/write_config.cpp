#include "host/config_files/write_config.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "host/config_files/config_file.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Lines = std::vector<ConfigLine>;

std::string json_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

bool has_only(const std::string& text, const char* others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [others](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string(others).find(c) != std::string::npos;
  });
}

// A word that YAML reads as the same text: it begins with a letter, and is no null and no bool.
std::string yaml_text(const json& text) {
  const std::string word = text;
  const bool begins = !word.empty() && ((word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z'));
  const bool special = is_one_of(lower(word), {"null", "true", "false", "yes", "no", "on", "off", "y", "n"});
  return begins && !special && has_only(word, "_-./") ? word : json_text(text);
}

std::string yaml_value(const json& value) {
  if (value.is_string()) return yaml_text(value);
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const json& element : value) parts.push_back(yaml_value(element));
    return "[" + join(parts, ", ") + "]";
  }
  if (!value.is_object()) return json_text(value);
  for (const auto& [key, member] : value.items()) parts.push_back(yaml_text(key) + ": " + yaml_value(member));
  return "{" + join(parts, ", ") + "}";
}

// TOML has no delete character in a text.
std::string toml_text(const json& value) { return join(split(json_text(value), '\x7f'), "\\u007f"); }

std::string toml_key(const std::string& key) { return has_only(key, "_-") ? key : toml_text(key); }

bool has_null(const json& value) {
  if (!value.is_structured()) return value.is_null();
  return std::any_of(value.begin(), value.end(), has_null);
}

std::string toml_value(const json& value) {
  if (value.is_null()) return "\"null\"";
  if (!value.is_structured()) return toml_text(value);
  if (has_null(value)) return toml_text(json_text(value));  // options read texts, too
  std::vector<std::string> parts;
  if (value.is_array())
    for (const json& element : value) parts.push_back(toml_value(element));
  else
    for (const auto& [key, member] : value.items()) parts.push_back(toml_key(key) + " = " + toml_value(member));
  return value.is_array() ? "[" + join(parts, ", ") + "]" : "{" + join(parts, ", ") + "}";
}

// Aligns the comments of a section's lines in a column.
class CommentColumn {
 public:
  explicit CommentColumn(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) width_ = std::max(width_, std::min<size_t>(line.size(), 60));
  }
  std::string with(std::string line, const std::string& mark, const std::string& comment) const {
    if (comment.empty()) return line;
    line += std::string(line.size() < width_ ? width_ - line.size() + 2 : 2, ' ');
    return line + mark + comment;
  }

 private:
  size_t width_ = 0;
};

// In an object with lines that are off, these come first, so that each has its comma.
class JsonWriter {
 public:
  std::string write(const ConfigLine& root) {
    out_ = "";
    for (const std::string& note : root.notes) out_ += "// " + note + "\n";
    out_ += "{\n";
    members(root.members, 2);
    return out_ + "}\n";
  }

 private:
  void members(Lines lines, size_t indent) {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const ConfigLine& a, const ConfigLine& b) { return a.is_off && !b.is_off; });
    if (!lines.empty()) lines.back().is_off = false;
    std::vector<std::string> texts;
    const std::string margin(indent, ' ');
    for (size_t i = 0; i < lines.size(); ++i)
      texts.push_back(margin + (lines[i].is_off ? "// " : "") + json_text(lines[i].key) + ": " +
                      (lines[i].value ? json_text(*lines[i].value) : "{") +
                      (lines[i].value && i + 1 < lines.size() ? "," : ""));
    const CommentColumn column(texts);
    for (size_t i = 0; i < lines.size(); ++i) {
      for (const std::string& note : lines[i].notes) out_ += margin + "// " + note + "\n";
      if (!lines[i].value && lines[i].members.empty()) texts[i] += "}" + std::string(i + 1 < lines.size() ? "," : "");
      out_ += column.with(texts[i], "// ", lines[i].comment) + "\n";
      if (lines[i].value || lines[i].members.empty()) continue;
      members(lines[i].members, indent + 2);
      out_ += margin + "}" + (i + 1 < lines.size() ? "," : "") + "\n";
    }
  }
  std::string out_;
};

class YamlWriter {
 public:
  std::string write(const ConfigLine& root) {
    out_ = "";
    for (const std::string& note : root.notes) out_ += "# " + note + "\n";
    members(root.members, 0);
    return out_;
  }

 private:
  void members(const Lines& lines, size_t indent) {
    const std::string margin(indent, ' ');
    std::vector<std::string> texts;
    for (const ConfigLine& line : lines)
      texts.push_back(margin + (line.is_off ? "# " : "") + yaml_text(line.key) + ":" +
                      (line.value             ? " " + yaml_value(*line.value)
                       : line.members.empty() ? " {}"
                                              : ""));
    const CommentColumn column(texts);
    for (size_t i = 0; i < lines.size(); ++i) {
      for (const std::string& note : lines[i].notes) out_ += margin + "# " + note + "\n";
      out_ += column.with(texts[i], "# ", lines[i].comment) + "\n";
      if (!lines[i].value) members(lines[i].members, indent + 2);
    }
  }
  std::string out_;
};

class TomlWriter {
 public:
  std::string write(const ConfigLine& root) {
    out_ = "";
    for (const std::string& note : root.notes) out_ += "# " + note + "\n";
    table(root, "");
    return out_;
  }

 private:
  // In TOML the values of a table come before its tables.
  void table(const ConfigLine& section, const std::string& name) {
    std::vector<const ConfigLine*> values;
    std::vector<std::string> texts;
    for (const ConfigLine& line : section.members) {
      if (!line.value || (line.value->is_null() && name.empty())) continue;
      values.push_back(&line);
      texts.push_back((line.is_off ? "# " : "") + toml_key(line.key) + " = " + toml_value(*line.value));
    }
    if (!name.empty()) out_ += "[" + name + "]\n";
    const CommentColumn column(texts);
    for (size_t i = 0; i < values.size(); ++i) {
      for (const std::string& note : values[i]->notes) out_ += "# " + note + "\n";
      out_ += column.with(texts[i], "# ", values[i]->comment) + "\n";
    }
    for (const ConfigLine& line : section.members) {
      if (line.value) continue;
      out_ += "\n";
      for (const std::string& note : line.notes) out_ += "# " + note + "\n";
      table(line, name.empty() ? toml_key(line.key) : name + "." + toml_key(line.key));
    }
  }
  std::string out_;
};

}  // namespace

std::string write_config(const ConfigLine& root, const std::string& name) {
  switch (format_named(name)) {
    case ConfigFormat::yaml:
      return YamlWriter().write(root);
    case ConfigFormat::toml:
      return TomlWriter().write(root);
    default:
      return JsonWriter().write(root);
  }
}

ConfigLine without_comments(ConfigLine line) {
  line.comment.clear();
  line.notes.clear();
  for (ConfigLine& member : line.members) member = without_comments(std::move(member));
  return line;
}

}  // namespace levin::core
