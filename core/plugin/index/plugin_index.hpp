// The plugin files that can be named, and which of them serves a name. No code of a plugin runs in this process: what a
// file says of itself is read from a section of it, or asked of a child process once and cached
// (core/plugin/probe.hpp).
#pragma once
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

struct PluginFile {
  std::filesystem::path path;  // absolute; a link in a folder is not resolved
  PluginSchema schema;         // empty where problem is not
  std::string problem;         // why the file cannot be used; empty: it can
  std::vector<std::string> warnings;
};

class PluginIndex {
 public:
  struct Found {
    const PluginFile* file;
    const ComponentSchema* component;
  };

  // Reads no file yet. Earlier folders win; trust: files that others may write are accepted.
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust);
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust, Probe probe);

  // Every *.so of the folders, in the folders' order, then by name.
  const std::deque<PluginFile>& files();
  // x: a file (with '/' or ending in .so: as written if it exists, else by its name in the folders), FILE.so:COMPONENT,
  // or a component's id or alias. Throws Error{plugin}: what was tried, near names, or the file's problem.
  Found find(const std::string& x, uint32_t kind);
  // The same for a file whatever it holds, also one that cannot be used (its problem says why).
  const PluginFile& file(const std::string& x);

  const std::vector<std::filesystem::path>& dirs() const { return dirs_; }

 private:
  PluginFile read(const std::filesystem::path& path, bool named) const;
  void read_description(const OpenFile& file, const ElfFile& elf, bool named, PluginFile& out) const;
  const PluginFile& named_file(const std::filesystem::path& path);
  const PluginFile* in_dirs(const std::filesystem::path& file_name);
  Found find_id(const std::string& id, uint32_t kind);
  [[noreturn]] void no_such_file(const std::string& x);
  [[noreturn]] void no_such_id(const std::string& id, uint32_t kind);

  std::vector<std::filesystem::path> dirs_;
  bool trust_;
  Probe probe_;
  bool scanned_ = false;
  std::deque<PluginFile> files_, named_;  // of the folders; given by path
};

}  // namespace levin::core
