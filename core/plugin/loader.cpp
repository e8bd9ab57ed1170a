#include "core/plugin/loader.hpp"

#include "core/base/error.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/library.hpp"
#include "core/plugin/plugin_dirs.hpp"

namespace levin::core {
namespace {

// Returns true for an installed plugin with a description: its build has already run it.
bool was_probed_by_build(const OpenFile& file, const ElfFile& elf) {
  std::error_code failed;
  const auto installed = std::filesystem::canonical(installed_plugin_dir(), failed);
  return !failed && !elf.description.empty() && file.path().parent_path() == installed;
}

// Returns the description from the child process, or "" if no child process was needed.
std::string probe(const OpenFile& file, const ElfFile& elf, Probe by, bool trust) {
  by.trust = trust;
  if (was_probed_by_build(file, elf)) return {};
  if (by.host.empty()) by.host = host_program();
  const Verdict verdict = by.ask(file, elf);
  require_usable(verdict.problem);
  return verdict.description;
}

// Throws Error{plugin} unless the code's description equals the earlier one in every part. The run's options were
// checked against the earlier description, which comes from the file or, if the file has none, from a child process.
void compare_with_code(ElfFile elf, const std::string& told, const PluginSchema& code, const std::string& name) {
  const bool embedded = !elf.description.empty();
  if (!embedded) elf.description = told;
  const std::string difference = description_difference(embedded_description(elf, name), code);
  if (difference.empty()) return;
  refuse_plugin(name, 12,
                embedded ? "its embedded description differs from its code: " + difference + "; build it again"
                         : "its description differs from an earlier one: " + difference +
                               "; a description must not depend on the environment or the time (if " +
                               verdict_cache_file().string() + " was edited, delete that file)");
}

}  // namespace

const levin_component* LoadedPlugin::component(uint32_t kind, const std::string& id) const {
  for (size_t i = 0; i < schema.components.size(); ++i)
    if (schema.components[i].kind == kind && schema.components[i].id == id) return table->components[i];
  return nullptr;
}

LoadedPlugin load_plugin(const std::filesystem::path& path, HostFactory& hosts, const LoadOptions& options) {
  const OpenFile file(path, options.trust);
  const std::string name = file.path().string();
  const ElfFile elf = read_elf(file.fd(), name);
  LoadedPlugin out{file.path(), elf.build_id, nullptr, nullptr, {}, {}};
  out.warnings = check_elf(elf, name, HostFacts::here(), options.trust);
  const std::string told = probe(file, elf, options.probe, options.trust);
  // The file is loaded by its path and not by /proc/self/fd, because $ORIGIN, debuggers and crash reports need the real
  // path. Only the file's owner can change the file in between, because others may not write into its folder.
  if (!file.still_there()) refuse_plugin(name, 9, "changed while it was checked; try again");
  refuse_shared_symbols(elf, file.path());
  for (auto& warning : replaced_libraries(elf, file.path())) out.warnings.push_back(std::move(warning));
  const levin_plugin_fn entry = open_library(file.path(), name);
  out.host = &hosts.host_for(file.path().filename().string());
  out.table = &enter_library(entry, *out.host, name, [&] { return hosts.last_failure(*out.host); });
  out.schema = checked_description(*out.table, elf, name);
  compare_with_code(elf, told, out.schema, name);
  return out;
}

}  // namespace levin::core
