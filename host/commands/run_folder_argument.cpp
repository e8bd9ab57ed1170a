#include "host/commands/run_folder_argument.hpp"

#include <filesystem>

#include "core/base/file.hpp"
#include "host/cli/arguments.hpp"

namespace levin::core {

std::optional<size_t> find_run_folder(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool option = !arguments[i].empty() && arguments[i][0] == '-';
    if (!option && !may_be_value(arguments, i)) return i;
  }
  // For "--fast_dev_run RUN_DIR": the host can tell if an option takes a value only after it has read the saved run.
  std::error_code ignored;
  if (arguments.size() > 1 && std::filesystem::exists(absolute_path(arguments.back()) / "config.json", ignored))
    return arguments.size() - 1;
  return std::nullopt;
}

}  // namespace levin::core
