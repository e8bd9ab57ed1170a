// The plugin files that can be named, and which of them serves a name. No code of a plugin runs in this process: what a
// file says of itself is read from a section of it, or asked of a child process once and cached (core/plugin/probe.hpp).
#pragma once
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct PluginFile {
  std::filesystem::path path;  // absolute
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

  // Reads no file yet. Earlier folders win; trust: files that others may write are accepted. host: the program that is
  // run as `host describe FILE`.
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust);
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust, std::filesystem::path host);

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
  const PluginFile* find_file(const std::string& name);
  Found find_id(const std::string& id, uint32_t kind);
  [[noreturn]] void no_such_file(const std::string& name);
  [[noreturn]] void no_such_id(const std::string& id, uint32_t kind);

  std::vector<std::filesystem::path> dirs_;
  bool trust_;
  std::filesystem::path host_;
  bool scanned_ = false;
  std::deque<PluginFile> files_, named_;  // of the folders; given by path
};

// Where plugins are sought: each --plugins DIR (Error{usage} if it is no folder), LEVIN_PLUGIN_PATH, the user's
// folder, the installed one, the one beside the program. The environment is ignored under elevated rights.
std::vector<std::filesystem::path> plugin_dirs(const std::vector<std::string>& cli_dirs);

}  // namespace levin::core
