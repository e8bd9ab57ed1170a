#include "schedule.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "levin/parameters.hpp"

namespace levin::freeze_schedule {
namespace {

using Json = nlohmann::json;

// Returns the epoch, or -1 if the key does not consist of digits.
int64_t epoch_of(const std::string& key) {
  const bool digits = !key.empty() && key.size() < 16 && key.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::stoll(key) : -1;
}

// Returns the patterns, written as a text or a list of texts; {} = neither.
std::vector<std::string> patterns_of(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) return {};
  std::vector<std::string> out;
  for (const Json& pattern : value) {
    if (!pattern.is_string()) return {};
    out.push_back(pattern.get<std::string>());
  }
  return out;
}

void add_changes(Schedule& to, const char* option, bool freezes, const std::string& json) {
  const auto refuse = [&](const std::string& why) {
    return Error(LEVIN_E_INVALID, std::string(option) + " is " + json + ": " + why +
                                      "; write {\"3\": \"features\", \"5\": [\"*.bias\", \"embed.*\"]}");
  };
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) throw refuse("that is no object of epochs");
  for (const auto& [key, patterns] : value.items()) {
    const int64_t epoch = epoch_of(key);
    if (epoch < 0) throw refuse("an epoch is an int >= 0, not " + key);
    to.push_back({epoch, freezes, patterns_of(patterns)});
    if (to.back().patterns.empty()) throw refuse("parameters are named by a text or a list of texts");
  }
}

}  // namespace

Schedule parse_schedule(const std::string& freeze, const std::string& unfreeze) {
  Schedule out;
  add_changes(out, "freeze", true, freeze);
  add_changes(out, "unfreeze", false, unfreeze);
  std::stable_sort(out.begin(), out.end(), [](const Change& a, const Change& b) { return a.epoch < b.epoch; });
  return out;
}

std::optional<bool> frozen_in(const Schedule& schedule, const std::string& parameter, int64_t epoch) {
  std::optional<bool> out;
  for (const Change& change : schedule) {
    const bool named = std::any_of(change.patterns.begin(), change.patterns.end(),
                                   [&](const std::string& pattern) { return names_parameter(pattern, parameter); });
    if (!named) continue;
    if (!out) out = !change.freezes;
    if (change.epoch <= epoch) out = change.freezes;
  }
  return out;
}

}  // namespace levin::freeze_schedule
