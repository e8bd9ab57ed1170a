// The checks P2 to P6 of docs/plugin-files.md: all checks of a plugin's file that do not run its code.
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

// Returns warnings. Throws Error{plugin} for the first check that fails; the message has the plugin's value and the
// host's. `name` is the file's name for messages. trust = true accepts a RUNPATH with folders that other users may
// write.
std::vector<std::string> check_elf(const ElfFile& elf, const std::string& name, const HostFacts& host, bool trust);

}  // namespace levin::core
