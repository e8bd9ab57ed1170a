#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/commands/fitted_output.hpp"
#include "host/runs/runs_table.hpp"
#include "runs/run_row.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
int runs_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"runs", {"json"}, {"sort"}}, arguments);
  RunList list = runs_in_folder(absolute_path(given.names.empty() ? "levin_logs" : given.names[0]));
  const std::string sort = given.value("sort");
  if (!sort.empty()) sort_runs(list.rows, sort);
  if (given.has("json")) {
    const auto replace = nlohmann::json::error_handler_t::replace;
    std::printf("%s\n", runs_json(list.rows).dump(2, ' ', false, replace).c_str());
    return 0;
  }
  const FittedOutput output;
  if (list.rows.empty()) std::printf("no runs are in this folder\n");
  if (!list.rows.empty()) std::fputs(runs_table(list.rows, sort, terminal_columns()).c_str(), stdout);
  for (const std::string& note : list.notes) std::printf("%s\n", printable(note).c_str());
  return 0;
}

}  // namespace levin::core
