// The checks P2 to P6 of docs/plugin-files.md: everything that can be checked of a plugin's file before its code runs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/host_torch.hpp"

namespace levin::core {

// The facts about the host that a plugin's file is compared with.
struct HostFacts {
  uint16_t machine = 0;  // EM_*
  uint32_t abi_major = 0, abi_minor = 0;
  HostTorch torch;
  std::string glibc;

  static HostFacts here();
};

// Throws Error{plugin} for the first check that fails, with a message that names both sides. Returns warnings. `name`
// is the file's name for messages; `trust` accepts RUNPATHs that other users may write.
std::vector<std::string> check_elf(const ElfFile& elf, const std::string& name, const HostFacts& host, bool trust);

}  // namespace levin::core
