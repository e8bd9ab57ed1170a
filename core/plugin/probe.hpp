// Describes a plugin's file in a child process (P8). The plugin's static initialisers and entry run there first, where
// a crash, an exit() or a hang does no harm.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"

namespace levin::core {

struct Verdict {
  std::string description;  // JSON text; empty if there is a problem
  std::string problem;
};

// Returns the file that keeps verdicts between runs: $XDG_CACHE_HOME/levin/plugins.jsonl, else
// ~/.cache/levin/plugins.jsonl; empty under elevated rights or without a home folder.
std::filesystem::path verdict_cache_file();

struct Probe {
  std::filesystem::path host;                          // the program that is run as `host describe FILE`
  std::filesystem::path cache = verdict_cache_file();  // empty = no cache
  std::chrono::milliseconds timeout{60000};
  bool trust = false;     // true = run the file's code unconfined
  bool runs_code = true;  // false = ask() answers from the cache only, and writes nothing

  // Returns the verdict on this file (identified by device, inode, size, time and build-id). A description is
  // determined once for each host program and then cached. Problems are cached only for known(), except those outside
  // the file, such as a missing library.
  Verdict ask(const OpenFile& file, const ElfFile& elf) const;
  // Returns the cached verdict, if any. Does not run a child process.
  std::optional<Verdict> known(const OpenFile& file, const ElfFile& elf) const;
  // Runs the child process without using the cache.
  Verdict ask_child(const std::filesystem::path& file) const;
};

}  // namespace levin::core
