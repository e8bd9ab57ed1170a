#include "core/plugin/plugin_index.hpp"
#include "core/plugin/more_plugins.hpp"

#include <algorithm>
#include <set>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/config/program_file.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* cure_of_unasked = "name it once, as in host inspect FILE, or build it with levin_add_plugin()";

constexpr uint32_t any_kind = 0;

bool has_kind(const PluginSchema& schema, uint32_t kind) {
  return std::any_of(schema.components.begin(), schema.components.end(), [&](const auto& c) { return c.kind == kind; });
}

bool is_file_name(const std::string& name) { return name.find('/') != std::string::npos || ends_with(name, ".so"); }

// Returns true for a dangling link too, which gets a message of its own.
bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? path : real;
}

// Splits FILE.so:COMPONENT into the file and the component, which is "" if none is named.
std::pair<std::string, std::string> split_component(const std::string& name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos || is_there(name) || !ends_with(name.substr(0, colon), ".so")) return {name, ""};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

std::string list_components(const PluginSchema& schema) {
  std::vector<std::string> parts;
  for (const auto& c : schema.components) parts.push_back(std::string(kind_name(c.kind)) + " " + c.id);
  return join(parts, ", ");
}

const ComponentSchema& choose(const PluginFile& file, const std::string& id, uint32_t kind) {
  require_usable(file.problem);
  const std::string path = file.path.string(), what = kind_name(kind);
  std::vector<const ComponentSchema*> fitting;
  for (const auto& c : file.schema.components)
    if (c.kind == kind && (id.empty() || c.answers_to(id))) fitting.push_back(&c);
  if (fitting.empty())
    throw Error(ErrorCode::component_not_in_plugin, path + ": has no " + what + (id.empty() ? "" : " '" + id + "'") +
                                                        "; it has: " + list_components(file.schema));
  if (fitting.size() == 1) return *fitting[0];
  std::vector<std::string> names;
  for (const auto* c : fitting) names.push_back(file.path.filename().string() + ":" + c->id);
  throw Error(ErrorCode::plugin_ambiguous,
              path + ": has several components of kind " + what + "; name one: " + join(names, ", "));
}

[[noreturn]] void refuse_ambiguous(const std::string& id, const PluginIndex::Found& a, const PluginIndex::Found& b) {
  const std::string first = a.component->full_name(), second = b.component->full_name();
  throw Error(ErrorCode::plugin_ambiguous, std::string("the ") + kind_name(a.component->kind) + " '" + id + "' is in " +
                                               a.file->path.string() + " and in " + b.file->path.string() + "; name " +
                                               (first == second ? "the file" : "one: " + first + ", " + second));
}

std::vector<fs::path> libraries_in(const fs::path& dir) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator it(dir, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".so") out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

PluginIndex::PluginIndex(std::vector<fs::path> dirs, bool trust)
    : PluginIndex(std::move(dirs), trust, Probe{host_program()}) {
  probe_.trust = trust;
}

PluginIndex::PluginIndex(std::vector<fs::path> dirs, bool trust, Probe probe)
    : dirs_(std::move(dirs)), trust_(trust), probe_(std::move(probe)) {}

// folders: if given, the path's folder is resolved.
PluginFile PluginIndex::read(const fs::path& path, bool named, KnownFolders* folders) const {
  PluginFile out;
  out.path = folders != nullptr ? path : resolved(path.parent_path()) / path.filename();
  try {
    const OpenFile file(out.path, trust_, folders);
    const ElfFile elf = read_elf(file.fd(), out.path.string());
    out.warnings = check_elf(elf, out.path.string(), HostFacts::here(), trust_, folders);
    read_description(file, elf, named, out);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::system_call_failed) throw;  // says nothing about the file
    out.problem = e.what();
  }
  return out;
}

// A plugin that was not built by levin_add_plugin() contains no description. A child process then describes it, but
// only if the user has named the file, because this runs the plugin's code.
void PluginIndex::read_description(const OpenFile& file, const ElfFile& elf, bool named, PluginFile& out) const {
  if (!elf.description.empty()) {
    out.schema = embedded_description(elf, out.path.string());
    return;
  }
  const std::optional<Verdict> verdict =
      named ? std::optional<Verdict>(probe_.ask(file, elf)) : probe_.known(file, elf);
  out.unasked = !verdict;
  out.problem = verdict ? verdict->problem
                        : out.path.string() +
                              ": has no description, and the code of a file that you have not named is not run: " +
                              cure_of_unasked + " (P8)";
  if (!out.problem.empty()) return;
  ElfFile described = elf;
  described.description = verdict->description;
  out.schema = embedded_description(described, out.path.string());
}

const std::deque<PluginFile>& PluginIndex::files() {
  if (scanned_) return files_;
  scanned_ = true;
  std::set<fs::path> seen;
  KnownFolders folders;
  std::error_code ignored;
  for (const auto& dir : dirs_)
    for (const auto& path : libraries_in(resolved(dir))) {
      PluginFile file = read(path, false, &folders);
      const bool link = fs::is_symlink(fs::symlink_status(path, ignored));
      if (seen.insert(link ? resolved(path) : path).second) files_.push_back(std::move(file));
    }
  return files_;
}

const PluginFile& PluginIndex::named_file(const fs::path& path) {
  PluginFile file = read(path, true);
  for (const auto& known : named_)
    if (known.path == file.path && known.problem == file.problem) return known;
  return named_.emplace_back(std::move(file));
}

