#include "schedule.hpp"

#include <cstdlib>
#include <iterator>

#include "levin/error.hpp"

namespace levin::gradient_accumulation_scheduler {

Schedule parse_schedule(const std::string& json) {
  const auto refuse = [&](const std::string& why) {
    return Error(LEVIN_E_INVALID,
                 "scheduling is " + json + ": " + why + "; write {\"4\": 2}: two batches from epoch 4 on");
  };
  Schedule out;
  size_t at = 0;
  while ((at = json.find('"', at)) != std::string::npos) {
    const size_t close = json.find('"', at + 1);
    const size_t colon = close == std::string::npos ? close : json.find(':', close);
    if (colon == std::string::npos) throw refuse("that is no object of numbers");
    char *epoch_end = nullptr, *factor_end = nullptr;
    const std::string key = json.substr(at + 1, close - at - 1);
    const long long epoch = std::strtoll(key.c_str(), &epoch_end, 10);
    const double factor = std::strtod(json.c_str() + colon + 1, &factor_end);
    if (key.empty() || *epoch_end || epoch < 0) throw refuse("an epoch is an int >= 0, not " + key);
    if (factor < 1 || factor != static_cast<double>(static_cast<int64_t>(factor)))
      throw refuse("a count of batches is an int >= 1");
    out[epoch] = static_cast<int64_t>(factor);
    at = static_cast<size_t>(factor_end - json.c_str());
  }
  if (out.empty()) throw refuse("it is empty");
  out.emplace(0, 1);
  return out;
}

int64_t factor_of(const Schedule& schedule, int64_t epoch) { return std::prev(schedule.upper_bound(epoch))->second; }

}  // namespace levin::gradient_accumulation_scheduler
