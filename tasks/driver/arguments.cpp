#include "tasks/driver/arguments.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/plugin/plugin_index.hpp"
#include "sdk/include/levin/tasks.h"
#include "tasks/driver/driver.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, "host tasks: " + what); }

// The options with a number, which may also be given when a job goes on.
struct NumberOption {
  OptionSchema schema;
  void (*set)(JobSettings&, const nlohmann::json&);
};
const std::vector<NumberOption>& number_options() {
  static const std::vector<NumberOption> table = {
      {int_option("workers", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.workers = v; }},
      {int_option("attempts", 3, 1, ""), [](JobSettings& s, const nlohmann::json& v) { s.attempts = v; }},
      {float_option("time_limit", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.time_limit = v; }},
      {int_option("max_size", 64, 1, ""), [](JobSettings& s, const nlohmann::json& v) { s.max_size = v; }},
      {int_option("memory", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.memory = v; }},
  };
  return table;
}

// What was written, before it is checked.
struct Words {
  std::map<std::string, std::string> options;
  std::vector<std::string> plugins, names;
  nlohmann::json own = nlohmann::json::object();  // of the component

  std::optional<std::string> get(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::nullopt : std::optional(found->second);
  }
};

bool is_flag(const std::string& name) { return name == "trust" || name == "json"; }

std::vector<std::string> known_options() {
  std::vector<std::string> out = {"library",          "component", "file",  "resume",
                                  "default_root_dir", "plugins",   "trust", "json"};
  for (const NumberOption& option : number_options()) out.push_back(option.schema.name);
  return out;
}

Words read_words(const std::vector<std::string>& all) {
  Words out;
  const std::vector<std::string> known = known_options();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!starts_with(all[i], "--")) {
      out.names.push_back(all[i]);
      continue;
    }
    const size_t equals = all[i].find('=');
    const std::string name = all[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool own = starts_with(name, "tasks.");
    if (!own && std::find(known.begin(), known.end(), name) == known.end())
      refuse("there is no option --" + name + did_you_mean(name, known, 20));
    std::string value;
    const bool follows = i + 1 < all.size() && !starts_with(all[i + 1], "--");
    if (equals != std::string::npos)
      value = all[i].substr(equals + 1);
    else if (!is_flag(name) && follows)
      value = all[++i];
    else if (!is_flag(name) && !own)
      refuse("--" + name + ": a value is missing");
    const bool bare = equals == std::string::npos && !follows;
    if (own)
      out.own[name.substr(6)] = bare ? nlohmann::json(true) : nlohmann::json(value);
    else if (name == "plugins")
      out.plugins.push_back(value);
    else if (!out.options.emplace(name, value).second)
      refuse("--" + name + " is given twice");
  }
  return out;
}

void set_numbers(const Words& words, JobSettings& settings) {
  for (const NumberOption& option : number_options())
    if (const auto text = words.get(option.schema.name))
      option.set(settings, check_option(option.schema, *text, "--" + option.schema.name));
}

JobFiles run_folder(const std::string& written) {
  fs::path folder = absolute_path(written).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (!is_folder(folder)) refuse("there is no folder '" + written + "'");
  return {folder};
}

JobFiles free_folder(const fs::path& root) {
  for (int i = 0;; ++i) {
    const fs::path folder = root / "levin_logs" / ("tasks_" + std::to_string(i));
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed);
    if (fs::create_directory(folder, failed)) return {folder};
    if (failed) throw Error(ErrorKind::run, folder.string() + " cannot be made: " + failed.message());
  }
}

JobSettings new_job(const Words& words) {
  JobSettings out;
  const auto library = words.get("library"), file = words.get("file");
  if (!library) refuse("no library is named: host tasks --library libmytasks.so --file tasks.txt");
  if (!file) refuse("no file of tasks is named: host tasks --library " + *library + " --file tasks.txt");
  out.file = absolute_path(*file).string();
  if (!is_file(out.file)) refuse("--file: there is no file '" + *file + "'");
  out.trust = words.get("trust").has_value();
  PluginIndex index(plugin_dirs(words.plugins), out.trust);
  const auto component = words.get("component");
  const PluginIndex::Found found = index.find(*library + (component ? ":" + *component : ""), LEVIN_KIND_TASKS);
  out.library = found.file->path.string();
  out.sha256 = sha256_file(out.library);
  out.component = found.component->id;
  out.options = resolve_options(found.component->options, words.own, "tasks '" + out.component + "'");
  set_numbers(words, out);
  return out;
}

JobSettings same_job(const Words& words, const JobFiles& files) {
  JobSettings out = Driver::settings_of(files);
  for (const char* fixed : {"library", "component", "file", "default_root_dir"})
    if (words.get(fixed)) refuse(std::string("--") + fixed + " cannot be changed with --resume; start a new job");
  if (!words.own.empty()) refuse("options of the component cannot be changed with --resume; start a new job");
  if (!is_file(out.library) || sha256_file(out.library) != out.sha256)
    throw Error(ErrorKind::plugin, out.library +
                                       " has changed since the job was started, and results of two libraries "
                                       "must not be mixed: put it back, or start a new job");
  set_numbers(words, out);
  return out;
}

}  // namespace

TasksArguments read_tasks_arguments(const std::vector<std::string>& all) {
  const Words words = read_words(all);
  TasksArguments out;
  out.json = words.get("json").has_value();
  out.report = !words.names.empty() && words.names[0] == "report";
  const size_t most_names = out.report ? 2 : 0;
  if (words.names.size() > most_names) refuse("unexpected argument '" + words.names[most_names] + "'");
  if (out.report) {
    if (words.names.size() < 2) refuse("no run folder is named: host tasks report levin_logs/tasks_0");
    out.files = run_folder(words.names[1]);
  } else if (const auto folder = words.get("resume")) {
    out.files = run_folder(*folder);
    out.settings = same_job(words, out.files);
  } else {
    out.settings = new_job(words);
    out.files = free_folder(absolute_path(words.get("default_root_dir").value_or(".")).lexically_normal());
  }
  return out;
}

}  // namespace levin::core::tasks
