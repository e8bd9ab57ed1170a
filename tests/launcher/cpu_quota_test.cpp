#include "launch/ranks/cpu_quota.hpp"

#include <fstream>

#include "catch.hpp"
#include "temp_folder.hpp"

using levin::core::cpu_quota;

namespace {
struct System {
  void write(const std::string& file, const std::string& text) const {
    const auto path = folder.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::optional<int> quota() const { return cpu_quota(folder.path()); }
  TempFolder folder;
};
}  // namespace

TEST_CASE("a machine without limits has no quota") {
  const System system;
  CHECK(!system.quota());
  system.write("proc/self/cgroup", "0::/user.slice\n");
  CHECK(!system.quota());
  system.write("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  CHECK(!system.quota());
}

TEST_CASE("the least limit of a group and those around it holds, rounded up") {
  const System system;
  system.write("proc/self/cgroup", "0::/jobs/mine\n");
  system.write("sys/fs/cgroup/jobs/mine/cpu.max", "250000 100000\n");
  CHECK(system.quota() == 3);
  system.write("sys/fs/cgroup/jobs/cpu.max", "150000 100000\n");
  CHECK(system.quota() == 2);
  system.write("sys/fs/cgroup/jobs/cpu.max", "5000 100000\n");
  CHECK(system.quota() == 1);
}

TEST_CASE("in a container whose path is not visible the root group holds") {
  const System system;
  system.write("proc/self/cgroup", "0::/docker/0123\n");
  system.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  CHECK(system.quota() == 4);
}

TEST_CASE("the quota of control groups of version 1") {
  const System system;
  system.write("proc/self/cgroup", "7:memory:/m\n4:cpu,cpuacct:/docker/ab\n1:name=systemd:/\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_quota_us", "-1\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_period_us", "100000\n");
  CHECK(!system.quota());
  system.write("sys/fs/cgroup/cpu/docker/ab/cpu.cfs_quota_us", "200000\n");
  system.write("sys/fs/cgroup/cpu/docker/ab/cpu.cfs_period_us", "100000\n");
  CHECK(system.quota() == 2);
}

TEST_CASE("files of groups with other content are no limit") {
  const System system;
  system.write("proc/self/cgroup", "nonsense\n0::\n0::/a/../..\n");
  system.write("sys/fs/cgroup/cpu.max", "many few\n");
  CHECK(!system.quota());
}
