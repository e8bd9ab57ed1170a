#include "schedule.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "levin/error.hpp"

namespace levin::gradient_accumulation_scheduler {
namespace {

using Json = nlohmann::json;

// Returns the epoch, or -1 if the key does not consist of digits.
int64_t epoch_of(const std::string& key) {
  const bool digits = !key.empty() && key.size() < 16 && key.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::stoll(key) : -1;
}

// Returns the count, written as 2 or 2.0; 0 if the value is not a count.
int64_t count_of(const Json& value) {
  const double count = value.is_number() ? value.get<double>() : 0;
  const bool whole = count >= 1 && count < 1e15 && count == static_cast<double>(static_cast<int64_t>(count));
  return whole ? static_cast<int64_t>(count) : 0;
}

}  // namespace

Schedule parse_schedule(const std::string& json) {
  const auto refuse = [&](const std::string& why) {
    return Error(LEVIN_E_INVALID,
                 "scheduling is " + json + ": " + why + "; write {\"4\": 2}: two batches from epoch 4 on");
  };
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) throw refuse("that is no object of numbers");
  Schedule out;
  for (const auto& [key, number] : value.items()) {
    const int64_t epoch = epoch_of(key), count = count_of(number);
    if (epoch < 0) throw refuse("an epoch is an int >= 0, not " + key);
    if (count < 1) throw refuse("a count of batches is an int >= 1, not " + number.dump());
    out[epoch] = count;
  }
  if (out.empty()) throw refuse("it is empty");
  out.emplace(0, 1);
  return out;
}

bool changes(const Schedule& schedule) {
  return std::any_of(schedule.begin(), schedule.end(),
                     [&](const auto& entry) { return entry.second != schedule.begin()->second; });
}

int64_t factor_of(const Schedule& schedule, int64_t epoch) { return std::prev(schedule.upper_bound(epoch))->second; }

}  // namespace levin::gradient_accumulation_scheduler
