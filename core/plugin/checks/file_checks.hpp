// The checks P2 to P6 of docs/plugin-files.md: all checks of a plugin's file that do not run its code.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/ownership.hpp"

namespace levin::core {

// The LibTorch that this host's engine was built for and runs with. Available in processes without LibTorch too.
struct HostTorch {
  std::string version;                 // "1.13"; "" = unknown, and nothing is compared
  std::string cxx11_abi;               // "1"
  std::string stdlib;                  // "libstdc++" or "libc++"
  std::vector<std::string> libraries;  // SONAMEs that a plugin may need: "libtorch_cpu.so.1.13", "libc10.so.1.13"
  std::string openmp;                  // "libgomp", "libomp" or "libiomp5"; "" = unknown
};

HostTorch host_torch();

// The facts about the host that a plugin's file is compared with.
struct HostFacts {
  uint16_t machine = 0;  // EM_*
  uint32_t abi_major = 0, abi_minor = 0;
  HostTorch torch;
  std::string glibc;

  static HostFacts here();
};

// Returns warnings. Throws Error{plugin} for the first check that fails; the message has the plugin's value and the
// host's. `name` is the file's name for messages. trust = true accepts a RUNPATH with folders that other users may
// write. Folders that `folders` knows are not checked again.
std::vector<std::string> check_elf(const ElfFile& elf, const std::string& name, const HostFacts& host, bool trust,
                                   KnownFolders* folders = nullptr);

// Returns "" if the run path is safe, else the unsafe entry and how to fix it. `origin` is the plugin's folder. An
// empty entry means the current folder. It is accepted if the search never reaches it, because every needed library is
// found in an earlier folder or is loaded in every program.
std::string run_path_problem(const ElfFile& elf, const std::filesystem::path& origin, KnownFolders* folders = nullptr);

// Returns the path at which the run path finds the library, or "".
std::filesystem::path found_by_run_path(const ElfFile& elf, const std::filesystem::path& origin,
                                        const std::string& library);

}  // namespace levin::core
