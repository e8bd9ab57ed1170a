#include <sys/stat.h>

#include <chrono>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"
#include "core/plugin/checks/byte_source.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/child.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_install(const std::string& what) { throw Error(ErrorCode::plugin_not_installed, what); }

struct InstallWords {
  std::string file;
  bool force = false, check = true, trust = false;
  std::vector<std::string> for_check;  // the remaining arguments, passed to `host check`
};

InstallWords read_install_words(const std::vector<std::string>& arguments) {
  if (arguments.empty() || starts_with(arguments[0], "-"))
    throw Error(ErrorCode::argument_missing, "host install FILE: no file is named; the file comes before the options");
  InstallWords out;
  out.file = arguments[0];
  for (auto word = arguments.begin() + 1; word != arguments.end(); ++word) {
    if (*word == "--force")
      out.force = true;
    else if (*word == "--no-check")
      out.check = false;
    else
      out.for_check.push_back(*word);
    if (*word == "--trust") out.trust = true;
  }
  if (!out.check && !out.for_check.empty() && !(out.trust && out.for_check.size() == 1))
    throw Error(ErrorCode::options_conflict, "host install: --no-check skips the check that takes " + out.for_check[0]);
  return out;
}

void run_check(const fs::path& file, const std::vector<std::string>& options) {
  std::vector<std::string> command = {exe_path().string(), "check", file.string()};
  command.insert(command.end(), options.begin(), options.end());
  const ChildResult child = run_child(command, std::chrono::minutes(10));
  if (child.exit_code == 0) return;
  std::fputs(child.out.c_str(), stdout);
  std::fputs(child.err.c_str(), stderr);
  const std::string how = child.timed_out ? "did not end in ten minutes" : child.signal ? "crashed" : "failed";
  refuse_install(file.string() + " is not installed: `host check` " + how +
                 "; see above, or skip the check with --no-check");
}

// Checks for libraries beside the file, which would not be found from the new location.
void look_at_own_libraries(const ElfFile& elf, const fs::path& file, const fs::path& target) {
  for (const auto& library : elf.needed) {
    const fs::path here = found_by_run_path(elf, file.parent_path(), library);
    if (here.empty() || !found_by_run_path(elf, target.parent_path(), library).empty()) continue;
    refuse_install(file.string() + " needs " + here.string() + ", which it would not find from " +
                   target.parent_path().string() +
                   "; copy it there too, or leave both where they are and add the folder to LEVIN_PLUGIN_PATH");
  }
}

std::string id_of(const fs::path& file) {
  try {
    return read_elf(OpenFile(file, true).fd(), file.string()).note_value("id");
  } catch (const Error&) {
    return {};
  }
}

// Checks the user's plugin folder for another plugin with this file name, and for this plugin under another file name.
void look_for_others(const fs::path& target, const std::string& id, bool force) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(target.parent_path(), failed)) {
    if (entry.path().extension() != ".so") continue;
    const std::string other = id_of(entry.path());
    const bool same_file = entry.path() == target;
    if (same_file && other != id && !force)
      refuse_install(target.string() + " already exists and is " +
                     (other.empty() ? "no plugin" : "the plugin '" + other + "'") + ", not '" + id +
                     "'; --force replaces it");
    if (!same_file && other == id)
      refuse_install("the plugin '" + id + "' is installed already, as " + entry.path().string() +
                     "; `host uninstall " + entry.path().filename().string() + "` first");
  }
}

// Copies the file. Only the user can write to the folder and the file, whatever the umask.
void copy_into(const OpenFile& file, const fs::path& target) {
  const fs::path folder = target.parent_path();
  const bool is_new = !is_present(folder);
  const ByteSource in(file.fd());
  write_file_durable(target, in.text(0, in.size()), ErrorCode::plugin_not_installed);
  if (::chmod(target.c_str(), 0644) != 0 || (is_new && ::chmod(folder.c_str(), 0755) != 0))
    refuse_install(target.string() + ": its permissions cannot be set");
}

std::string components_of(const PluginSchema& schema) {
  std::vector<std::string> out;
  for (const auto& component : schema.components)
    out.push_back(std::string(kind_name(component.kind)) + " " + component.id);
  return join(out, ", ");
}

// Warns if another plugin has a component of the same name: the name is ambiguous in runs that find both plugins.
void warn_of_equal_names(PluginIndex& index, const PluginSchema& plugin) {
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& other : file.schema.components)
      for (const ComponentSchema& own : plugin.components)
        if (own.kind == other.kind && own.plugin != other.plugin && other.answers_to(own.id))
          print_message("warning", std::string("the ") + kind_name(own.kind) + " '" + own.id + "' is also in " +
                                       file.path.string() + ": runs must name one of them, " + own.full_name() +
                                       " or " + other.full_name());
}

}  // namespace

int install_command(const std::vector<std::string>& arguments) {
  const InstallWords given = read_install_words(arguments);
  const fs::path folder = user_plugin_dir();
  if (folder.empty()) refuse_install("you have no plugin folder: neither HOME nor XDG_DATA_HOME is set");
  PluginIndex index(plugin_dirs({}), given.trust);
  const PluginFile& plugin = index.file(given.file);
  require_usable(plugin.problem);
  const OpenFile file(plugin.path, given.trust);
  const fs::path target = folder / plugin.path.filename();
  std::error_code failed;
  if (fs::equivalent(file.path(), target, failed)) refuse_install(target.string() + " is this file already");
  look_at_own_libraries(read_elf(file.fd(), given.file), file.path(), target);
  look_for_others(target, plugin.schema.id, given.force);
  if (given.check) run_check(file.path(), given.for_check);
  if (!file.still_there()) refuse_install(given.file + " changed while it was checked; try again");
  warn_of_equal_names(index, plugin.schema);
  const bool replaces = is_present(target);
  copy_into(file, target);
  index.file(target.string());  // adds the components to the index, even without an embedded description
  std::printf("%s: %s (%s)\n", target.c_str(), replaces ? "replaced" : "installed",
              components_of(plugin.schema).c_str());
  return 0;
}

}  // namespace levin::core
