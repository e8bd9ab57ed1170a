// The arguments after `host export`.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct ExportFormat {
  const char* name;
  std::vector<std::string> endings;  // file extensions; the first is used if the user names no file
};

struct ExportArguments {
  std::string source;  // a run folder or a weights file
  const ExportFormat* format = nullptr;
  std::string output;
  std::string ckpt_path;  // "best", "last" or ""
  std::string names;      // a map of names as JSON, or ""
  bool force = false, trust = false;
  std::vector<std::string> plugins;
  bool is_torchscript() const { return std::string(format->name) == "torchscript"; }
};

// Throws Error{usage}. Without an option, the format follows from the output's extension, and the output's name from
// the source.
ExportArguments read_export_arguments(const std::vector<std::string>& arguments);

}  // namespace levin::core
