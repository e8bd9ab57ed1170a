// The folders in which the dynamic linker searches a plugin's needed libraries.
#pragma once
#include <filesystem>
#include <string>

#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// Returns "" if the run path is safe, else the unsafe entry and how to fix it. `origin` is the plugin's folder. An
// empty entry means the current folder. It is accepted if the search never reaches it, because every needed library is
// found in an earlier folder or is loaded in every program.
std::string run_path_problem(const ElfFile& elf, const std::filesystem::path& origin);

// Returns the path at which the run path finds the library, or "".
std::filesystem::path found_by_run_path(const ElfFile& elf, const std::filesystem::path& origin,
                                        const std::string& library);

}  // namespace levin::core
