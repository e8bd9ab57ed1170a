#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/file.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "launch/ranks/engine_environment.hpp"
#include "launch/start.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

void line(const char* name, const std::string& value) { std::printf("%-12s %s\n", name, value.c_str()); }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return std::string(name) + (value != nullptr ? "=" + std::string(value) : " is not set");
}

void print_plugins(const Arguments& given) {
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  size_t usable = 0;
  for (const auto& file : index.files()) usable += file.problem.empty() ? 1 : 0;
  line("plugins",
       std::to_string(usable) + " usable, " + std::to_string(index.files().size() - usable) + " not: see host plugins");
}

void print_data_sets() {
  const fs::path user = user_folder("XDG_DATA_HOME", ".local/share");
  int found = 0;
  for (const fs::path& folder :
       {fs::path("/usr/share/datasets"), fs::path("/usr/local/share/datasets"), user / "datasets"}) {
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
      line(found++ == 0 ? "data sets" : "", it->path().string());
    }
  }
  if (found == 0) line("data sets", "none in /usr/share/datasets; apt-get install dataset-fashion-mnist provides one");
}

}  // namespace

int doctor_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"doctor", {"trust"}, {"plugins"}, 0}, arguments);
  line("host", std::string(host_version) + ", " + exe_path().string());
  line("built for", "LibTorch " + host_torch().version);
  line("CPUs", std::to_string(usable_cpus()) + " usable of " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)));
  line("threads", variable("OMP_NUM_THREADS") + ", " + variable("OMP_WAIT_POLICY"));
  print_plugins(given);
  print_data_sets();
  launch_engine({"--doctor"});
}

}  // namespace levin::core
