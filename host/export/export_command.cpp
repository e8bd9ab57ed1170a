#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "core/weights/name_map.hpp"
#include "core/weights/state_dict_file.hpp"
#include "core/weights/state_dict_writer.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/export_formats.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/saved_run.hpp"
#include "launch/start.hpp"
#include "lightning/file/lightning_writer.hpp"
#include "runs/run_files.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string source;  // a run folder or a weights file
  const ExportFormatRow* format = nullptr;
  std::string output;
  std::string ckpt_path;  // "best", "last" or ""
  std::string names;      // a map of names as JSON, or ""
  bool force = false, trust = false;
  std::vector<std::string> plugins;
  bool is_torchscript() const { return format->format == ExportFormat::torchscript; }
};

[[noreturn]] void refuse_export(ErrorCode code, const std::string& what) { throw Error(code, "host export: " + what); }

[[noreturn]] void refuse_onnx() {
  const auto is_torchscript = [](const ExportFormatRow& row) { return row.format == ExportFormat::torchscript; };
  const auto row = std::find_if(export_formats().begin(), export_formats().end(), is_torchscript);
  const std::string file = "FILE" + row->endings.front();
  refuse_export(ErrorCode::option_value_invalid,
                std::string("--format onnx is refused: LibTorch writes no ONNX without Python; use --format ") +
                    row->name + " -o " + file + ", and in Python torch.onnx.export(torch.jit.load('" + file +
                    "'), example, 'FILE.onnx')");
}

const ExportFormatRow* format_of_name(const std::string& name) {
  for (const ExportFormatRow& row : export_formats())
    if (lower(name) == row.name || lower("." + name) == row.endings.back()) return &row;
  if (lower(name) == "onnx") refuse_onnx();
  refuse_export(ErrorCode::option_value_invalid,
                unknown_name("--format: there is no format", name, export_format_names()));
}

const ExportFormatRow* format_of_file(const std::string& file) {
  for (const ExportFormatRow& row : export_formats())
    for (const std::string& ending : row.endings)
      if (ends_with(lower(file), ending)) return &row;
  if (ends_with(lower(file), ".onnx")) refuse_onnx();
  refuse_export(ErrorCode::option_value_invalid, "use --format " + join(export_format_names(), ", --format ") +
                                                     (file.empty() ? "" : "; " + file + " has none of their endings"));
}

// Returns the default output in the current folder: the name of the run or the file, with the format's extension.
std::string usual_output(const ExportArguments& arguments) {
  std::filesystem::path source = absolute_path(arguments.source).lexically_normal();
  if (!source.has_filename()) source = source.parent_path();
  const bool folder = is_folder(source);
  return (folder ? source.filename() : source.stem()).string() + arguments.format->endings.front();
}

// Without an option, the format follows from the output's extension, and the output's name from the source.
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
    refuse_export(ErrorCode::argument_missing,
                  std::string("no run folder and no checkpoint is named: host export RUN_DIR|FILE --format ") +
                      export_formats().front().name);
  if (!out.ckpt_path.empty() && out.ckpt_path != "best" && out.ckpt_path != "last")
    refuse_export(
        ErrorCode::option_value_invalid,
        "--ckpt_path is best or last here; a file is named instead of the run folder: host export " + out.ckpt_path);
  out.format = given.has("format") ? format_of_name(given.value("format")) : format_of_file(out.output);
  if (out.output.empty()) out.output = usual_output(out);
  if (out.is_torchscript() && !out.names.empty())
    refuse_export(ErrorCode::option_unsupported, "--names is for weights; TorchScript has the model's own names");
  return out;
}

NameMap name_map(const std::string& names) {
  return names.empty() ? NameMap() : NameMap(parse_json(names, "--names"), "--names");
}

NamedWeights renamed_weights(const StateDictFile& file, const std::string& names) {
  const NameMap map = name_map(names);
  NamedWeights out;
  for (const std::string& name : file.names()) {
    const auto target = map(name);
    if (target && (target->empty() || !out.emplace(*target, file.tensor(name)).second))
      throw Error(ErrorCode::name_map_invalid, "--names: " + show(name) + " would be called " + show(*target) +
                                                   (target->empty() ? "" : ", as another tensor is"));
  }
  if (out.empty()) throw Error(ErrorCode::name_map_invalid, "--names leaves no tensor");
  return out;
}

int tell(const fs::path& output, const WrittenTensors& written, const std::string& source, const std::string& which) {
  std::printf("%s: %zu tensors, %llu bytes, of %s (%s)\n", output.c_str(), written.tensors,
              static_cast<unsigned long long>(written.bytes), source.c_str(), which.c_str());
  return 0;
}

// Checks the output path. The final rename checks it again, because it only replaces files.
fs::path output_path(const ExportArguments& arguments) {
  fs::path path = output_file(arguments.output, arguments.force, "--output");
  if (!is_folder(path.parent_path()))
    throw Error(ErrorCode::folder_not_found, "--output: there is no folder '" + path.parent_path().string() + "'");
  return path;
}

// Finds the plugin like a run: the file named by the checkpoint, or its copy in the plugin folders.
[[noreturn]] void export_model(const ExportArguments& arguments, const std::string& checkpoint,
                               const fs::path& output) {
  const auto run = run_of_checkpoint(checkpoint);
  if (!run)
    throw Error(
        ErrorCode::checkpoint_format_unsupported,
        checkpoint +
            ": it does not name its model, so there is no forward function to export; use a checkpoint of Levin");
  PluginIndex index(plugin_dirs(arguments.plugins), arguments.trust);
  const FoundComponent model = PluginSource(index).find(written_as(run->model), LEVIN_KIND_MODEL);
  print_message("", "model " + model.component->id + ", " + model.file);
  launch_engine("--export-fd",
                {{"checkpoint", checkpoint}, {"plugin", model.file}, {"trust", arguments.trust}, {"output", output}});
}

}  // namespace

int export_command(const std::vector<std::string>& arguments) {
  const ExportArguments given = read_export_arguments(arguments);
  const fs::path output = output_path(given);
  const ckpt::ExportedFile source = ckpt::exported_file(given.source, given.ckpt_path);
  if (given.is_torchscript()) export_model(given, source.path, output);
  const StateDictFile file(source.path);
  const std::string which = source.which.empty() ? file.format() : source.which;
  if (given.format->format == ExportFormat::lightning)
    return tell(output, write_lightning_checkpoint(output.string(), source.path, name_map(given.names)), source.path,
                which);
  const NamedWeights weights = renamed_weights(file, given.names);
  if (given.format->format == ExportFormat::state_dict)
    write_torch_state_dict(output.string(), weights);
  else
    write_plain_safetensors(output.string(), weights);
  WrittenTensors written{weights.size(), 0};
  for (const auto& [name, tensor] : weights) written.bytes += tensor.bytes;
  return tell(output, written, source.path, which);
}

}  // namespace levin::core
