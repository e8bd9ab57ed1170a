#include "sweep/run/trial_command.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"

namespace levin::core::sweep {

std::string with_underscores(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

std::optional<std::string> take_option(std::vector<std::string>& words, const std::string& option) {
  std::optional<std::string> out;
  for (size_t i = 0; i < words.size();) {
    const size_t equals = words[i].find('=');
    if (with_underscores(words[i].substr(0, equals)) != with_underscores(option)) {
      ++i;
      continue;
    }
    const bool next = equals == std::string::npos && i + 1 < words.size();
    out = equals != std::string::npos ? words[i].substr(equals + 1) : next ? words[i + 1] : "";
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(begin, begin + (next ? 2 : 1));
  }
  return out;
}

void take_trainer_option(std::vector<std::string>& words, const std::string& option) {
  take_option(words, "--" + option);
  take_option(words, "--trainer." + option);
}

bool names_run_folder(const std::string& option) {
  const auto is_it = [name = with_underscores(option)](const std::string& own) {
    return name == own || name == "trainer." + own;
  };
  return is_it("log_name") || is_it("log_version") || is_it("default_root_dir");
}

TrialsFolder take_trials_folder(std::vector<std::string>& command, const CheckedFit& fit) {
  const nlohmann::json& trainer = fit.config.at("trainer");
  if (!trainer.at("log_version").is_null())
    throw Error(ErrorCode::option_unsupported,
                "--trainer.log_version names one folder, and each trial has its own; leave the option out");
  const auto root = trainer.at("default_root_dir");
  TrialsFolder out{absolute_path(root.is_string() ? root.get<std::string>() : ".").lexically_normal().string(),
                   trainer.value("log_name", "")};
  take_trainer_option(command, "default_root_dir");
  take_trainer_option(command, "log_name");
  return out;
}

}  // namespace levin::core::sweep
