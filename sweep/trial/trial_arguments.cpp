#include "sweep/trial/trial_arguments.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "sweep/run/trial_command.hpp"

namespace levin::core::sweep {
namespace {

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  TrialArguments read() {
    while (at_ < words_.size() && starts_with(words_[at_], "--")) option();
    if (!json_) refuse_trial(ErrorCode::option_missing, "add --json: trials speak in lines of JSON");
    if (at_ == words_.size() || words_[at_] != "fit")
      refuse_trial(ErrorCode::argument_missing,
                   "the command of the trials is missing: host trial --json fit --model X ...");
    out_.command.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end());
    if (mode_.empty() && out_.metric.find("loss") == std::string::npos)
      refuse_trial(ErrorCode::option_missing,
                   "is a large or a small " + out_.metric + " better? Add --mode max or --mode min");
    out_.maximizes = mode_ == "max";
    return out_;
  }

 private:
  void option() {
    const std::string word = words_[at_++], name = word.substr(2, word.find('=') - 2);
    if (word == "--json") {
      json_ = true;
    } else if (name == "metric") {
      out_.metric = value(word);
    } else if (name == "mode") {
      mode_ = value(word);
      if (mode_ != "min" && mode_ != "max")
        refuse_trial(ErrorCode::option_value_invalid, "--mode is min or max, not '" + mode_ + "'");
    } else if (name == "params") {
      out_.params = parse_json(value(word), "--params");
      words_of_params(*out_.params);
    } else {
      refuse_trial(ErrorCode::option_unknown,
                   unknown_name("there is no option", "--" + name, {"--json", "--metric", "--mode", "--params"}) +
                       "; options of the trials come behind fit");
    }
  }

  std::string value(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string out = equals != std::string::npos ? word.substr(equals + 1)
                            : at_ < words_.size()       ? words_[at_++]
                                                        : "";
    if (out.empty()) refuse_trial(ErrorCode::argument_missing, word + ": a value is missing");
    return out;
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  bool json_ = false;
  std::string mode_;
  TrialArguments out_;
};

}  // namespace

void refuse_trial(ErrorCode code, const std::string& what) { throw Error(code, "host trial: " + what); }

TrialArguments read_trial_arguments(const std::vector<std::string>& words) { return Reader(words).read(); }

std::vector<std::string> words_of_params(const nlohmann::json& params) {
  if (!params.is_object())
    refuse_trial(ErrorCode::option_value_invalid, "params has to be an object: {\"model.lr\": 0.01}");
  std::vector<std::string> out;
  for (const auto& [option, value] : params.items()) {
    if (option.empty() || option[0] == '-' || option.find('=') != std::string::npos)
      refuse_trial(ErrorCode::option_unknown, "params: '" + option + "' is no option; write it without dashes");
    if (names_run_folder(option))
      refuse_trial(ErrorCode::option_unsupported, "params: " + option + " is chosen for each trial");
    out.push_back("--" + option + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return out;
}

}  // namespace levin::core::sweep
