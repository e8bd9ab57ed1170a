#include "host/commands/run_folder_word.hpp"

#include <filesystem>

#include "core/base/file.hpp"
#include "host/words.hpp"

namespace levin::core {

std::optional<size_t> find_run_folder(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool option = !words[i].empty() && words[i][0] == '-';
    if (!option && !may_be_value(words, i)) return i;
  }
  // "--fast_dev_run RUN_DIR": whether an option takes a value is known only once the saved run has been read.
  std::error_code ignored;
  if (words.size() > 1 && std::filesystem::exists(absolute_path(words.back()) / "config.json", ignored))
    return words.size() - 1;
  return std::nullopt;
}

}  // namespace levin::core
