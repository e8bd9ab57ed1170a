#include "core/plugin/index/plugin_index.hpp"

#include <algorithm>
#include <set>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/checks/rules.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::plugin, what); }

bool is_file_name(const std::string& x) { return x.find('/') != std::string::npos || ends_with(x, ".so"); }

// Also links that lead nowhere: they get their own message.
bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? path : real;
}

// FILE.so:COMPONENT in two; the second is empty without a component.
std::pair<std::string, std::string> split_component(const std::string& x) {
  const size_t colon = x.rfind(':');
  if (colon == std::string::npos || is_there(x) || !ends_with(x.substr(0, colon), ".so")) return {x, ""};
  return {x.substr(0, colon), x.substr(colon + 1)};
}

bool answers_to(const ComponentSchema& component, const std::string& id) {
  const auto& aliases = component.aliases;
  return component.id == id || std::find(aliases.begin(), aliases.end(), id) != aliases.end();
}

std::string contents(const PluginSchema& schema) {
  std::vector<std::string> parts;
  for (const auto& c : schema.components) parts.push_back(std::string(kind_name(c.kind)) + " " + c.id);
  return join(parts, ", ");
}

const ComponentSchema& choose(const PluginFile& file, const std::string& id, uint32_t kind) {
  if (!file.problem.empty()) refuse(file.problem);
  const std::string path = file.path.string(), what = kind_name(kind);
  std::vector<const ComponentSchema*> fitting;
  for (const auto& c : file.schema.components)
    if (c.kind == kind && (id.empty() || answers_to(c, id))) fitting.push_back(&c);
  if (fitting.empty())
    refuse(path + ": has no " + what + (id.empty() ? "" : " '" + id + "'") + "; it has: " + contents(file.schema));
  if (fitting.size() == 1) return *fitting[0];
  std::vector<std::string> names;
  for (const auto* c : fitting) names.push_back(file.path.filename().string() + ":" + c->id);
  refuse(path + ": has several components of kind " + what + "; name one: " + join(names, ", "));
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
    : PluginIndex(std::move(dirs), trust, Probe{host_program()}) {}

PluginIndex::PluginIndex(std::vector<fs::path> dirs, bool trust, Probe probe)
    : dirs_(std::move(dirs)), trust_(trust), probe_(std::move(probe)) {}

PluginFile PluginIndex::read(const fs::path& path, bool named) const {
  PluginFile out;
  out.path = resolved(path.parent_path()) / path.filename();
  try {
    const OpenFile file(out.path, trust_);
    const ElfFile elf = read_elf(file.fd(), out.path.string());
    out.warnings = check_elf(elf, out.path.string(), HostFacts::here(), trust_);
    read_description(file, elf, named, out);
  } catch (const Error& e) {
    out.problem = e.what();
  }
  return out;
}

// Plugins built by hand carry no description; a child process gives it.
void PluginIndex::read_description(const OpenFile& file, const ElfFile& elf, bool named, PluginFile& out) const {
  if (!elf.description.empty()) {
    out.schema = embedded_description(elf, out.path.string());
    return;
  }
  const Verdict verdict = probe_.ask(file, elf, named);
  out.problem = verdict.problem;
  if (!out.problem.empty()) return;
  ElfFile described = elf;
  described.description = verdict.description;
  out.schema = embedded_description(described, out.path.string());
}

const std::deque<PluginFile>& PluginIndex::files() {
  if (scanned_) return files_;
  scanned_ = true;
  std::set<fs::path> seen;
  for (const auto& dir : dirs_)
    for (const auto& path : libraries_in(dir)) {
      PluginFile file = read(path, false);
      if (seen.insert(resolved(file.path)).second) files_.push_back(std::move(file));
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

const PluginFile& PluginIndex::file(const std::string& x) {
  if (!is_file_name(x)) refuse("'" + x + "' is no plugin file: a file has a '/' or ends in .so");
  const fs::path path = absolute_path(x);
  if (is_there(path)) return named_file(path);
  if (const PluginFile* found = in_dirs(path.filename())) return *found;
  no_such_file(x);
}

PluginIndex::Found PluginIndex::find(const std::string& x, uint32_t kind) {
  const auto [name, component] = split_component(x);
  if (!is_file_name(name)) return find_id(name, kind);
  const PluginFile& found = file(name);
  return {&found, &choose(found, component, kind)};
}

PluginIndex::Found PluginIndex::find_id(const std::string& id, uint32_t kind) {
  Found found{nullptr, nullptr};
  for (const auto& file : files()) {
    for (const auto& component : file.schema.components) {
      if (component.kind != kind || !answers_to(component, id)) continue;
      if (!found.file) {
        found = {&file, &component};
        continue;
      }
      // an earlier folder wins; within one folder nobody can say which is meant
      if (found.file->path.parent_path() != file.path.parent_path()) continue;
      if (found.file == &file && found.component->id == id) continue;
      refuse(std::string("the ") + kind_name(kind) + " '" + id + "' is in " + found.file->path.string() + " and in " +
             file.path.string() + "; name the file");
    }
  }
  if (!found.file) no_such_id(id, kind);
  return found;
}

void PluginIndex::no_such_file(const std::string& x) {
  const fs::path path = absolute_path(x);
  std::vector<std::string> tried = {path.string()}, known;
  for (const auto& dir : dirs_) tried.push_back((dir / path.filename()).string());
  for (const auto& file : files()) known.push_back(file.path.filename().string());
  refuse("no plugin file '" + x + "'; tried " + join(tried, ", ") + did_you_mean(path.filename().string(), known, 0));
}

void PluginIndex::no_such_id(const std::string& id, uint32_t kind) {
  std::vector<std::string> known, dirs;
  std::string why;
  for (const auto& file : files()) {
    // most files are called after what is in them
    if (!file.problem.empty() && file.path.filename() == "lib" + id + ".so") why = "; not usable: " + file.problem;
    for (const auto& c : file.schema.components) {
      if (c.kind == kind) known.push_back(c.id);
      if (c.kind != kind && answers_to(c, id)) why = "; '" + id + "' is a component of kind " + kind_name(c.kind);
    }
  }
  for (const auto& dir : dirs_) dirs.push_back(dir.string());
  refuse(std::string("no ") + kind_name(kind) + " '" + id + "' in the plugins of " + join(dirs, ", ") +
         (why.empty() ? did_you_mean(id, known, 24) : why));
}

}  // namespace levin::core
