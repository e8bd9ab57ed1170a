// The arguments after `host export`.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct ExportFormat {
  const char* name;
  std::vector<std::string> endings;  // of files; the first is that of a file that the user has not named
};

struct ExportArguments {
  std::string source;  // a run folder or a file of weights
  const ExportFormat* format = nullptr;
  std::string output;
  std::string ckpt_path;  // "best", "last" or ""
  std::string names;      // a map of names as JSON, or ""
  bool force = false, trust = false;
  std::vector<std::string> plugins;
  bool is_torchscript() const { return std::string(format->name) == "torchscript"; }
};

// Throws Error{usage}. The output's ending tells the format if no option does, and the source's name the output.
ExportArguments read_export_arguments(const std::vector<std::string>& arguments);

}  // namespace levin::core
