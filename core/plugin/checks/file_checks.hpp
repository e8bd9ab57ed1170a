// The checks P2 to P6 of docs/plugin-files.md: all that can be said of a plugin's file before any of its code runs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/host_torch.hpp"

namespace levin::core {

// The other side of every comparison.
struct HostFacts {
  uint16_t machine = 0;  // EM_*
  uint32_t abi_major = 0, abi_minor = 0;
  HostTorch torch;
  std::string glibc;

  static HostFacts here();
};

// Throws Error{plugin} for the first check that fails: one message with both sides. Returns warnings. name: the file's,
// for messages. trust: RUNPATHs that others may write are accepted.
std::vector<std::string> check_elf(const ElfFile& elf, const std::string& name, const HostFacts& host, bool trust);

}  // namespace levin::core
