// Finds the plugin file and component for a name. No plugin code runs in this process: a file's description is read
// from one of its sections, or obtained once from a child process (core/plugin/probe.hpp).
#pragma once
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

struct PluginFile {
  std::filesystem::path path;  // absolute; if the file itself is a link, that link is not resolved
  PluginSchema schema;         // empty if there is a problem
  std::string problem;         // why the file cannot be used, or ""
  bool unasked = false;        // the problem is only that the file has no description and has not been named yet
  std::vector<std::string> warnings;
};

class PluginIndex {
 public:
  struct Found {
    const PluginFile* file;
    const ComponentSchema* component;
  };

  // Does not read any file yet. Of folders with the same plugin, the earlier one wins. trust = true accepts files that
  // other users may write.
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust);
  PluginIndex(std::vector<std::filesystem::path> dirs, bool trust, Probe probe);

  // Returns every *.so of the folders, in the order of the folders and then by name.
  const std::deque<PluginFile>& files();
  // `name` is a component's id or alias, PLUGIN-ID:COMPONENT, a file, or FILE.so:COMPONENT. A name with a '/' or ending
  // in .so is a file: the path as written if it exists, else the file of this name in the folders. Throws Error{plugin}
  // if there is no match (the message lists the searched folders and similar names), if the file has a problem, or if
  // components of several plugins match the id.
  Found find(const std::string& name, uint32_t kind);
  // Returns the file of this name even if it cannot be used; `problem` then has the reason.
  const PluginFile& file(const std::string& name);

  const std::vector<std::filesystem::path>& dirs() const { return dirs_; }

 private:
  PluginFile read(const std::filesystem::path& path, bool named, KnownFolders* folders = nullptr) const;
  void read_description(const OpenFile& file, const ElfFile& elf, bool named, PluginFile& out) const;
  const PluginFile& file_for(const std::string& name, uint32_t kind);
  const PluginFile& named_file(const std::filesystem::path& path);
  const PluginFile* in_dirs(const std::filesystem::path& file_name);
  Found find_id(const std::string& id, uint32_t kind);
  [[noreturn]] void no_file(const std::string& name);
  [[noreturn]] void no_such_file(const std::string& name, uint32_t kind);
  [[noreturn]] void no_such_id(const std::string& id, uint32_t kind);

  std::vector<std::filesystem::path> dirs_;
  bool trust_;
  Probe probe_;
  bool scanned_ = false;
  std::deque<PluginFile> files_, named_;  // the files of the folders; the files named by path
};

}  // namespace levin::core
