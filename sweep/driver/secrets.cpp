#include "sweep/driver/secrets.hpp"

#include <optional>

#include "core/base/text.hpp"
#include "sweep/run/trial_command.hpp"

namespace levin::core::sweep {
void take_secrets(SweepSettings& settings, const std::vector<std::string>& origins) {
  for (const std::string& origin : origins) {
    if (!starts_with(origin, "--"))
      refuse_sweep(ErrorCode::option_unsupported,
                   origin + " sets a secret; give it as an option, because trials that continue take it only so");
    for (const Parameter& parameter : settings.parameters)
      if (with_underscores("--" + parameter.option) == with_underscores(origin))
        refuse_sweep(ErrorCode::option_unsupported,
                     "--param " + parameter.option + ": the option is a secret, and study.journal keeps its values");
    settings.secret_options.push_back(origin);
    settings.secrets.push_back(origin + "=" + take_option(settings.command, origin).value_or(""));
  }
}

void give_secrets(SweepSettings& settings, std::vector<std::string> words) {
  for (const std::string& option : settings.secret_options) {
    const std::optional<std::string> value = take_option(words, option);
    if (!value)
      refuse_sweep(ErrorCode::option_missing,
                   option + " is a secret, which sweep.json does not keep; add it: host sweep --resume SWEEP fit " +
                       option + " VALUE");
    settings.secrets.push_back(option + "=" + *value);
  }
  if (!words.empty())
    refuse_sweep(ErrorCode::argument_unexpected,
                 "--resume goes on with the same command; leave out " + words[0].substr(0, words[0].find('=')));
}

}  // namespace levin::core::sweep
