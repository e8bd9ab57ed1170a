#include "sandbox.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace fs = std::filesystem;
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  if (levin::core::trim(text).empty()) return {};
  return levin::core::split(levin::core::trim(text), '\n');
}

}  // namespace

std::string Outcome::error() const {
  const auto errors = starting(lines_of(err), "host: error:");
  return errors.empty() ? "" : errors.back();
}

Sandbox::Sandbox() {
  char name[] = "/tmp/levin_engine_test_XXXXXX";
  folder_ = mkdtemp(name);
}

Sandbox::~Sandbox() { fs::remove_all(folder_); }

Outcome Sandbox::host(const std::string& words, const std::string& limits) const {
  const fs::path trace = folder_ / "trace.txt";
  fs::remove(trace);
  const std::string home = folder_.string();
  const std::string command =
      "cd " + home + " && " + limits +
      " && env --default-signal=INT -u LEVIN_PLUGIN_PATH -u XDG_DATA_HOME OMP_NUM_THREADS=1 HOME=" + home +
      " XDG_CACHE_HOME=" LEVIN_TEST_PLUGINS "/cache LEVIN_TEST_TRACE=" + trace.string() +
      " timeout -k 1 300 " LEVIN_TEST_HOST " " + words + " >out.txt 2>err.txt";
  const int status = system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out.txt"), read("err.txt"), {}};
  if (fs::exists(trace)) outcome.trace = lines_of(read(trace));
  return outcome;
}

std::string with_defaults(const std::vector<std::string>& defaults, const std::string& words) {
  std::string out;
  for (const std::string& option : defaults)
    if ((" " + words).find(" " + option.substr(0, option.find(' ') + 1)) == std::string::npos) out += option;
  return out + words;
}

Outcome Sandbox::bare(const std::string& command, const std::string& words, const std::string& limits) const {
  return host(command +
                  " --plugins " LEVIN_TEST_PLUGINS
                  " --data rows --callback early_stopping=false --callback model_summary=false "
                  "--callback progress_bar=false --callback results_table=false " +
                  with_defaults({"--logger false ", "--data.batch_size 1 "}, words),
              limits);
}

fs::path Sandbox::run(int version) const { return folder_ / "levin_logs" / ("version_" + std::to_string(version)); }

std::string Sandbox::read(const fs::path& file) const { return levin::core::read_file(folder_ / file); }

std::vector<std::string> starting(const std::vector<std::string>& lines, const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& line : lines)
    if (levin::core::starts_with(line, text)) out.push_back(line);
  return out;
}
