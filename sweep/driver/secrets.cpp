#include "sweep/driver/secrets.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace levin::core::sweep {
namespace {

std::string with_underscores(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

}  // namespace

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

void take_secrets(SweepSettings& settings, const std::vector<std::string>& origins) {
  for (const std::string& origin : origins) {
    if (!starts_with(origin, "--"))
      refuse_sweep(origin + " sets a secret; give it as an option, because trials that continue take it only so");
    for (const Parameter& parameter : settings.parameters)
      if (with_underscores("--" + parameter.option) == with_underscores(origin))
        refuse_sweep("--param " + parameter.option + ": the option is a secret, and study.journal keeps its values");
    settings.secret_options.push_back(origin);
    settings.secrets.push_back(origin + "=" + take_option(settings.command, origin).value_or(""));
  }
}

void give_secrets(SweepSettings& settings, std::vector<std::string> words) {
  for (const std::string& option : settings.secret_options) {
    const std::optional<std::string> value = take_option(words, option);
    if (!value)
      refuse_sweep(option + " is a secret, which sweep.json does not keep; add it: host sweep --resume SWEEP fit " +
                   option + " VALUE");
    settings.secrets.push_back(option + "=" + *value);
  }
  if (!words.empty())
    refuse_sweep("--resume goes on with the same command; leave out " + words[0].substr(0, words[0].find('=')));
}

}  // namespace levin::core::sweep
