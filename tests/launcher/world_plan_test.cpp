#include "launch/world_plan.hpp"

#include <unistd.h>

#include "core/base/error.hpp"
#include "launch/nodes/host_list.hpp"
#include "launched.hpp"

using namespace levin::core;

namespace {

int three_gpus() { return 3; }

std::string refusal(RunConfig config, const LaunchArguments& words) {
  try {
    plan_world(config, words, three_gpus);
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::usage);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("devices are processes, of the CPU or one for each GPU") {
  const std::pair<nlohmann::json, int> cases[] = {{"auto", 1}, {1, 1}, {4, 4}, {{0, 2}, 2}, {-1, 3}};
  for (const auto& [devices, processes] : cases) {
    RunConfig config = fake_config(1, 0);
    config.trainer["devices"] = devices;
    CHECK(plan_world(config, {}, three_gpus).world() == processes);
  }
  CHECK_THAT(refusal(fake_config(1000000, 0), {}), ContainsSubstring("more processes than this machine"));
}

TEST_CASE("a process may have several devices") {
  struct Case {
    std::string strategy;
    nlohmann::json devices, each;
    int processes, replicas;
  };
  const Case cases[] = {{"dp", 4, nullptr, 1, 4},
                        {"dp", "auto", nullptr, 1, 1},
                        {"dp", -1, nullptr, 1, 3},
                        {"model_parallel", 4, nullptr, 1, 1},
                        {"model_parallel", 4, 2, 2, 1},
                        {"model_parallel", {0, 1, 2}, 1, 3, 1},
                        {"single_device", 1, nullptr, 1, 1},
                        {"ddp", 4, 2, 4, 1}};
  for (const Case& c : cases) {
    RunConfig config = fake_config(1, 0);
    config.trainer["strategy"] = c.strategy;
    config.trainer["devices"] = c.devices;
    config.trainer["devices_per_process"] = c.each;
    CHECK(plan_world(config, {}, three_gpus).world() == c.processes);
    CHECK(parallel_parts(config.trainer, three_gpus) == c.replicas);
  }
  RunConfig config = fake_config(1, 0);
  config.trainer["strategy"] = "model_parallel";
  config.trainer["devices"] = 3;
  config.trainer["devices_per_process"] = 2;
  CHECK_THAT(refusal(config, {}), ContainsSubstring("trainer.devices=3 cannot be divided among processes"));
  config.trainer["devices"] = "auto";
  CHECK(plan_world(config, {"a:2,b:2", "", ""}, three_gpus).world() == 4);
  CHECK(config.trainer["devices"] == 4);
  config.trainer["devices_per_process"] = nullptr;
  CHECK(plan_world(config, {"a:2,b:2", "", ""}, three_gpus).world() == 4);
  CHECK(config.trainer["devices_per_process"] == 2);
  config.trainer["devices"] = "auto";
  config.trainer["devices_per_process"] = nullptr;
  CHECK_THAT(refusal(config, {"a:2,b:2", "", ""}), ContainsSubstring("but not the number of devices of each"));
  config.trainer["strategy"] = "dp";
  CHECK_THAT(refusal(config, {"a,b", "", ""}), ContainsSubstring("trainer.strategy=dp uses one process, but"));
}

TEST_CASE("hosts give the number of machines and processes") {
  RunConfig config = fake_config(1, 0);
  config.trainer["devices"] = "auto";
  const WorldPlan plan = plan_world(config, {"me@a:4,b:4", "", ""}, three_gpus);
  CHECK(plan.world() == 8);
  CHECK(plan.master_address == "a");
  CHECK(plan.machines[1].name == "b");
  CHECK(!plan.machines[1].is_this);
  CHECK(config.trainer["devices"] == 4);
  CHECK(config.trainer["num_nodes"] == 2);
}

TEST_CASE("this machine needs no ssh") {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  RunConfig config = fake_config(2, 0);
  CHECK(plan_world(config, {std::string(name) + ",other", "", ""}, three_gpus).machines[0].is_this);
}

TEST_CASE("what contradicts itself is refused") {
  RunConfig config = fake_config(2, 0);
  CHECK_THAT(refusal(config, {"a:4,b:4", "", ""}), ContainsSubstring("trainer.devices=2 is 2 on each machine"));
  CHECK_THAT(refusal(config, {"a:2,b:3", "", ""}), ContainsSubstring("'a' and 'b' have different numbers"));
  CHECK_THAT(refusal(config, {"a,a", "", ""}), ContainsSubstring("host 'a' is named twice"));
  CHECK_THAT(refusal(config, {"a,localhost", "", ""}), ContainsSubstring("the name by which other machines reach it"));
  CHECK_THAT(refusal(config, {"-oProxyCommand=x", "", ""}), ContainsSubstring("not a host name"));
  CHECK_THAT(refusal(config, {"a:x", "", ""}), ContainsSubstring("'x' is not a number of processes"));
  CHECK_THAT(refusal(config, {"a,,b", "", ""}), ContainsSubstring("a host has no name"));
  CHECK_THAT(refusal(config, {"a b", "", ""}), ContainsSubstring("'a b' is not a host name"));
  CHECK_THAT(refusal(config, {"a", "b", ""}), ContainsSubstring("leave one of them out"));
  CHECK_THAT(refusal(config, {"", "", "ssh"}), ContainsSubstring("--hosts or --hostfile"));
  config.trainer["num_nodes"] = 3;
  config.origins["trainer.num_nodes"] = "--num_nodes";
  CHECK_THAT(refusal(config, {"a,b", "", ""}), ContainsSubstring("trainer.num_nodes=3, and 2 hosts are named"));
  const std::string nobody = refusal(config, {});
  for (const char* way : {"--hosts a:4,b:4", "--hostfile", "srun", "torchrun", "mpirun"})
    CHECK_THAT(nobody, ContainsSubstring(way));
}

TEST_CASE("a file names a host on each line") {
  char name[] = "/tmp/levin_hosts_XXXXXX";
  close(mkstemp(name));
  const auto write = [&name](const std::string& text) { std::ofstream(name) << text; };
  write("# machines\na slots=4\n\n  b 2 # the old one\nme@c\n[::1]:3\n");
  const auto hosts = hosts_from_file(name);
  REQUIRE(hosts.size() == 4);
  CHECK((hosts[0].name == "a" && hosts[0].slots == 4));
  CHECK((hosts[1].name == "b" && hosts[1].slots == 2));
  CHECK((hosts[2].name == "me@c" && !hosts[2].slots));
  CHECK((hosts[3].name == "[::1]" && hosts[3].slots == 3));
  write("a\nb slots=0\n");
  CHECK_THROWS_WITH(hosts_from_file(name), ContainsSubstring(":2: '0' is not a number of processes"));
  write("# nobody\n");
  CHECK_THROWS_WITH(hosts_from_file(name), ContainsSubstring("the file names no host"));
  unlink(name);
}

TEST_CASE("a process that has a rank starts no others") {
  CHECK(is_launched({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  CHECK(!is_launched({}));
}
