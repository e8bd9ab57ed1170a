#include <unistd.h>

#include <algorithm>
#include <vector>

#include "core/base/text.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/ownership.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns true for libraries that the host has loaded before any plugin, so that the linker does not search them again.
bool is_loaded_anyway(const std::string& library) {
  for (const char* name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"})
    if (library == name) return true;
  return starts_with(library, "ld-linux");
}

bool begins_with_origin(const std::string& entry) {
  return starts_with(entry, "$ORIGIN") || starts_with(entry, "${ORIGIN}");
}

// Returns the folder of a run path entry; "" if the entry is relative or has other tokens than $ORIGIN.
fs::path folder_of(const std::string& entry, const fs::path& origin) {
  if (begins_with_origin(entry)) return origin.string() + entry.substr(entry[1] == '{' ? 9 : 7);
  return starts_with(entry, "/") && entry.find('$') == std::string::npos ? fs::path(entry) : fs::path();
}

struct RunPath {
  const ElfFile& elf;
  const fs::path& origin;
  KnownFolders& folders;
  const std::vector<std::string> entries = split(elf.runpath, ':');

  // Returns the library's path in the first n entries, or "".
  fs::path find(const std::string& library, size_t n) const {
    for (size_t i = 0; i < n; ++i) {
      const fs::path folder = folder_of(entries[i], origin);
      if (!folder.empty() && access((folder / library).c_str(), R_OK) == 0) return folder / library;
    }
    return {};
  }

  std::string problem(size_t i) const {
    const std::string& entry = entries[i];
    if (entry.empty()) return problem_of_empty(i);
    if (!begins_with_origin(entry) && entry[0] != '/')
      return "is '" + entry + "', which depends on the current folder; link with $ORIGIN or an absolute path";
    const fs::path folder = folder_of(entry, origin);
    if (folder.empty() && !begins_with_origin(entry))
      return "is '" + entry + "', which the dynamic linker expands; link with a plain path";
    const auto& unsafe = folders.problem(folder);
    if (!unsafe) return {};
    const std::string where = unsafe->folder == folder ? "" : ", in " + unsafe->folder.string();
    return "is '" + entry + "', where " + unsafe->who + " may put a library" + where + "; " + unsafe->cure;
  }

  std::string problem_of_empty(size_t i) const {
    const auto sought = std::find_if(elf.needed.begin(), elf.needed.end(), [&](const std::string& library) {
      return !is_loaded_anyway(library) && find(library, i).empty();
    });
    // A DT_RPATH also applies to the dependencies of the needed libraries, which are not known here.
    if (sought == elf.needed.end() && !elf.rpath_inherited) return {};
    const std::string what = sought == elf.needed.end() ? "what its libraries need" : *sought;
    return "is empty, which is the current folder, and " + what +
           " would be searched for there. CMake leaves such entries until `cmake --install`: build with "
           "levin_add_plugin() "
           "or "
           "BUILD_WITH_INSTALL_RPATH ON, or use the installed file";
  }
};

}  // namespace

std::string run_path_problem(const ElfFile& elf, const fs::path& origin, KnownFolders* folders) {
  if (elf.runpath.empty()) return {};
  KnownFolders own;
  const RunPath path{elf, origin, folders != nullptr ? *folders : own};
  for (size_t i = 0; i < path.entries.size(); ++i) {
    const std::string problem = path.problem(i);
    if (problem.empty()) continue;
    return "entry " + std::to_string(i + 1) + " of " + std::to_string(path.entries.size()) + " of its run path '" +
           elf.runpath + "' " + problem;
  }
  return {};
}

fs::path found_by_run_path(const ElfFile& elf, const fs::path& origin, const std::string& library) {
  if (elf.runpath.empty()) return {};
  KnownFolders folders;
  const RunPath path{elf, origin, folders};
  return path.find(library, path.entries.size());
}

}  // namespace levin::core
