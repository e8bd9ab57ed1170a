// The folders where the dynamic linker looks for the libraries that a plugin needs.
#pragma once
#include <filesystem>
#include <string>

#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// Why the run path is not safe: which entry, and what to do about it; "" if it is safe. `origin` is the plugin's
// folder. An empty entry stands for the current folder. It is accepted where the search never comes that far, because
// every needed library is found in a folder before it or is one that each program has loaded already.
std::string run_path_problem(const ElfFile& elf, const std::filesystem::path& origin);

// Where the run path finds the library; "" if nowhere.
std::filesystem::path found_by_run_path(const ElfFile& elf, const std::filesystem::path& origin,
                                        const std::string& library);

}  // namespace levin::core
