#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/file.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/commands/fitted_output.hpp"
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

struct PluginCounts {
  size_t usable = 0, all = 0;
};

PluginCounts count_plugins(const Arguments& given) {
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  PluginCounts out;
  for (const auto& file : index.files()) out.usable += file.problem.empty() ? 1 : 0;
  out.all = index.files().size();
  return out;
}

std::vector<std::string> data_sets() {
  const fs::path user = user_folder("XDG_DATA_HOME", ".local/share");
  std::vector<std::string> out;
  for (const fs::path& folder :
       {fs::path("/usr/share/datasets"), fs::path("/usr/local/share/datasets"), user / "datasets"}) {
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
      out.push_back(it->path().string());
  }
  return out;
}

void print_data_sets() {
  const std::vector<std::string> found = data_sets();
  for (const std::string& set : found) line(&set == &found.front() ? "data sets" : "", set);
  if (found.empty())
    line("data sets", "none in /usr/share/datasets; apt-get install dataset-fashion-mnist provides one");
}

// Returns the same facts as JSON text, to which the engine adds its own.
std::string facts_as_json(const Arguments& given) {
  using nlohmann::json;
  const PluginCounts plugins = count_plugins(given);
  json environment = json::object();
  for (const char* name : {"OMP_NUM_THREADS", "OMP_WAIT_POLICY"})
    environment[name] = std::getenv(name) != nullptr ? json(std::getenv(name)) : json();
  const json facts{{"host", {{"version", host_version}, {"path", exe_path().string()}}},
                   {"built_for", {{"libtorch", host_torch().version}}},
                   {"cpus", {{"usable", usable_cpus()}, {"online", ::sysconf(_SC_NPROCESSORS_ONLN)}}},
                   {"environment", environment},
                   {"plugins", {{"usable", plugins.usable}, {"unusable", plugins.all - plugins.usable}}},
                   {"data_sets", data_sets()}};
  return facts.dump(-1, ' ', false, json::error_handler_t::replace);
}

void print_facts(const Arguments& given) {
  const FittedOutput output;
  line("host", std::string(host_version) + ", " + exe_path().string());
  line("built for", "LibTorch " + host_torch().version);
  line("CPUs", std::to_string(usable_cpus()) + " usable of " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)));
  line("threads", variable("OMP_NUM_THREADS") + ", " + variable("OMP_WAIT_POLICY"));
  const PluginCounts plugins = count_plugins(given);
  line("plugins", std::to_string(plugins.usable) + " usable, " + std::to_string(plugins.all - plugins.usable) +
                      " not: see host plugins");
  print_data_sets();
}

}  // namespace

int doctor_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"doctor", {"trust", "json"}, {"plugins"}, 0}, arguments);
  if (given.has("json")) launch_engine({"--doctor-json", facts_as_json(given)});
  print_facts(given);
  launch_engine({"--doctor"});
}

}  // namespace levin::core
