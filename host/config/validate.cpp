#include <algorithm>
#include <cstdio>
#include <regex>
#include <tuple>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host/config/mistakes.hpp"
#include "host/config/verbs.hpp"

namespace levin::core::config {
namespace {

using nlohmann::json;

// A message that begins with its place, as the host's messages on files do: "run.yaml:3:5: ...".
struct PlacedMessage {
  std::string file, text;  // the file is "" where the message names no place
  int line = 0, column = 0;
};

PlacedMessage placed(const std::string& message) {
  static const std::regex place("^([^ ]*[^ :]):([0-9]{1,9}):([0-9]{1,9}): ([^]*)$");
  std::smatch parts;
  if (message.size() > 10000 || !std::regex_match(message, parts, place)) return {"", message};
  return {parts[1], parts[4], std::stoi(parts[2]), std::stoi(parts[3])};
}

// file: the file that is checked, for a message without a place.
json to_row(const std::string& message, const char* severity, const std::string& file) {
  const PlacedMessage parts = placed(message);
  json row = {{"severity", severity}, {"message", parts.text}, {"file", parts.file.empty() ? file : parts.file}};
  if (!parts.file.empty()) row.update({{"line", parts.line}, {"column", parts.column}});
  return row;
}

json to_row(const Error& error, const std::string& file) {
  json row = to_row(error.what(), "error", file);
  row["code"] = text_of(error.code());
  return row;
}

std::string to_line(const std::string& message, const std::string& file) {
  const bool names_file = message.find(file) != std::string::npos || !placed(message).file.empty();
  return printable(names_file ? message : file + ": " + message);
}

// Does not stop at a folder that is no run.
Mistakes mistakes_in(const std::string& name, const std::vector<std::string>& options) {
  std::string file;
  try {
    file = config_file_of(name);
  } catch (const Error& error) {
    return {{error}, {}};
  }
  return mistakes_of(file, options);
}

std::string in_words(size_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

int validate(const ConfigArguments& arguments) {
  const bool as_json = arguments.has("json");
  if (arguments.names.empty())
    throw Error(ErrorCode::argument_missing, "host config validate: name a file; usage: host config validate FILE ...");
  json rows = json::array();
  int code = 0;
  for (const std::string& name : arguments.names) {
    Mistakes found = mistakes_in(name, arguments.options);
    const auto earlier = [](const Error& a, const Error& b) {
      const PlacedMessage x = placed(a.what()), y = placed(b.what());
      return std::make_tuple(x.file, x.line, x.column) < std::make_tuple(y.file, y.line, y.column);
    };
    std::stable_sort(found.errors.begin(), found.errors.end(), earlier);
    if (code == 0 && !found.errors.empty()) code = found.errors.front().exit_code();
    if (as_json) {
      for (const Error& error : found.errors) rows.push_back(to_row(error, name));
      for (const std::string& remark : found.remarks) rows.push_back(to_row(remark, "warning", name));
      continue;
    }
    for (const Error& error : found.errors) std::printf("%s\n", to_line(error.what(), name).c_str());
    for (const std::string& remark : found.remarks) std::printf("warning: %s\n", to_line(remark, name).c_str());
    std::printf("%s: %s\n", printable(name).c_str(),
                found.errors.empty() ? "valid" : in_words(found.errors.size(), "error").c_str());
  }
  if (as_json) std::printf("%s\n", rows.dump(2, ' ', false, json::error_handler_t::replace).c_str());
  return code;
}

}  // namespace levin::core::config
