#include "host/config_files/config_file.hpp"

#include <algorithm>

#include "core/base/characters.hpp"
#include "core/base/text.hpp"
#include "host/config_files/formats.hpp"

namespace levin::core {
namespace {

struct Format {
  const char* ending;
  ConfigFormat format;
  JsonDocument (*parse)(std::string_view text, const std::string& name);
};

constexpr Format formats[] = {{".yaml", ConfigFormat::yaml, &config_files::parse_yaml},
                              {".yml", ConfigFormat::yaml, &config_files::parse_yaml},
                              {".toml", ConfigFormat::toml, &config_files::parse_toml}};

const Format* format_of(const std::string& name) {
  const std::string file = lower(name);
  for (const Format& format : formats)
    if (ends_with(file, format.ending)) return &format;
  return nullptr;
}

// A NUL would end a message or a file name in its middle.
void refuse_nul(const JsonDocument& document, const nlohmann::json& value, const std::string& path,
                const std::string& name) {
  const auto check = [&](const std::string& text, const std::string& at) {
    if (text.find('\0') != std::string::npos)
      throw Error(ErrorCode::file_content_invalid,
                  document.place_text(name, at) + ": a text has a NUL character, which no option takes");
  };
  if (value.is_string()) check(value.get_ref<const std::string&>(), path);
  if (!value.is_structured()) return;
  for (const auto& item : value.items()) {
    const std::string inner = config_files::joined_path(path, item.key());
    check(item.key(), inner);
    refuse_nul(document, item.value(), inner, name);
  }
}

}  // namespace

JsonDocument parse_config(std::string_view text, const std::string& name) {
  if (text.size() > max_config_bytes)
    throw Error(ErrorCode::file_content_invalid, name + ": the file has more than " +
                                                     std::to_string(max_config_bytes >> 20) +
                                                     " MiB, which no configuration needs");
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const std::string_view before = text.substr(0, nul), line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto lines = std::count(before.begin(), before.end(), '\n');
    throw Error(ErrorCode::file_syntax, name + ":" + std::to_string(lines + 1) + ":" +
                                            std::to_string(characters_in(line) + 1) +
                                            ": here is a NUL character, which no text has");
  }
  const Format* format = format_of(name);
  JsonDocument document = format != nullptr ? format->parse(text, name) : parse_json_document(text, name);
  refuse_nul(document, document.value, "", name);
  return document;
}

ConfigFormat format_named(const std::string& name) {
  const Format* format = format_of(name);
  return format != nullptr ? format->format : ConfigFormat::json;
}

namespace config_files {

constexpr int max_depth = 100;
constexpr size_t max_values = 20000;
constexpr size_t max_text_bytes = size_t{16} << 20;

void DocumentBuilder::add_key(const std::string& path, Position at) { keys_.emplace(path, at); }

void DocumentBuilder::count_value(int depth, Position at) {
  if (depth > max_depth) fail(at, "values are nested deeper than " + std::to_string(max_depth) + " levels");
  if (++values_ > max_values) fail(at, "there are more than " + std::to_string(max_values) + " values");
}

void DocumentBuilder::count_text(size_t bytes, Position at) {
  text_bytes_ += bytes;
  if (text_bytes_ > max_text_bytes)
    fail(at, "the texts have more than " + std::to_string(max_text_bytes >> 20) + " MiB");
}

JsonDocument DocumentBuilder::finish(nlohmann::json value) {
  std::vector<std::pair<std::pair<int, int>, std::string>> ordered;
  for (const auto& [path, at] : keys_) ordered.push_back({{at.line, at.column}, path});
  std::sort(ordered.begin(), ordered.end());
  JsonDocument out;
  out.value = std::move(value);
  for (const auto& [at, path] : ordered)
    out.places.emplace(path, KeyPlace{at.first, at.second, static_cast<int>(out.places.size())});
  return out;
}

void DocumentBuilder::fail(Position at, const std::string& what) const {
  throw Error(ErrorCode::file_syntax,
              name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what);
}

}  // namespace config_files
}  // namespace levin::core
