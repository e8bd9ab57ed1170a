// The verbs of `host config`, and what they share.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace levin::core::config {

// The arguments after the verb.
struct ConfigArguments {
  std::vector<std::string> names;          // files and run folders, wherever they stand
  std::vector<std::string> options;        // of a run
  std::map<std::string, std::string> own;  // the verb's own options; "" = without a value

  bool has(const std::string& option) const { return own.count(option) != 0; }
};

// Returns the arguments of a run with --config for each name; the config.json of a run folder is its file.
std::vector<std::string> run_arguments_of(const std::vector<std::string>& names,
                                          const std::vector<std::string>& options);
std::string config_file_of(const std::string& name);

// Each returns the exit code and throws Error.
int new_file(const ConfigArguments& arguments);
int show(const ConfigArguments& arguments);
int diff(const ConfigArguments& arguments);
int validate(const ConfigArguments& arguments);
int schema(const ConfigArguments& arguments);

}  // namespace levin::core::config
