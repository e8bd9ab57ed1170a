// The readers of the formats, and what they share.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.hpp"

namespace levin::core::config_files {

JsonDocument parse_yaml(std::string_view text, const std::string& name);
JsonDocument parse_toml(std::string_view text, const std::string& name);

// From 1.
struct Position {
  int line, column;
};

// Builds a document member by member, in any order.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(const std::string& name) : name_(name) {}

  // Adds a key, whose path is joined by "/", at its place in the file; also an element of a list, whose key is its
  // number from 0.
  void add_key(const std::string& path, Position at);
  // Counts a value. Refuses values that are nested too deeply, and too many of them: a short text with aliases can
  // stand for very many.
  void count_value(int depth, Position at);
  // Counts a text likewise.
  void count_text(size_t bytes, Position at);
  JsonDocument finish(nlohmann::json value);
  // Throws Error{usage} that names the file, the line and the column.
  [[noreturn]] void fail(Position at, const std::string& what) const;

 private:
  const std::string& name_;
  std::map<std::string, Position> keys_;
  size_t values_ = 0, text_bytes_ = 0;
};

inline std::string joined_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "/" + key;
}

}  // namespace levin::core::config_files
