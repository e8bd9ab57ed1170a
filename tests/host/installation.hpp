// An installation in a temporary folder: bin/host, one plugin, and a script instead of the engine.
#pragma once
#include <filesystem>
#include <string>

#include "host_process/host_process.hpp"
#include "temp_folder.hpp"

// Valid options, to which tests add the ones under test.
inline const std::string good = "--model toy_net --data toy_rows --data.rows 9 ";

struct Answer : Outcome {
  std::string error() const;  // the last line of err
};

class Installation {
 public:
  Installation();

  // Runs `host WORDS` in the installation's folder. environment: "NAME=value ...", prepended.
  Answer host(const std::string& words, const std::string& environment = "") const;
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path plugins() const { return folder() / "lib/levin/plugins"; }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  // Copies a plugin of this folder's tests to plugins(), or to another folder if `to` has one.
  void add_plugin(const std::string& name, const std::filesystem::path& to) const;

 private:
  TempFolder folder_;
};
