#include "host/config_files/config_layers.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/config/run_config.hpp"
#include "host/config_files/config_file.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
constexpr size_t max_included_files = 100;

// Returns the text without a UTF-8 byte order mark.
std::string without_mark(const std::string& text) { return starts_with(text, "\xEF\xBB\xBF") ? text.substr(3) : text; }

// Throws Error{usage} if the text is not JSON and its name does not say another format of configurations. The message
// names the probable format. written: the file as the user wrote it, with its place.
void refuse_other_formats(const std::string& text, const std::string& file, const std::string& written) {
  if (format_named(file) != ConfigFormat::json) return;
  const size_t first = text.find_first_not_of(" \t\r\n");
  const char* const beginnings = ends_with(lower(file), ".json") ? "{/[" : "{/";  // a list in JSON is refused by name
  if (first != std::string::npos && std::string(beginnings).find(text[first]) != std::string::npos) return;
  static const struct {
    const char *beginning, *ending, *advice;
  } others[] = {{"\177ELF", ".so", "; a plugin is named with --model, --data, --callback or --logger"},
                {"", ".ckpt", "; a checkpoint is named with --ckpt_path"},
                {"", ".csv", "; data is an option of a data module: see host help data"}};
  std::string advice;
  for (const auto& other : others)
    if (ends_with(lower(file), other.ending) || (*other.beginning && starts_with(text, other.beginning)))
      advice = other.advice;
  const std::string line = text.substr(0, text.find('\n'));
  throw Error(ErrorCode::file_syntax,
              written +
                  ": a configuration file is JSON and begins with {, or is named .yaml, .yml or .toml, but this file " +
                  (first == std::string::npos ? "is empty"
                                              : "begins with " + (is_utf8(line) ? show(line.substr(0, 30)) : "bytes")) +
                  advice);
}

// Removes a member from the document, and returns it with the places of its own members.
JsonDocument take_member(JsonDocument& document, const std::string& key) {
  JsonDocument out;
  const std::string prefix = key + "/";
  for (auto at = document.places.lower_bound(prefix); at != document.places.end() && starts_with(at->first, prefix);
       ++at)
    out.places.emplace(at->first.substr(prefix.size()), at->second);
  out.value = std::move(document.value.at(key));
  document.value.erase(key);
  return out;
}

class FileReader {
 public:
  ConfigFiles read(const std::vector<std::string>& files) {
    for (const std::string& file : files) add(file, "--config " + file, false);
    return std::move(out_);
  }

 private:
  void add(const std::string& name, const std::string& written, bool included) {
    const std::string own = identity(name);
    if (std::find(open_.begin(), open_.end(), own) != open_.end()) {
      std::vector<std::string> circle(names_.begin(), names_.end());
      circle.push_back(name);
      throw Error(ErrorCode::file_content_invalid, written + ": the files include each other: " + join(circle, " -> "));
    }
    if (!seen_.insert(own).second && included) return;
    if (seen_.size() > max_included_files)
      throw Error(ErrorCode::file_content_invalid,
                  written + ": more than " + std::to_string(max_included_files) + " files are included");
    const std::string text = without_mark(read_text(name, written, included));
    refuse_other_formats(text, name, written);
    ConfigLayer layer{name, parse_config(text, name)};
    if (is_run_config(layer.document.value)) {
      if (included)
        throw Error(ErrorCode::file_content_invalid,
                    written + ": the configuration of a run cannot be included; give it to --config");
    } else if (layer.document.value.is_object()) {
      open_.push_back(own);
      names_.push_back(name);
      if (layer.document.value.contains("include")) include(layer);
      if (layer.document.value.contains("profiles")) profiles(layer);
      open_.pop_back();
      names_.pop_back();
    }
    out_.layers.push_back(std::move(layer));
  }

  static std::string read_text(const std::string& name, const std::string& written, bool included) {
    try {
      return read_file_or_pipe(name, max_config_bytes + 1);
    } catch (const Error& error) {
      if (!included) throw;
      throw Error(error.code(), written + ": " + error.what());
    }
  }

  // Two names of one file have the same identity.
  static std::string identity(const std::string& name) {
    std::error_code failed;
    const fs::path path = fs::canonical(name, failed);
    return failed ? name : path.string();
  }

  void include(ConfigLayer& layer) {
    const std::string where = layer.document.place_text(layer.name, "include") + ": ";
    json files = take_member(layer.document, "include").value;
    if (files.is_string()) files = json::array({files});
    const auto is_text = [](const json& file) { return file.is_string() && !file.get<std::string>().empty(); };
    if (!files.is_array() || !std::all_of(files.begin(), files.end(), is_text))
      throw Error(ErrorCode::file_content_invalid, where + "'include' is the path of a file, or a list of paths");
    for (const json& file : files) {
      const std::string text = file;
      const fs::path path = starts_with(text, "~/") ? absolute_path(text) : fs::path(text);
      const fs::path found = path.is_absolute() ? path : fs::path(layer.name).parent_path() / path;
      add(found.lexically_normal().string(), where + "include " + text, true);
    }
  }

  void profiles(ConfigLayer& layer) {
    const std::string where = layer.document.place_text(layer.name, "profiles") + ": ";
    JsonDocument profiles = take_member(layer.document, "profiles");
    if (!profiles.value.is_object())
      throw Error(ErrorCode::file_content_invalid,
                  where + "'profiles' has configurations by name: {\"NAME\": {\"trainer\": {...}}}");
    std::vector<std::string> names;
    for (const auto& item : profiles.value.items()) names.push_back(item.key());
    for (const std::string& name : names) {
      if (!profiles.value.at(name).is_object())
        throw Error(ErrorCode::file_content_invalid, profiles.place_text(layer.name, name) + ": the profile '" + name +
                                                         "' is no configuration: write {\"trainer\": {...}}");
      out_.profile_names.push_back(name);
      out_.profiles.push_back({layer.name, take_member(profiles, name)});
    }
  }

  std::vector<std::string> open_, names_;  // the files whose includes are being read
  std::set<std::string> seen_;
  ConfigFiles out_;
};

}  // namespace

ConfigFiles read_config_files(const std::vector<std::string>& files) { return FileReader().read(files); }

std::vector<ConfigLayer> with_profiles(const ConfigFiles& files, const std::vector<std::string>& names) {
  std::vector<ConfigLayer> out = files.layers;
  for (const std::string& name : names) {
    const size_t before = out.size();
    for (size_t i = 0; i < files.profiles.size(); ++i)
      if (files.profile_names[i] == name) out.push_back(files.profiles[i]);
    if (out.size() != before) continue;
    if (files.profile_names.empty())
      throw Error(ErrorCode::option_value_invalid, "--profile " + name + ": no file of --config has profiles");
    std::vector<std::string> known = files.profile_names;  // two files may have profiles of one name
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw Error(ErrorCode::option_value_invalid, unknown_name("--profile: there is no profile", name, known));
  }
  return out;
}

}  // namespace levin::core
