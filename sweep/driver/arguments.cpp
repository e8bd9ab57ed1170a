#include "sweep/driver/arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "sweep/driver/secrets.hpp"

namespace levin::core::sweep {
namespace {

using nlohmann::json;

constexpr const char* verbs[] = {"status", "best", "report"};
constexpr const char* text_options[] = {"metric", "mode", "sampler", "scheduler"};
constexpr const char* count_options[] = {"trials", "workers", "gpus", "min_epochs", "factor", "interval", "seed"};
constexpr const char* other_options[] = {"param", "file", "resume"};

std::vector<std::string> option_names() {
  std::vector<std::string> out;
  for (const char* name : text_options) out.emplace_back(name);
  for (const tasks::ServerOption& option : tasks::server_options()) out.emplace_back(option.name);
  for (const char* name : count_options) out.emplace_back(name);
  for (const char* name : other_options) out.emplace_back(name);
  return out;
}

const tasks::ServerOption* server_option(const std::string& name) {
  for (const tasks::ServerOption& option : tasks::server_options())
    if (name == option.name) return &option;
  return nullptr;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  SweepArguments read() {
    SweepArguments out;
    if (!words_.empty() && is_one_of(words_[0], verbs)) return verb();
    while (at_ < words_.size() && starts_with(words_[at_], "--")) option();
    const std::vector<std::string> command = this->command();
    if (resume_) return resumed(command);
    json all = file_ ? parse_json(read_file(*file_), *file_) : json::object();
    if (!all.is_object()) refuse_sweep(ErrorCode::file_content_invalid, *file_ + " is not an object");
    for (const auto& [name, value] : given_.items()) all[name] = value;
    if (!command.empty()) all["command"] = command;
    for (const char* own : {"secret_options", "max_epochs"}) all.erase(own);  // of the sweep that wrote the file
    all["where"] = std::filesystem::current_path().string();
    out.settings = settings_in(with_params(std::move(all)), file_.value_or("host sweep"));
    check(out.settings);
    return out;
  }

 private:
  SweepArguments verb() {
    SweepArguments out;
    out.verb = words_[0];
    std::vector<std::string> names;
    for (size_t i = 1; i < words_.size(); ++i) {
      if (words_[i] == "--json")
        out.json = true;
      else if (starts_with(words_[i], "--"))
        refuse_sweep(ErrorCode::option_unknown,
                     "there is no option " + words_[i] + " of " + out.verb + "; known: --json");
      else
        names.push_back(words_[i]);
    }
    if (names.size() != 1)
      refuse_sweep(ErrorCode::argument_missing, "name one folder: host sweep " + out.verb + " levin_logs/sweep_0");
    out.folder = sweep_folder(names[0]);
    return out;
  }

  SweepArguments resumed(const std::vector<std::string>& command) {
    for (const auto& [name, value] : given_.items())
      if (name != "workers" && name != "trials" && !server_option(name))
        refuse_sweep(ErrorCode::options_conflict,
                     "--" + name + " cannot be changed with --resume, only --workers and --trials; start a new sweep");
    if (!params_.empty() || file_)
      refuse_sweep(ErrorCode::options_conflict,
                   "--resume goes on with the same parameters; leave out all but --workers, --trials and secrets");
    SweepArguments out;
    out.folder = sweep_folder(*resume_);
    out.settings = load_settings(*out.folder);
    if (given_.contains("trials") && out.settings.schedule.kind == ScheduleKind::pbt)
      refuse_sweep(ErrorCode::options_conflict, "--trials is the size of the population, which cannot change");
    for (const tasks::ServerOption& option : tasks::server_options())
      if (given_.contains(option.name) && out.settings.server.empty())
        refuse_sweep(
            ErrorCode::options_conflict,
            std::string("--") + option.name + ": the trials of this sweep run on this machine; start a new sweep");
    json all = to_json(out.settings);
    for (const auto& [name, value] : given_.items()) all[name] = value;
    out.settings = settings_in(all, out.folder->settings().string());
    check(out.settings);
    check_epochs(out.settings.schedule);
    give_secrets(out.settings, command);
    return out;
  }

  void option() {
    const std::string word = words_[at_];
    std::string name = word.substr(2, word.find('=') - 2);
    std::replace(name.begin(), name.end(), '-', '_');
    const std::vector<std::string> known = option_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_sweep(
          ErrorCode::option_unknown,
          "there is no option --" + name + " before the command of the trials" + did_you_mean(name, known, 0) +
              "; a trial's own options come after its command: host sweep --param model.lr=0.1,0.01 fit --model X ...");
    const std::string text = value(name);
    if (name == "param") return parameter(text);
    if (name == "file" || name == "resume") {
      std::optional<std::string>& place = name == "file" ? file_ : resume_;
      if (place) refuse_sweep(ErrorCode::options_conflict, "--" + name + " is given twice");
      place = text;
      return;
    }
    if (given_.contains(name)) refuse_sweep(ErrorCode::options_conflict, "--" + name + " is given twice");
    const tasks::ServerOption* of_server = server_option(name);
    given_[name] = is_one_of(name, count_options)    ? count(name, text)
                   : of_server && of_server->is_file ? json(absolute_path(text).string())
                                                     : json(text);
  }

  std::string value(const std::string& name) {
    const std::string& word = words_[at_++];
    const size_t equals = word.find('=');
    std::string out;
    if (equals != std::string::npos)
      out = word.substr(equals + 1);
    else if (at_ < words_.size() && !starts_with(words_[at_], "--"))
      out = words_[at_++];
    if (out.empty()) refuse_sweep(ErrorCode::argument_missing, "--" + name + ": a value is missing");
    return out;
  }

  json count(const std::string& name, const std::string& text) const {
    const bool digits = text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || (std::stoll(text) == 0 && name != "seed"))
      refuse_sweep(ErrorCode::option_value_invalid, "--" + name + " takes a count, not '" + text + "'");
    return std::stoll(text);
  }

