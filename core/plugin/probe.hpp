// Asks a child process about a plugin's file (P8). The plugin's static initialisers and entry run there first, where a
// crash, an exit() or a hang does no harm.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/verdict_cache.hpp"

namespace levin::core {

struct Probe {
  std::filesystem::path host;  // the program that is run as `host describe FILE`
  std::filesystem::path cache = verdict_cache_file();
  std::chrono::milliseconds timeout{60000};
  bool trust = false;  // let the file's code do what it likes

  // The verdict on this file (identified by device, inode, size, time and build-id), which is found out once for each
  // host program and then cached. `again` asks again where the cached verdict is a problem. Problems that lie outside
  // the file, such as a missing library, are never cached.
  Verdict ask(const OpenFile& file, const ElfFile& elf, bool again) const;
  // The cached verdict, if there is one. Runs nothing.
  std::optional<Verdict> known(const OpenFile& file, const ElfFile& elf) const;
  // Asks without the cache.
  Verdict ask_child(const std::filesystem::path& file) const;
};

}  // namespace levin::core
