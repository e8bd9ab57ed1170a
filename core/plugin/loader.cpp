#include "core/plugin/loader.hpp"

#include "core/base/error.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/refusal.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/library.hpp"
#include "core/plugin/neighbours.hpp"

namespace levin::core {
namespace {

// The build of an installed plugin has already run the plugin in order to describe it.
bool was_probed_by_build(const OpenFile& file, const ElfFile& elf) {
  std::error_code failed;
  const auto installed = std::filesystem::canonical(installed_plugin_dir(), failed);
  return !failed && !elf.description.empty() && file.path().parent_path() == installed;
}

void probe(const OpenFile& file, const ElfFile& elf, Probe by, bool trust) {
  by.trust = trust;
  if (was_probed_by_build(file, elf)) return;
  if (by.host.empty()) by.host = host_program();
  const Verdict verdict = by.ask(file, elf, true);
  if (!verdict.problem.empty()) throw Error(ErrorKind::plugin, verdict.problem);
}

bool same_options(const ComponentSchema& a, const ComponentSchema& b) {
  if (a.kind != b.kind || a.id != b.id || a.options.size() != b.options.size()) return false;
  for (size_t i = 0; i < a.options.size(); ++i)
    if (a.options[i].name != b.options[i].name || a.options[i].type != b.options[i].type) return false;
  return true;
}

// The values of options are passed by their position in the description that the configuration was checked against, so
// that description has to be the one of the code.
void compare_with_embedded(const PluginSchema& live, const ElfFile& elf, const std::string& name) {
  if (elf.description.empty()) return;
  const PluginSchema embedded = embedded_description(elf, name);
  bool same = live.components.size() == embedded.components.size();
  for (size_t i = 0; same && i < live.components.size(); ++i)
    same = same_options(live.components[i], embedded.components[i]);
  if (!same) refuse_plugin(name, 12, "the description embedded in it is not that of its code; build it again");
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
  probe(file, elf, options.probe, options.trust);
  // The file is loaded by its path and not by /proc/self/fd, because $ORIGIN, debuggers and crash reports need the real
  // path. Only the file's owner can change the file in between, because others may not write into its folder.
  if (!file.still_there()) refuse_plugin(name, 9, "changed while it was checked; try again");
  refuse_shared_symbols(elf, file.path());
  for (auto& warning : replaced_libraries(elf, file.path())) out.warnings.push_back(std::move(warning));
  const levin_plugin_fn entry = open_library(file.path(), name);
  out.host = &hosts.host_for(file.path().filename().string());
  out.table = &enter_library(entry, *out.host, name, [&] { return hosts.last_failure(*out.host); });
  out.schema = checked_description(*out.table, elf, name);
  compare_with_embedded(out.schema, elf, name);
  return out;
}

}  // namespace levin::core
