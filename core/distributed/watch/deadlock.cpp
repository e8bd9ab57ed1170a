#include "core/distributed/watch/collective_log.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace levin::core {
namespace {

using nlohmann::json;

bool waits(const json& report) { return report.is_object() && report.contains("waits"); }
bool has_left(const json& report) { return report.is_object() && report.contains("left"); }

// Returns the largest number of calls of the line that the process may have begun. If its log is full, it may have
// begun any number of calls of a line that it does not report.
uint64_t begun(const json& report, const std::string& line) {
  const json& lines = report.at("lines");
  if (lines.contains(line)) return lines.at(line).at("begun").get<uint64_t>();
  return report.at("full").get<bool>() ? std::numeric_limits<uint64_t>::max() : 0;
}

// Returns true if the process waits for this other one, which is known to make no progress.
bool waits_for(const json& waiting, const json& other) {
  const json& w = waiting.at("waits");
  return begun(other, w.at("line").get<std::string>()) < w.at("number").get<uint64_t>();
}

// Returns the ranks that wait for a rank that has finished or for each other: none of them can go on. A stuck process
// begins nothing, so its report holds until the process that it waits for moves.
std::vector<bool> stuck_ranks(const std::vector<json>& reports) {
  std::vector<bool> stuck;
  for (const json& report : reports) stuck.push_back(waits(report));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t r = 0; r < reports.size(); ++r) {
      if (!stuck[r]) continue;
      const json& ranks = reports[r].at("waits").at("ranks");
      const bool in_vain = std::any_of(ranks.begin(), ranks.end(), [&](const json& rank) {
        const auto o = rank.get<size_t>();
        return o != r && o < reports.size() && (stuck[o] || has_left(reports[o])) && waits_for(reports[r], reports[o]);
      });
      if (!in_vain) stuck[r] = false, changed = true;
    }
  }
  return stuck;
}

// Returns the call that another process has begun with the number for which this one waits, if it differs from this
// one's call; otherwise "". There is nothing to compare if the own call is no longer known, or if it is a message,
// whose two ends have different calls.
std::string other_call(const json& waiting, const json& other) {
  const json& w = waiting.at("waits");
  if (!w.at("known").get<bool>()) return "";
  const std::string line = w.at("line").get<std::string>(), number = std::to_string(w.at("number").get<uint64_t>());
  if (!other.is_object() || !other.at("lines").contains(line)) return "";
  const json& last = other.at("lines").at(line).at("last");
  if (!last.contains(number)) return "";
  const std::string text = last.at(number).get<std::string>();
  return text == w.at("what").get<std::string>() ? "" : text;
}

std::string ranks_text(const std::vector<size_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size();) {
    size_t end = i;
    while (end + 1 < ranks.size() && ranks[end + 1] == ranks[end] + 1) ++end;
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    if (end > i) text += (end == i + 1 ? ", " : "-") + std::to_string(ranks[end]);
    i = end + 1;
  }
  return text;
}

std::string standing(const json& report, bool several) {
  if (has_left(report)) return std::string(several ? "have" : "has") + " ended";
  const json& w = report.at("waits");
  const std::string place = w.at("place").get<std::string>();
  return std::string(several ? "wait" : "waits") + " in " + w.at("what").get<std::string>() + ", number " +
         std::to_string(w.at("number").get<uint64_t>()) + " of " + w.at("line").get<std::string>() +
         (place.empty() ? "" : ", in " + place);
}

std::string told(const std::vector<json>& reports, const std::vector<bool>& stuck) {
  std::vector<std::pair<std::string, std::vector<size_t>>> groups;  // ranks by the text of what each does
  for (size_t r = 0; r < reports.size(); ++r) {
    if (!stuck[r] && !has_left(reports[r])) continue;
    const std::string text = standing(reports[r], false);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == text; });
    if (same != groups.end())
      same->second.push_back(r);
    else
      groups.push_back({text, {r}});
  }
  std::string out;
  for (const auto& [text, ranks] : groups)
    out += (out.empty() ? "" : "; ") + ranks_text(ranks) + " " +
           (ranks.size() > 1 ? standing(reports[ranks[0]], true) : text);
  return out;
}

constexpr const char* advice =
    " (all ranks have to make the same collectives in the same order: does a hook, or a collective of a plugin, "
    "depend on the rank or its rows?)";

}  // namespace

std::string deadlock(const std::vector<json>& reports) {
  const std::vector<bool> stuck = stuck_ranks(reports);
  if (std::any_of(stuck.begin(), stuck.end(), [](bool one) { return one; }))
    return "deadlock: " + told(reports, stuck) + advice;
  for (size_t r = 0; r < reports.size(); ++r)
    for (size_t o = 0; waits(reports[r]) && o < reports.size(); ++o) {
      const std::string other = o == r ? "" : other_call(reports[r], reports[o]);
      if (!other.empty())
        return "the ranks' collectives do not match: " + ranks_text({r}) + " " + standing(reports[r], false) +
               ", and " + ranks_text({o}) + " has called " + other + " in its place" + advice;
    }
  return "";
}

}  // namespace levin::core
