#include "sweep/driver/settings.hpp"

#include <algorithm>
#include <functional>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"

namespace levin::core::sweep {
namespace {

using nlohmann::json;

constexpr int64_t most_trials = 1000000;
constexpr int64_t most_epochs = 1000000000;

// A member of the file: how it is written and read. Members that the sweep adds by itself are read, too.
struct Member {
  const char* name;
  bool (*holds)(const json&);
  const char* wanted;
  std::function<json(const SweepSettings&)> get;
  std::function<void(SweepSettings&, const json&)> set;
};

bool is_seed(const json& value) { return json_rule::count(value); }
bool is_words(const json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const json& word) { return word.is_string(); });
}
bool is_mode(const json& value) { return value == "min" || value == "max"; }
bool is_sampler(const json& value) { return value.is_string() && value_named<SamplerKind>(value.get<std::string>()); }
bool is_schedule(const json& value) { return value.is_string() && value_named<ScheduleKind>(value.get<std::string>()); }

std::vector<Member> own_members() {
  using S = SweepSettings;
  return {
      {"metric", json_rule::text, "a text", [](const S& s) { return json(s.metric); },
       [](S& s, const json& v) { s.metric = v; }},
      {"mode", is_mode, "min or max", [](const S& s) { return json(s.mode); }, [](S& s, const json& v) { s.mode = v; }},
      {"trials", json_rule::count, "a count", [](const S& s) { return json(s.schedule.trials); },
       [](S& s, const json& v) { s.schedule.trials = v; }},
      {"workers", json_rule::count, "a count", [](const S& s) { return json(s.workers); },
       [](S& s, const json& v) { s.workers = v; }},
      {"sampler", is_sampler, "grid, random or tpe", [](const S& s) { return json(name_of(s.sampler)); },
       [](S& s, const json& v) { s.sampler = *value_named<SamplerKind>(v.get<std::string>()); }},
      {"scheduler", is_schedule, "none, asha or pbt", [](const S& s) { return json(name_of(s.schedule.kind)); },
       [](S& s, const json& v) { s.schedule.kind = *value_named<ScheduleKind>(v.get<std::string>()); }},
      {"min_epochs", json_rule::count, "a count", [](const S& s) { return json(s.schedule.min_epochs); },
       [](S& s, const json& v) { s.schedule.min_epochs = v; }},
      {"factor", json_rule::count, "a count", [](const S& s) { return json(s.schedule.factor); },
       [](S& s, const json& v) { s.schedule.factor = v; }},
      {"interval", json_rule::count, "a count", [](const S& s) { return json(s.schedule.interval); },
       [](S& s, const json& v) { s.schedule.interval = v; }},
      {"max_epochs", json_rule::count, "a count", [](const S& s) { return json(s.schedule.max_epochs); },
       [](S& s, const json& v) { s.schedule.max_epochs = v; }},
      {"seed", is_seed, "a count", [](const S& s) { return json(s.schedule.seed); },
       [](S& s, const json& v) { s.schedule.seed = v; }},
      {"command", is_words, "a list of words", [](const S& s) { return json(s.command); },
       [](S& s, const json& v) { s.command = v.get<std::vector<std::string>>(); }},
      {"where", json_rule::text, "a folder", [](const S& s) { return json(s.where); },
       [](S& s, const json& v) { s.where = v; }},
      {"gpus", json_rule::count, "a count", [](const S& s) { return json(s.gpus); },
       [](S& s, const json& v) { s.gpus = v; }},
      {"secret_options", is_words, "a list of words", [](const S& s) { return json(s.secret_options); },
       [](S& s, const json& v) { s.secret_options = v.get<std::vector<std::string>>(); }},
  };
}

const std::vector<Member>& members() {
  static const std::vector<Member> table = [] {
    std::vector<Member> out = own_members();
    for (const tasks::ServerOption& option : tasks::server_options())
      out.push_back({option.name, json_rule::text, option.is_file ? "a file" : "a text",
                     [&option](const SweepSettings& s) { return json(s.*option.member); },
                     [&option](SweepSettings& s, const json& v) { s.*option.member = v.get<std::string>(); }});
    return out;
  }();
  return table;
}

void read_parameters(SweepSettings& out, const json& params, const std::string& name) {
  if (!params.is_object())
    throw Error(ErrorCode::file_content_invalid,
                name + ": params has to be an object: {\"model.lr\": \"log(1e-4,1e-1)\"}");
  for (const auto& [option, values] : params.items())
    add_parameter(out, option, values.is_string() ? values.get<std::string>() : values.dump(), name + ": " + option);
}

}  // namespace

void refuse_sweep(ErrorCode code, const std::string& what) { throw Error(code, "host sweep: " + what); }

json to_json(const SweepSettings& settings) {
  json out = {{"params", json::object()}};
  for (const Parameter& parameter : settings.parameters) out["params"][parameter.option] = parameter.text;
  for (const Member& member : members()) out[member.name] = member.get(settings);
  return out;
}