const PluginFile* PluginIndex::in_dirs(const fs::path& file_name) {
  for (const auto& dir : dirs_)
    if (is_there(dir / file_name)) return &named_file(dir / file_name);
  return nullptr;
}

const PluginFile& PluginIndex::file(const std::string& name) { return file_for(name, any_kind); }

const PluginFile& PluginIndex::file_for(const std::string& name, uint32_t kind) {
  if (!is_file_name(name)) no_file(name);
  const fs::path path = absolute_path(name);
  if (is_there(path)) return named_file(path);
  if (const PluginFile* found = in_dirs(path.filename())) return *found;
  no_such_file(name, kind);
}

// A saved run names its components by their files; those of a program are in none. name: "program:PROGRAM:ID".
[[noreturn]] static void refuse_program(const std::string& name, uint32_t kind) {
  const size_t colon = name.rfind(':');
  throw Error(ErrorCode::component_not_in_plugin,
              std::string(kind_name(kind)) + " '" + name.substr(colon + 1) + "' is part of the program " +
                  program_of(name.substr(0, colon)) +
                  " and in no plugin file: resume or evaluate the run with that program, whose " +
                  "levin::Trainer takes the checkpoint as ckpt_path");
}

PluginIndex::Found PluginIndex::find(const std::string& name, uint32_t kind) {
  if (is_of_program(name)) refuse_program(name, kind);
  const auto [file_or_id, component] = split_component(name);
  if (!is_file_name(file_or_id)) return find_id(file_or_id, kind);
  const PluginFile& found = file_for(file_or_id, kind);
  return {&found, &choose(found, component, kind)};
}

// Of several files of one plugin, the file in the earlier folder wins. If different plugins have the same component id,
// the id is refused as ambiguous.
PluginIndex::Found PluginIndex::find_id(const std::string& id, uint32_t kind) {
  Found found{nullptr, nullptr};
  for (const auto& file : files()) {
    for (const auto& component : file.schema.components) {
      if (component.kind != kind || !component.answers_to(id)) continue;
      if (!found.file) found = {&file, &component};
      if (found.component == &component) continue;
      const bool same_plugin = found.component->plugin == component.plugin;
      if (same_plugin && found.file->path.parent_path() != file.path.parent_path()) continue;
      refuse_ambiguous(id, found, {&file, &component});
    }
  }
  if (!found.file) no_such_id(id, kind);
  return found;
}

// Throws Error{plugin}: the name is not a file. The message names the files with a component or plugin of this name.
void PluginIndex::no_file(const std::string& name) {
  std::vector<std::string> there;
  for (const auto& file : files()) {
    const auto& all = file.schema.components;
    const bool named = std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.answers_to(name); });
    if (named || (!name.empty() && file.schema.id == name)) there.push_back(file.path.string());
  }
  throw Error(ErrorCode::plugin_not_found,
              "'" + name + "' is not a plugin file: " +
                  (there.empty() ? "the name of a file contains a '/' or ends in .so"
                                 : "it is in the file " + join(there, " and in ") + "; name that"));
}

// Suggests only files with a component of the kind.
void PluginIndex::no_such_file(const std::string& name, uint32_t kind) {
  const fs::path path = absolute_path(name);
  std::vector<std::string> tried = {path.string()}, known;
  for (const auto& dir : dirs_) tried.push_back((dir / path.filename()).string());
  for (const auto& file : files())
    if (kind == any_kind || has_kind(file.schema, kind)) known.push_back(file.path.filename().string());
  throw Error(ErrorCode::plugin_not_found, "no plugin file '" + name + "'; tried " + join(tried, ", ") +
                                               did_you_mean(path.filename().string(), known, 0));
}

void PluginIndex::no_such_id(const std::string& id, uint32_t kind) {
  const bool full = id.find(':') != std::string::npos;
  std::vector<std::string> known, dirs;
  std::string why;
  for (const auto& file : files()) {
    // Most files are named after the component in them.
    if (!file.problem.empty() && file.path.filename() == "lib" + id.substr(id.rfind(':') + 1) + ".so")
      why = "; not usable: " + file.problem;
    for (const auto& c : file.schema.components) {
      if (c.kind == kind && c.plugin == id)
        why = "; '" + id + "' is a plugin" + did_you_mean_one_of({c.full_name()}, "its ", "");
      if (c.kind == kind) known.push_back(full ? c.full_name() : c.id);
      if (c.kind != kind && c.answers_to(id)) why = "; '" + id + "' is a component of kind " + kind_name(c.kind);
    }
  }
  std::vector<std::string> unasked;
  for (const auto& file : files())
    if (file.unasked) unasked.push_back(file.path.filename().string());
  if (!unasked.empty() && why.empty())
    why = did_you_mean(id, known, 24) + "; skipped: " + join(unasked, ", ") +
          ", without a description: " + cure_of_unasked;
  if (why.empty()) why = how_to_get(id);
  for (const auto& dir : dirs_) dirs.push_back(dir.string());
  throw Error(ErrorCode::plugin_not_found, std::string("no ") + kind_name(kind) + " '" + id + "' in the plugins of " +
                                               join(dirs, ", ") + (why.empty() ? did_you_mean(id, known, 24) : why));
}

}  // namespace levin::core