  void parameter(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse_sweep(ErrorCode::search_space_invalid,
                   "--param " + text + ": write --param OPTION=VALUES, such as --param 'model.lr=log(1e-4,1e-1)'");
    std::string name = text.substr(0, equals);
    while (starts_with(name, "-")) name.erase(0, 1);
    params_.emplace_back(name, text.substr(equals + 1));
  }

  // Parameters of the command line replace those of the file.
  json with_params(json all) {
    if (!all.contains("params")) all["params"] = json::object();
    std::vector<std::string> seen;
    for (const auto& [name, text] : params_) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end())
        refuse_sweep(ErrorCode::options_conflict, "--param " + name + " is given twice; list all values in one");
      seen.push_back(name);
      read_parameter(name, text, "--param " + name);  // its errors name the option
      all["params"][name] = text;
    }
    return all;
  }

  std::vector<std::string> command() {
    if (at_ == words_.size()) return {};
    if (words_[at_] != "fit")
      refuse_sweep(ErrorCode::argument_unexpected,
                   "'" + words_[at_] + "' cannot be swept; a trial is a fit: host sweep ... fit --model X");
    return {words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end()};
  }

  static void check(SweepSettings& settings) {
    ScheduleOptions& schedule = settings.schedule;
    if (!settings.command.empty() && settings.command[0] == "fit") settings.command.erase(settings.command.begin());
    if (settings.mode.empty() && settings.metric.find("loss") == std::string::npos)
      refuse_sweep(ErrorCode::option_missing,
                   "is a large or a small " + settings.metric + " better? Add --mode max or --mode min");
    if (settings.mode.empty()) settings.mode = "min";
    if (settings.sampler == SamplerKind::grid && !settings.parameters.empty()) {
      const auto size = static_cast<int64_t>(grid_size(settings.parameters));
      schedule.trials = schedule.trials == 0 ? size : std::min(schedule.trials, size);
    }
    check_settings(settings);
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  json given_ = json::object();
  std::vector<std::pair<std::string, std::string>> params_;
  std::optional<std::string> file_, resume_;
};

}  // namespace

SweepArguments read_sweep_arguments(const std::vector<std::string>& words) { return Reader(words).read(); }

}  // namespace levin::core::sweep
