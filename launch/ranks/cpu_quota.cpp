// Limits of control groups, versions 1 and 2: cgroups(7), and Documentation/admin-guide/cgroup-v2.rst of Linux.
#include "launch/ranks/cpu_quota.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

struct Limit {
  double quota = -1, period = 0;  // microseconds; a quota below 1 = none
  bool holds() const { return quota > 0 && period > 0; }
};

// A group of version 2 has "max 100000" or "150000 100000" in one file, and one of version 1 has two files.
Limit limit_of(const fs::path& group) {
  Limit limit;
  if (std::ifstream both(group / "cpu.max"); both) {
    both >> limit.quota >> limit.period;
    return limit;
  }
  std::ifstream(group / "cpu.cfs_quota_us") >> limit.quota;
  std::ifstream(group / "cpu.cfs_period_us") >> limit.period;
  return limit;
}

// The least number of CPUs that the group and those around it allow. In a container the path may be one of the host,
// which does not exist there: then the root group is that of the container.
double least_of(const fs::path& mount, fs::path group) {
  double least = INFINITY;
  for (;; group = group.parent_path()) {
    const Limit limit = limit_of(mount / group.relative_path());
    if (limit.holds()) least = std::min(least, limit.quota / limit.period);
    if (!group.has_relative_path()) return least;
  }
}

}  // namespace

std::optional<int> cpu_quota(const fs::path& root) {
  double cpus = INFINITY;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user.slice" or "4:cpu,cpuacct:/docker/ab12"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    const auto names = split(controllers, ',');
    if (controllers.empty())
      cpus = std::min(cpus, least_of(root / "sys/fs/cgroup", path));
    else if (std::find(names.begin(), names.end(), "cpu") != names.end())
      for (const std::string& mount : {controllers, std::string("cpu")})
        cpus = std::min(cpus, least_of(root / "sys/fs/cgroup" / mount, path));
  }
  if (cpus > 65536) return {};
  return std::max(1, static_cast<int>(std::ceil(cpus)));
}

}  // namespace levin::core
