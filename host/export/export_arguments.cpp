#include "host/export/export_arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse_export(const std::string& what) { throw Error(ErrorKind::usage, "host export: " + what); }

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {{"safetensors", {".safetensors"}},
                                                    {"pt", {".pt", ".pth"}},
                                                    {"torchscript", {".ts", ".torchscript"}},
                                                    {"lightning", {".ckpt"}}};
  return formats;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const ExportFormat& format : export_formats()) out.emplace_back(format.name);
  return out;
}

const ExportFormat* format_of_name(const std::string& name) {
  for (const ExportFormat& format : export_formats())
    if (lower(name) == format.name || lower("." + name) == format.endings.back()) return &format;
  if (lower(name) == "onnx")
    refuse_export(
        "--format onnx is refused: LibTorch writes no ONNX without Python; --format torchscript -o FILE.ts, and in "
        "Python "
        "torch.onnx.export(torch.jit.load('FILE.ts'), example, 'FILE.onnx') makes it");
  refuse_export(unknown_name("--format: there is no format", name, format_names()));
}

const ExportFormat* format_of_file(const std::string& file) {
  for (const ExportFormat& format : export_formats())
    for (const std::string& ending : format.endings)
      if (ends_with(lower(file), ending)) return &format;
  if (ends_with(lower(file), ".onnx")) return format_of_name("onnx");
  refuse_export("say --format " + join(format_names(), ", --format ") +
                (file.empty() ? "" : "; " + file + " has none of their endings"));
}

// Returns the default output in the current folder: the name of the run or the file, with the format's extension.
std::string usual_output(const ExportArguments& arguments) {
  std::filesystem::path source = absolute_path(arguments.source).lexically_normal();
  if (!source.has_filename()) source = source.parent_path();
  const bool folder = is_folder(source);
  return (folder ? source.filename() : source.stem()).string() + arguments.format->endings.front();
}

}  // namespace

ExportArguments read_export_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  std::replace(words.begin(), words.end(), std::string("-o"), std::string("--output"));
  const Arguments given =
      read_arguments({"export", {"force", "trust"}, {"format", "output", "ckpt_path", "names", "plugins"}}, words);
  ExportArguments out;
  if (!given.names.empty()) out.source = given.names[0];
  out.output = given.value("output");
  out.ckpt_path = given.value("ckpt_path");
  out.names = given.value("names");
  out.force = given.has("force");
  out.trust = given.has("trust");
  out.plugins = given.plugins();
  if (out.source.empty())
    refuse_export("no run folder and no checkpoint is named: host export RUN_DIR|FILE --format safetensors");
  if (!out.ckpt_path.empty() && out.ckpt_path != "best" && out.ckpt_path != "last")
    refuse_export("--ckpt_path is best or last here; a file is named instead of the run folder: host export " +
                  out.ckpt_path);
  out.format = given.has("format") ? format_of_name(given.value("format")) : format_of_file(out.output);
  if (out.output.empty()) out.output = usual_output(out);
  if (out.is_torchscript() && !out.names.empty())
    refuse_export("--names is for weights; TorchScript has the model's own names");
  return out;
}

}  // namespace levin::core