SweepSettings settings_in(const json& file, const std::string& name) {
  if (!file.is_object()) throw Error(ErrorCode::file_content_invalid, name + " is not an object");
  std::vector<std::string> known = {"params"};
  for (const Member& member : members()) known.emplace_back(member.name);
  SweepSettings out;
  for (const auto& [key, value] : file.items()) {
    if (key == "params") {
      read_parameters(out, value, name);
      continue;
    }
    const auto found =
        std::find_if(members().begin(), members().end(), [&key = key](const Member& m) { return key == m.name; });
    if (found == members().end())
      throw Error(ErrorCode::file_content_invalid, name + ": " + unknown_name("a sweep has no", key, known));
    check_json(file, JsonRule{found->name, found->holds, found->wanted}, name, ErrorCode::file_content_invalid);
    found->set(out, value);
  }
  return out;
}

void check_settings(const SweepSettings& settings) {
  const ScheduleOptions& schedule = settings.schedule;
  if (settings.parameters.empty())
    refuse_sweep(ErrorCode::option_missing, "nothing varies; name an option: --param 'model.lr=log(1e-4,1e-1)'");
  if (settings.command.empty())
    refuse_sweep(ErrorCode::argument_missing,
                 "the command of the trials is missing: host sweep --param ... fit --model X ...");
  if (settings.workers < 1) refuse_sweep(ErrorCode::option_value_invalid, "--workers takes a count from 1");
  if (settings.server.empty() && settings.gpus > 0)
    refuse_sweep(ErrorCode::option_missing, "--gpus needs --server: without it trials share the GPUs of this machine");
  for (const tasks::ServerOption& option : tasks::server_options())
    if (settings.server.empty() && !(settings.*option.member).empty())
      refuse_sweep(ErrorCode::option_missing, std::string("--") + option.name + " needs --server");
  tasks::check_server_options(settings);
  if (schedule.trials < 1)
    refuse_sweep(ErrorCode::option_missing, "how many trials? Add --trials N (--sampler grid tries all combinations)");
  if (schedule.trials > most_trials)
    refuse_sweep(ErrorCode::option_value_invalid, "a sweep has at most " + std::to_string(most_trials) +
                                                      " trials, not " + std::to_string(schedule.trials));
  if (schedule.kind == ScheduleKind::asha && schedule.factor < 2)
    refuse_sweep(ErrorCode::option_value_invalid, "--factor takes a count from 2");
  if (schedule.min_epochs < 1 || schedule.interval < 1)
    refuse_sweep(ErrorCode::option_value_invalid, "--min_epochs and --interval take a count from 1");
  if (schedule.kind == ScheduleKind::pbt && schedule.trials < 2)
    refuse_sweep(ErrorCode::options_conflict, "a population needs --trials 2 or more");
}

void check_epochs(const ScheduleOptions& schedule) {
  if (schedule.kind == ScheduleKind::none) return;
  const bool population = schedule.kind == ScheduleKind::pbt;
  const std::string epochs = std::to_string(schedule.max_epochs);
  if (schedule.max_epochs > most_epochs)
    refuse_sweep(ErrorCode::option_value_invalid, "--max_epochs " + epochs + " is too many for a scheduler");
  if ((population ? schedule.interval : schedule.min_epochs) >= schedule.max_epochs)
    refuse_sweep(ErrorCode::options_conflict,
                 std::string(population ? "--interval" : "--min_epochs") + " has to be below --max_epochs " + epochs);
  if (population && schedule.max_epochs % schedule.interval != 0)
    refuse_sweep(ErrorCode::options_conflict,
                 "--max_epochs " + epochs + " is no multiple of --interval " + std::to_string(schedule.interval));
}

void add_parameter(SweepSettings& settings, const std::string& option, const std::string& text,
                   const std::string& where) {
  Parameter parameter = read_parameter(option, text, where);
  const auto place = std::lower_bound(settings.parameters.begin(), settings.parameters.end(), option,
                                      [](const Parameter& p, const std::string& name) { return p.option < name; });
  if (place != settings.parameters.end() && place->option == option)
    throw Error(ErrorCode::options_conflict, where + " is given twice; list all values in one");
  settings.parameters.insert(place, std::move(parameter));
}

SweepFolder sweep_folder(const std::string& written) {
  std::filesystem::path path = absolute_path(written).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const SweepFolder out{path};
  if (!is_folder(path)) throw Error(ErrorCode::folder_not_found, "host sweep: there is no folder '" + written + "'");
  if (is_file(out.settings())) return out;
  require_readable_folder(path);
  throw Error(ErrorCode::not_a_run_folder, "host sweep: '" + written + "' is no sweep: it has no sweep.json");
}

SweepSettings load_settings(const SweepFolder& folder) {
  return settings_in(parse_json(read_file(folder.settings()), folder.settings().string()), folder.settings().string());
}

}  // namespace levin::core::sweep
