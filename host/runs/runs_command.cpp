#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host/cli/handlers.hpp"
#include "host/commands/fitted_output.hpp"
#include "host/runs/run_list.hpp"
#include "host/runs/runs_table.hpp"
#include "sdk/include/levin/terminal.hpp"

namespace levin::core {
namespace {

struct RunsWords {
  std::string folder, sort;
  bool json = false;
};

[[noreturn]] void refuse_runs(const std::string& what) { throw Error(ErrorKind::usage, "host runs: " + what); }

RunsWords read_runs_words(const std::vector<std::string>& arguments) {
  RunsWords out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string name = word.substr(0, word.find('='));
    if (word == "--json") {
      out.json = true;
    } else if (name == "--sort") {
      if (word == name && i + 1 == arguments.size()) refuse_runs("--sort needs the name of a column");
      out.sort = word == name ? arguments[++i] : word.substr(name.size() + 1);
    } else if (starts_with(word, "-")) {
      refuse_runs("there is no option " + name + " here" + did_you_mean(name, {"--sort", "--json"}));
    } else if (!out.folder.empty()) {
      refuse_runs("'" + word + "' is one word too many; it takes one folder");
    } else {
      out.folder = word;
    }
  }
  return out;
}

}  // namespace

int runs_command(const std::vector<std::string>& arguments) {
  const RunsWords given = read_runs_words(arguments);
  RunList list = runs_in_folder(absolute_path(given.folder.empty() ? "levin_logs" : given.folder));
  if (!given.sort.empty()) sort_runs(list.rows, given.sort);
  if (given.json) {
    const auto replace = nlohmann::json::error_handler_t::replace;
    std::printf("%s\n", runs_json(list.rows).dump(2, ' ', false, replace).c_str());
    return 0;
  }
  const FittedOutput output;
  if (list.rows.empty()) std::printf("no runs are in this folder\n");
  if (!list.rows.empty()) std::fputs(runs_table(list.rows, given.sort, terminal_columns()).c_str(), stdout);
  for (const std::string& note : list.notes) std::printf("%s\n", printable(note).c_str());
  return 0;
}

}  // namespace levin::core
