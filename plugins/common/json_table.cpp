#include "json_table.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "json_text.hpp"

namespace common {
namespace {

using Json = nlohmann::ordered_json;

struct TableEntry {
  Json object;
  uint32_t line;
};

[[noreturn]] void refuse_json(const std::string& place, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, place + ": " + what);
}

constexpr const char* forms = R"(; write [{"file": "a.png", "label": "cat"}, ...] or {"a.png": "cat", ...})";

// Returns "line 2, byte 7" for the byte with this number, counted from 1; in the first line "byte 7".
std::string place_in(const std::string& text, size_t byte) {
  const std::string before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const size_t newline = before.rfind('\n'), begin = newline == before.npos ? 0 : newline + 1;
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return (lines > 0 ? "line " + std::to_string(lines + 1) + ", " : "") + "byte " +
         std::to_string(before.size() - begin + 1);
}

// Returns true if the first two lines are objects.
bool is_of_lines(const std::string& text) {
  const size_t first = text.find('\n'), second = std::min(text.find('\n', first + 1), text.size());
  return first != text.npos && text[0] == '{' && Json::accept(text.substr(0, first)) &&
         Json::accept(text.substr(first + 1, second - first - 1));
}

Json parsed(const std::string& text, const std::string& place) try {
  return parsed_json<Json>(text, place);
} catch (const Json::parse_error& e) {
  if (e.byte > text.size()) refuse_json(place, "this is no JSON: it ends too early");
  refuse_json(place, "this is no JSON from " + place_in(text, e.byte) + " on" +
                         (is_of_lines(text) ? ": it has one object a line, so name it .jsonl" : ""));
} catch (const Json::exception&) {
  refuse_json(place, "this is no JSON");
}

std::vector<TableEntry> entries_of_list(Json list, const std::string& path) {
  std::vector<TableEntry> entries;
  if (list.is_array()) {
    for (Json& object : list) entries.push_back({std::move(object), static_cast<uint32_t>(entries.size() + 1)});
    return entries;
  }
  if (!list.is_object()) refuse_json(path, std::string("it is neither a list of objects nor an object") + forms);
  for (const auto& [file, label] : list.items()) {
    if (label.is_structured()) refuse_json(path, "the value of '" + file + "' is no text and no number" + forms);
    entries.push_back({Json{{"file", file}, {"label", label}}, static_cast<uint32_t>(entries.size() + 1)});
  }
  return entries;
}

std::vector<TableEntry> entries_of_lines(const std::string& text, const std::string& path) {
  std::vector<TableEntry> entries;
  uint32_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    ++line;
    if (one.find_first_not_of(" \t\r") != one.npos)
      entries.push_back({parsed(one, path + ":" + std::to_string(line)), line});
    begin = end + 1;
  }
  return entries;
}

// Appends cells to a table, whose buffer moves while it grows.
class TableWriter {
 public:
  explicit TableWriter(std::string path) { table_.path = std::move(path); }
  void begin_record(uint32_t line) { table_.lines.push_back(line); }
  void add(const std::string& cell) {
    ends_.push_back(table_.buffer.size() + cell.size());
    table_.buffer.insert(table_.buffer.end(), cell.begin(), cell.end());
  }
  CsvFile finish(size_t columns) {
    table_.columns = columns;
    size_t begin = 0;
    for (const size_t end : ends_) {
      table_.cells.emplace_back(table_.buffer.data() + begin, end - begin);
      begin = end;
    }
    return std::move(table_);
  }

 private:
  CsvFile table_;
  std::vector<size_t> ends_;
};

std::string cell_text(const Json& value, const std::string& key, const std::string& place) {
  if (value.is_null()) return "";
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('\0') != text.npos) refuse_json(place, "'" + key + "' has a zero byte: this is no text");
    return text;
  }
  if (value.is_structured()) refuse_json(place, "'" + key + "' is no text and no number");
  return value.dump();
}

bool ends_with(const std::string& path, const std::string& ending) {
  return path.size() >= ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

bool has_json_ending(const std::string& path) {
  return ends_with(path, ".json") || ends_with(path, ".jsonl") || ends_with(path, ".ndjson");
}

CsvFile read_json_table(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in) refuse_json(path, "cannot be read");
  return json_table(text, !ends_with(path, ".json"), path);
}

CsvFile json_table(const std::string& text, bool lines, const std::string& path) {
  const std::vector<TableEntry> entries =
      lines ? entries_of_lines(text, path) : entries_of_list(parsed(text, path), path);
  const auto place = [&](const TableEntry& entry) { return path + ":" + std::to_string(entry.line); };
  TableWriter out(path);
  std::vector<std::string> columns;
  for (const TableEntry& entry : entries) {
    if (!entry.object.is_object()) refuse_json(place(entry), "this entry is no object, such as {\"file\": \"a.png\"}");
    if (columns.empty()) {
      out.begin_record(0);
      for (const auto& [key, value] : entry.object.items()) {
        columns.push_back(key);
        out.add(key);
      }
      if (columns.empty()) refuse_json(place(entry), "the object is empty");
    }
    out.begin_record(entry.line);
    for (const std::string& key : columns) {
      const auto value = entry.object.find(key);
      out.add(value == entry.object.end() ? "" : cell_text(*value, key, place(entry)));
    }
  }
  if (columns.empty()) refuse_json(path, "it has no entries");
  return out.finish(columns.size());
}

}  // namespace common
