// launch_fakes CONFIG.json HOSTS SSH_COMMAND STEP...: launches ranks that perform the steps. HOSTS and SSH_COMMAND may
// be "". launch_fakes __node: its node agent.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/error_line.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "launch/launcher.hpp"
#include "launch/nodes/node_agent.hpp"

using namespace levin::core;
using std::chrono::milliseconds;

namespace {

Patience patience() {
  const char* given = std::getenv("FAKE_PATIENCE");
  const char* pause = std::getenv("FAKE_PAUSE");
  return {milliseconds(given ? std::atoi(given) : 10000), milliseconds(10000),
          milliseconds(pause ? std::atoi(pause) : 10)};
}

int launch(int argc, char** argv) {
  RunConfig config = run_config_from_json(parse_json(read_file(argv[1]), argv[1]), argv[1]);
  LaunchArguments words;
  words.hosts = argv[2];
  words.ssh_command = argv[3];
  const WorldPlan plan = plan_world(config, words, [] { return 3; });
  const std::string self = exe_path().string();
  Programs programs{{(exe_path().parent_path() / "fake_rank").string()}, {self, "__node"}, words.ssh_command};
  if (const char* engine = std::getenv("FAKE_ENGINE")) programs.engine = {engine};
  if (const char* folder = std::getenv("FAKE_FOLDER")) std::filesystem::current_path(folder);
  if (const char* agent = std::getenv("FAKE_AGENT")) programs.agent = {agent, "__node"};
  for (int i = 4; i < argc; ++i) programs.engine.push_back(argv[i]);
  return launch_world(config, plan, programs, patience());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2) return run_node_agent({milliseconds(60000), milliseconds(4000)}, patience());
  return launch(argc, argv);
} catch (const Error& e) {
  return report_error(e, "the launcher");
}
