#include "host_process/sandbox.hpp"

#include <list>

#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace fs = std::filesystem;
namespace {

std::string host_call(const std::string& words, const std::string& limits) {
  return limits + " && exec " LEVIN_TEST_HOST " " + words;
}

}  // namespace

Program Sandbox::script(const std::string& text) const {
  Program program{shell_command(text), folder(), at_home(folder(), LEVIN_TEST_PLUGINS "/cache")};
  program.variables["OMP_NUM_THREADS"] = "1";
  program.variables["LEVIN_TEST_TRACE"] = folder_.file("trace.txt");
  return program;
}

Outcome Sandbox::host(const std::string& words, const std::string& limits) const {
  fs::remove(folder() / "trace.txt");
  Outcome outcome = run_program(script(host_call(words, limits)));
  outcome.trace = trace();
  return outcome;
}

std::vector<Outcome> Sandbox::ranks(int n, const std::string& words, const Variables& last) const {
  for (const char* old : {"trace.txt", "store"}) fs::remove(folder() / old);
  std::list<HostProcess> processes;
  for (int rank = 0; rank < n; ++rank) {
    Program program =
        script(host_call(words + " --trainer.init_method file://" + folder_.file("store"), "ulimit -c 0"));
    program.suffix = "." + std::to_string(rank);
    program.seconds = 60;
    for (const char* name : {"RANK", "LOCAL_RANK"}) program.variables[name] = std::to_string(rank);
    for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE"}) program.variables[name] = std::to_string(n);
    if (rank == n - 1)
      for (const auto& [name, value] : last) program.variables[name] = value;
    processes.emplace_back(std::move(program));
  }
  std::vector<Outcome> outcomes;
  for (HostProcess& process : processes) outcomes.push_back(process.end());
  return outcomes;
}

std::vector<std::string> Sandbox::trace() const {
  const std::string text = fs::exists(folder() / "trace.txt") ? levin::core::trim(read("trace.txt")) : "";
  return text.empty() ? std::vector<std::string>() : levin::core::split(text, '\n');
}

std::string with_defaults(const std::vector<std::string>& defaults, const std::string& words) {
  std::string out;
  for (const std::string& option : defaults)
    if ((" " + words).find(" " + option.substr(0, option.find(' ') + 1)) == std::string::npos) out += option;
  return out + words;
}

Outcome Sandbox::bare(const std::string& command, const std::string& words, const std::string& limits) const {
  return host(command + " --plugins " LEVIN_TEST_PLUGINS " --data rows" LEVIN_TEST_QUIET +
                  with_defaults({"--logger false ", "--data.batch_size 1 "}, words),
              limits);
}

fs::path Sandbox::run(int version) const { return folder() / "levin_logs" / ("version_" + std::to_string(version)); }

std::string Sandbox::read(const fs::path& file) const { return levin::core::read_file(folder() / file); }

std::vector<std::string> starting(const std::vector<std::string>& lines, const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& line : lines)
    if (levin::core::starts_with(line, text)) out.push_back(line);
  return out;
}
