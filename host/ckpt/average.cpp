#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/elements.hpp"
#include "host/ckpt/verbs.hpp"

namespace levin::core::ckpt {
namespace {

using nlohmann::json;

struct Source {
  std::unique_ptr<CkptFile> file;
  std::map<std::string, std::string> weights;  // by their names in the model
};

using Files = std::vector<Source>;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::checkpoint_does_not_fit, "host ckpt average: " + what);
}

Files open_all(const std::vector<std::string>& paths) {
  Files files;
  for (const std::string& path : paths) {
    auto file = std::make_unique<CkptFile>(path);
    file->reader.verify();
    auto weights = file->weights();
    if (weights.empty()) refuse(path + " has no tensors of a model");
    if (!files.empty() && weights.size() != files.front().weights.size())
      refuse(path + " has " + std::to_string(weights.size()) + " tensors of the model, and " + paths.front() + " has " +
             std::to_string(files.front().weights.size()));
    files.push_back({std::move(file), std::move(weights)});
  }
  return files;
}

// Returns the tensor of this name from each file. They must have the same type and shape.
std::vector<TensorView> views_of(const Files& files, const std::string& name) {
  std::vector<TensorView> views;
  for (const Source& source : files) {
    const auto found = source.weights.find(name);
    if (found == source.weights.end())
      refuse(source.file->path + " has no '" + name + "', which " + files.front().file->path + " has");
    views.push_back(source.file->reader.tensor(found->second));
    const TensorView &first = views.front(), &view = views.back();
    if (view.dtype != first.dtype || view.shape != first.shape)
      refuse("'" + name + "' is " + first.dtype + " " + shape_text(first.shape) + " in " + files.front().file->path +
             " and " + view.dtype + " " + shape_text(view.shape) + " in " + source.file->path);
  }
  return views;
}

std::string mean_of(const std::vector<TensorView>& views) {
  const TensorView& first = views.front();
  const ReadElement read = reader_of(first.dtype);
  const WriteElement write = writer_of(first.dtype);
  std::string out(first.bytes, '\0');
  const uint64_t n = element_count(first);
  for (uint64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const TensorView& view : views) sum += read(view.data, i);
    write(out.data(), i, sum / static_cast<double>(views.size()));
  }
  return out;
}

// Returns true for entries kept in a weights file: the states of the model and of the data module.
bool is_kept(const std::string& name) {
  return starts_with(name, "model.") || starts_with(name, "data.") || starts_with(name, "extra.");
}

// Returns the members of an object, or the strings of a list, whose names are kept.
json kept_of(const json& all, bool (*keep)(const std::string&)) {
  json out = all.is_array() ? json::array() : json::object();
  for (const auto& item : all.items()) {
    if (all.is_object() && keep(item.key())) out[item.key()] = item.value();
    if (all.is_array() && item.value().is_string() && keep(item.value().get<std::string>()))
      out.push_back(item.value());
  }
  return out;
}

// Returns the manifest of the last file, reduced to weights.
json manifest_of(const Files& files) {
  json manifest = files.back().file->reader.manifest();
  for (const char* of_a_run : {"optimizer_states", "lr_schedulers", "precision", "loops"}) manifest.erase(of_a_run);
  for (const char* of_tensors : {"bytes", "types"})
    if (manifest.contains(of_tensors)) manifest[of_tensors] = kept_of(manifest[of_tensors], is_kept);
  if (manifest.contains("components"))
    manifest["components"] =
        kept_of(manifest["components"], [](const std::string& name) { return name == "model" || name == "data"; });
  manifest["weights_only"] = true;
  for (const Source& source : files)
    manifest["average_of"].push_back(std::filesystem::path(source.file->path).filename().string());
  return manifest;
}

// memory: owns the means; adding elements must not move the others.
void add_means(const Files& files, SafetensorsContent& content, std::deque<std::string>& memory) {
  for (const auto& weight : files.front().weights) {
    const std::vector<TensorView> views = views_of(files, weight.first);
    const TensorView& last = views.back();
    const void* data = last.data;  // counters such as num_batches_tracked have no mean
    if (is_floating(last.dtype)) data = memory.emplace_back(mean_of(views)).data();
    content.tensors.push_back({"state_dict." + weight.first, last.dtype, last.shape, data, last.bytes});
  }
}

void add_states(const CkptFile& last, SafetensorsContent& content) {
  for (const std::string& name : last.reader.names()) {
    if (last.foreign || !is_kept(name)) continue;
    const TensorView view = last.reader.tensor(name);
    content.tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
  }
}

}  // namespace

int average(const Arguments& arguments) {
  if (arguments.value("output").empty())
    throw Error(ErrorCode::argument_missing, "host ckpt average: --output FILE is missing");
  const std::string output = output_file(arguments.value("output"), arguments.has("force"), "--output").string();
  const Files files = open_all(arguments.names);
  SafetensorsContent content;
  content.manifest = manifest_of(files);
  content.metadata["format"] = "pt";
  std::deque<std::string> memory;
  add_means(files, content, memory);
  add_states(*files.back().file, content);
  write_safetensors(output, content);
  std::printf("%s: the mean of %zu files; %s test --ckpt_path %s uses it\n", output.c_str(), files.size(),
              command_name(), output.c_str());
  return 0;
}

}  // namespace levin::core::ckpt
