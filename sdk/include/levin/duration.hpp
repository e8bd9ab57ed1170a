// Lengths of time as users write them.
#pragma once
#include <cctype>
#include <cstdlib>
#include <string>

#include "levin/error.hpp"

namespace levin {

// Seconds of "DD:HH:MM:SS" (days of any length, the others two digits), or of a JSON object of weeks, days, hours,
// minutes and seconds, {"hours": 2, "minutes": 30}. The text may be quoted, as the value of a json option is.
// Anything else: Error.
inline double parse_duration(std::string text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  const auto refuse = [&]() -> Error {
    return Error(LEVIN_E_INVALID, "'" + text +
                                      "' is no length of time: write DD:HH:MM:SS, such as 00:12:00:00 for twelve "
                                      "hours, or {\"hours\": 12} with weeks, days, hours, minutes or seconds");
  };
  const auto unit = [](const std::string& name) {
    return name == "weeks"     ? 604800.0
           : name == "days"    ? 86400.0
           : name == "hours"   ? 3600.0
           : name == "minutes" ? 60.0
           : name == "seconds" ? 1.0
                               : 0.0;
  };
  double seconds = 0;
  if (text.empty() || text[0] != '{') {
    const double units[] = {86400, 3600, 60, 1};
    size_t at = 0;
    for (int part = 0; part < 4; ++part) {
      const size_t start = at;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
      const bool right = part == 0 ? at > start : at - start == 2;
      const bool closed = part == 3 ? at == text.size() : at < text.size() && text[at] == ':';
      if (!right || !closed) throw refuse();
      seconds += units[part] * std::strtod(text.c_str() + start, nullptr);
      ++at;
    }
    return seconds;
  }
  std::string body;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) body += c;
  if (body == "{}") return 0;
  for (size_t at = 1; at < body.size();) {
    if (body[at] != '"') throw refuse();
    const size_t close = body.find('"', at + 1);
    if (close == std::string::npos || body[close + 1] != ':') throw refuse();
    const double each = unit(body.substr(at + 1, close - at - 1));
    char* end = nullptr;
    seconds += each * std::strtod(body.c_str() + close + 2, &end);
    at = static_cast<size_t>(end - body.c_str());
    if (each == 0 || at == close + 2 || seconds < 0) throw refuse();
    if (body.compare(at, std::string::npos, "}") == 0) return seconds;
    if (body[at++] != ',') throw refuse();
  }
  throw refuse();
}

}  // namespace levin
