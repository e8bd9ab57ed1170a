#include "line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "levin/util/text.hpp"

namespace levin::jsonl {
namespace {

constexpr const char* head = "{\"step\":";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 0x20 ? std::string(escape) : std::string(1, c);
  }
  return out + '"';
}

std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return shortest(value);
}

std::string integer_if_one(double value) {
  return std::isfinite(value) && std::trunc(value) == value ? std::to_string(static_cast<int64_t>(value))
                                                            : number(value);
}

}  // namespace

std::string line(int64_t step, double time, const Values& values) {
  std::string out = head + std::to_string(step) + ",\"time\":" + fixed(time, 3), metrics;
  for (const auto& [name, value] : values)
    if (name == "epoch")
      out += ",\"epoch\":" + integer_if_one(value);
    else
      metrics += (metrics.empty() ? "" : ",") + quoted(name) + ":" + number(value);
  return out + ",\"metrics\":{" + metrics + "}}\n";
}

std::string run_line(const std::string& name, const std::vector<std::string>& tags) {
  std::string list;
  for (const std::string& tag : tags) list += (list.empty() ? "" : ",") + quoted(tag);
  return "{\"run\":" + quoted(name) + ",\"tags\":[" + list + "]}\n";
}

std::string whole_lines(const std::string& text, uint64_t bytes) {
  if (bytes == 0 || text.empty()) return {};
  const size_t last = text.rfind('\n', static_cast<size_t>(std::min<uint64_t>(bytes, text.size())) - 1);
  return last == std::string::npos ? std::string() : text.substr(0, last + 1);
}

std::string lines_until(const std::string& text, int64_t step) {
  std::string out;
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string one = text.substr(at, end + 1 - at);
    const bool ours = one.compare(0, std::strlen(head), head) == 0;
    if (!ours || std::atoll(one.c_str() + std::strlen(head)) <= step) out += one;
  }
  return out;
}

}  // namespace levin::jsonl
