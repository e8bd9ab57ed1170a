#include "host/export/export_arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

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

struct Option {
  const char* name;
  std::string ExportArguments::*text;  // nullptr = a flag
  bool ExportArguments::*flag;
};
constexpr Option export_options[] = {{"output", &ExportArguments::output, nullptr},
                                     {"ckpt_path", &ExportArguments::ckpt_path, nullptr},
                                     {"names", &ExportArguments::names, nullptr},
                                     {"force", nullptr, &ExportArguments::force},
                                     {"trust", nullptr, &ExportArguments::trust}};

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : words_(arguments) {}

  ExportArguments read() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word == "-o" || (starts_with(word, "--") && word.size() > 2))
        option(word == "-o" ? "--output" : word);
      else if (word.size() > 1 && word[0] == '-')
        refuse_export("there is no option " + word + "; see host help export");
      else
        name(word);
    }
    return std::move(out_);
  }
  const std::string& format() const { return format_; }

 private:
  void name(const std::string& word) {
    if (!out_.source.empty()) refuse_export("'" + word + "' is one word too many; see host help export");
    out_.source = word;
  }

  void option(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    for (const Option& option : export_options) {
      if (name != option.name) continue;
      if (option.flag != nullptr) return flag(word, option);
      std::string& to = out_.*option.text;
      if (!to.empty()) refuse_export("--" + name + " is given twice");
      to = value(word, equals);
      return;
    }
    if (name == "format")
      format_ = value(word, equals);
    else if (name == "plugins")
      out_.plugins.push_back(value(word, equals));
    else
      refuse_export("there is no option --" + name + " here" +
                    did_you_mean(name, {"format", "output", "ckpt_path", "names", "force", "trust", "plugins"}));
  }

  void flag(const std::string& word, const Option& option) {
    if (word.find('=') != std::string::npos) refuse_export(word + ": --" + option.name + " takes no value");
    out_.*option.flag = true;
  }

  std::string value(const std::string& word, size_t equals) {
    if (equals == std::string::npos && at_ == words_.size()) refuse_export(word + ": its value is missing");
    const std::string text = equals == std::string::npos ? words_[at_++] : word.substr(equals + 1);
    if (text.empty()) refuse_export(word + ": its value is empty");
    return text;
  }

  const std::vector<std::string>& words_;
  size_t at_ = 0;
  std::string format_;
  ExportArguments out_;
};

// Returns the default output in the current folder: the name of the run or the file, with the format's extension.
std::string usual_output(const ExportArguments& arguments) {
  std::filesystem::path source = absolute_path(arguments.source).lexically_normal();
  if (!source.has_filename()) source = source.parent_path();
  std::error_code unknown;
  const bool folder = std::filesystem::is_directory(source, unknown);
  return (folder ? source.filename() : source.stem()).string() + arguments.format->endings.front();
}

}  // namespace

ExportArguments read_export_arguments(const std::vector<std::string>& arguments) {
  Reader reader(arguments);
  ExportArguments out = reader.read();
  if (out.source.empty())
    refuse_export("no run folder and no checkpoint is named: host export RUN_DIR|FILE --format safetensors");
  if (!out.ckpt_path.empty() && out.ckpt_path != "best" && out.ckpt_path != "last")
    refuse_export("--ckpt_path is best or last here; a file is named instead of the run folder: host export " +
                  out.ckpt_path);
  out.format = reader.format().empty() ? format_of_file(out.output) : format_of_name(reader.format());
  if (out.output.empty()) out.output = usual_output(out);
  if (out.is_torchscript() && !out.names.empty())
    refuse_export("--names is for weights; TorchScript has the model's own names");
  return out;
}

}  // namespace levin::core
