#include "core/cluster/device_ids.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using Kind = DeviceChoice::Kind;

[[noreturn]] void refuse(const DeviceChoice& devices, const std::string& why) {
  throw Error(ErrorCode::device_not_available, "trainer.devices=" + devices.given + ": " + why);
}

std::vector<int> first(int n) {
  std::vector<int> ids(static_cast<size_t>(std::max(n, 0)));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

std::vector<int> named(const DeviceChoice& devices, const std::vector<int>& available) {
  if (devices.kind == Kind::automatic) refuse(devices, "devices are named by integers");
  if (devices.kind == Kind::all) return available;
  return devices.kind == Kind::listed ? devices.ids : first(devices.count);
}

std::string list(const std::vector<int>& ids) {
  std::vector<std::string> texts;
  for (const int id : ids) texts.push_back(std::to_string(id));
  return "[" + join(texts, ",") + "]";
}

DeviceChoice one_device() {
  DeviceChoice one;
  one.kind = Kind::count;
  one.count = 1;
  one.given = "1";
  return one;
}

}  // namespace

std::vector<int> gpu_ids(const DeviceChoice& devices, const std::vector<int>& available) {
  if (devices.kind == Kind::none) return {};
  const std::vector<int> ids = named(devices, available);
  if (ids.empty()) refuse(devices, "GPUs are requested, and there are none");
  if (std::set<int>(ids.begin(), ids.end()).size() != ids.size()) refuse(devices, "a device is named twice");
  for (const int id : ids) {
    if (std::find(available.begin(), available.end(), id) != available.end()) continue;
    refuse(devices, "there is no GPU " + std::to_string(id) + "; there are " + list(available));
  }
  return ids;
}

std::vector<int> device_ids(Accelerator accelerator, const DeviceChoice& devices, const std::vector<int>& gpus) {
  const bool automatic = devices.kind == Kind::automatic;
  const bool wanted = accelerator == Accelerator::gpu || accelerator == Accelerator::cuda;
  if (wanted || (accelerator == Accelerator::automatic && !gpus.empty())) {
    const std::vector<int> ids = gpu_ids(automatic ? one_device() : devices, gpus);
    if (ids.empty()) refuse(devices, "a run needs a device; use auto or 1");
    return ids;
  }
  if (automatic) return {0};
  if (devices.kind != Kind::count || devices.count < 1)
    refuse(devices, "on a CPU this is a number of processes, 1 or more");
  return first(devices.count);
}

}  // namespace levin::core
