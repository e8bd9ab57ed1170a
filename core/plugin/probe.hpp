// Asking a child process about a plugin's file (P8): static initialisers and the entry run there first, where a crash,
// an exit() or a hang is an answer like any other.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/index/verdict_cache.hpp"

namespace levin::core {

struct Probe {
  std::filesystem::path host;  // run as `host describe FILE`
  std::filesystem::path cache = verdict_cache_file();
  std::chrono::milliseconds timeout{60000};

  // The verdict on this very file (device, inode, size, time, build-id), asked once per host program and then cached.
  // again: a cached problem is not believed. Reasons outside the file, such as a missing library, are never cached.
  Verdict ask(const OpenFile& file, const ElfFile& elf, bool again) const;
  // Always asks.
  Verdict ask_child(const std::filesystem::path& file) const;
};

}  // namespace levin::core
