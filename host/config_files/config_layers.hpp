// The files of --config with the files that they include and the profiles that they define.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace levin::core {

// A source of settings. A later layer overrides an earlier one.
struct ConfigLayer {
  std::string name;       // the file
  JsonDocument document;  // without its `include` and `profiles`
};

struct ConfigFiles {
  std::vector<ConfigLayer> layers;         // an included file comes before the file that includes it
  std::vector<std::string> profile_names;  // of all files
  std::vector<ConfigLayer> profiles;       // with the name of the file; as many as profile_names
};

// Reads the files of --config, or "/dev/stdin". A path in `include` is relative to the folder of its file. An included
// file counts once, at its first place. Throws Error{usage} with file, line and column for a file that cannot be read
// or is no configuration, for files that include each other, and for an included config.json of a run.
ConfigFiles read_config_files(const std::vector<std::string>& files);

// Returns the layers, and behind them the profiles with these names. Throws Error{usage} for a name that no file
// defines.
std::vector<ConfigLayer> with_profiles(const ConfigFiles& files, const std::vector<std::string>& names);

}  // namespace levin::core
