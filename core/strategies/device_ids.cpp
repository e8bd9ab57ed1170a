#include "core/strategies/device_ids.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const json& devices, const std::string& why) {
  throw Error(ErrorKind::usage, "trainer.devices=" + show(devices) + ": " + why);
}

std::vector<int> first(int n) {
  std::vector<int> ids(static_cast<size_t>(std::max(n, 0)));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

int index_of(const json& item, const json& devices) {
  const json i = item.is_string() ? scalar_from_text(trim(item.get<std::string>())) : item;
  if (!i.is_number_integer()) refuse(devices, "devices are named by integers");
  return i.get<int>();
}

// "1, 3" and [1, 3] are the devices with these numbers, "2" and 2 are the first two, and -1 is all of them.
std::vector<int> named(const json& devices, const std::vector<int>& available) {
  json items = devices;
  if (devices.is_string() && devices.get<std::string>().find(',') != std::string::npos) {
    items = json::array();
    for (const auto& part : split(devices.get<std::string>(), ','))
      if (!part.empty()) items.push_back(part);
  }
  if (items.is_array()) {
    std::vector<int> ids;
    for (const auto& item : items) ids.push_back(index_of(item, devices));
    return ids;
  }
  const int count = index_of(items, devices);
  return count == -1 ? available : first(count);
}

bool asks_for_none(const json& devices) {
  if (devices == 0 || devices == json::array()) return true;
  if (!devices.is_string()) return false;
  const std::string text = trim(devices.get<std::string>());
  return text == "0" || text == "[]";
}

}  // namespace

std::vector<int> gpu_ids(const json& devices, const std::vector<int>& available) {
  if (asks_for_none(devices)) return {};
  const std::vector<int> ids = named(devices, available);
  if (ids.empty()) refuse(devices, "GPUs are asked for and none is there");
  if (std::set<int>(ids.begin(), ids.end()).size() != ids.size()) refuse(devices, "a device is named twice");
  for (const int id : ids) {
    if (std::find(available.begin(), available.end(), id) != available.end()) continue;
    refuse(devices, "there is no GPU " + std::to_string(id) + "; there are " + json(available).dump());
  }
  return ids;
}

std::vector<int> device_ids(const std::string& accelerator, const json& devices, const std::vector<int>& gpus) {
  const bool any = devices.is_null() || devices == "auto";
  const bool gpu = accelerator == "gpu" || accelerator == "cuda" || (accelerator == "auto" && !gpus.empty());
  if (gpu) {
    const std::vector<int> ids = any ? gpu_ids(1, gpus) : gpu_ids(devices, gpus);
    if (ids.empty()) refuse(devices, "a run needs a device; use auto or 1");
    return ids;
  }
  if (any) return {0};
  const json count = devices.is_string() ? scalar_from_text(devices.get<std::string>()) : devices;
  if (!count.is_number_integer() || count < 1) refuse(devices, "on a CPU this is a number of processes, 1 or more");
  return first(count.get<int>());
}

}  // namespace levin::core
