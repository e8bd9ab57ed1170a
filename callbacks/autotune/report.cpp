#include "report.hpp"

#include <cstdio>

namespace levin::autotune {
namespace {

using nlohmann::json;

std::string shown(const Setting& setting, int64_t value) {
  const std::string text = setting.json(value);
  return text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string rounded(const char* pattern, double value) {
  char text[40];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string milliseconds(const Candidate& candidate) {
  if (!candidate.failure.empty()) return "failed";
  if (candidate.seconds.empty()) return "-";
  const double ms = median(candidate.seconds) * 1e3;
  return rounded(ms < 1 ? "%.3f" : ms < 100 ? "%.2f" : "%.0f", ms);
}

std::string line(const std::string& setting, const std::string& values, const std::string& ms,
                 const std::string& chosen, const std::string& gain) {
  char text[200];
  std::snprintf(text, sizeof text, "  %-14s %-14s %-28s %-7s %s", setting.c_str(), values.c_str(), ms.c_str(),
                chosen.c_str(), gain.c_str());
  std::string out = text;
  return out.erase(out.find_last_not_of(' ') + 1);
}

std::string line_of(const ReportRow& row) {
  std::string values, ms;
  for (const Candidate& c : row.tried) {
    values += (values.empty() ? "" : ", ") + shown(*row.setting, c.value);
    ms += (ms.empty() ? "" : ", ") + milliseconds(c);
  }
  const Candidate &base = row.tried.front(), &chosen = row.tried[row.chosen];
  if (!row.remark.empty()) return line(row.setting->name, values, "not measured: " + row.remark, "", "");
  const double gain = row.chosen == 0 ? 0 : 100 * (speedup(base, chosen) - 1);
  return line(row.setting->name, values, ms, shown(*row.setting, chosen.value),
              row.chosen == 0 ? "-" : rounded("%.0f %%", gain));
}

}  // namespace

std::string Report::text() const {
  std::string out = "autotune: measured for " + rounded("%.1f s", seconds) +
                    "; a setting changes if it gains 5 % or more\n" +
                    line("setting", "tried", "ms a step", "chosen", "gain");
  for (const ReportRow& row : rows) {
    out += "\n" + line_of(row);
    for (const Candidate& c : row.tried)
      if (!c.failure.empty()) out += "\n    " + shown(*row.setting, c.value) + " failed: " + c.failure;
  }
  return out;
}

json Report::to_json() const {
  json out = {{"seconds", seconds}, {"settings", json::object()}};
  for (const ReportRow& row : rows) {
    json& of = out["settings"][row.setting->name];
    of["chosen"] = row.tried[row.chosen].value;
    if (!row.remark.empty()) of["not_measured"] = row.remark;
    for (const Candidate& c : row.tried) {
      json tried = {{"value", c.value}, {"seconds", c.seconds}};
      if (!c.failure.empty()) tried["failure"] = c.failure;
      of["tried"].push_back(tried);
    }
  }
  return out;
}

}  // namespace levin::autotune
