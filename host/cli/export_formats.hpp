// The formats of `host export`, for the command and its help.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

enum class ExportFormat { safetensors, state_dict, torchscript, lightning };

struct ExportFormatRow {
  ExportFormat format;
  const char* name;
  std::vector<std::string> endings;  // of files; the first is used if the user names no file
  const char* content;               // for the help
};

inline const std::vector<ExportFormatRow>& export_formats() {
  static const std::vector<ExportFormatRow> table = {
      {ExportFormat::safetensors, "safetensors", {".safetensors"}, "the weights"},
      {ExportFormat::state_dict, "pt", {".pt", ".pth"}, "the weights as a state_dict, for torch.load"},
      {ExportFormat::torchscript,
       "torchscript",
       {".ts", ".torchscript"},
       "the network with its weights, for torch.jit.load; a batch may have any number of rows"},
      {ExportFormat::lightning, "lightning", {".ckpt"}, "the whole checkpoint as one that Lightning resumes"}};
  return table;
}

inline std::vector<std::string> export_format_names() {
  std::vector<std::string> out;
  for (const ExportFormatRow& row : export_formats()) out.emplace_back(row.name);
  return out;
}

}  // namespace levin::core
