#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/elements.hpp"
#include "host/ckpt/verbs.hpp"

namespace levin::core::ckpt {
namespace {

using Files = std::vector<std::unique_ptr<CkptFile>>;
using nlohmann::json;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::checkpoint, "host ckpt average: " + what); }

Files open_all(const std::vector<std::string>& paths) {
  Files files;
  for (const std::string& path : paths) {
    files.push_back(std::make_unique<CkptFile>(path));
    files.back()->reader.verify();
  }
  return files;
}

// The tensor of this name in each file, which have to be alike.
std::vector<TensorView> views_of(const Files& files, const std::string& name) {
  std::vector<TensorView> views;
  for (const auto& file : files) {
    const auto names = file->weights();
    const auto found = names.find(name);
    if (found == names.end()) refuse(file->path + " has no '" + name + "', which " + files.front()->path + " has");
    views.push_back(file->reader.tensor(found->second));
    const TensorView &first = views.front(), &view = views.back();
    if (view.dtype != first.dtype || view.shape != first.shape)
      refuse("'" + name + "' is " + first.dtype + " " + shape_text(first.shape) + " in " + files.front()->path +
             " and " + view.dtype + " " + shape_text(view.shape) + " in " + file->path);
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

// What the last file says, as of weights alone.
json manifest_of(const Files& files) {
  json manifest = files.back()->reader.manifest();
  for (const char* of_a_run : {"optimizer_states", "lr_schedulers", "precision", "loops", "bytes", "components"})
    manifest.erase(of_a_run);
  manifest["weights_only"] = true;
  for (const auto& file : files)
    manifest["average_of"].push_back(std::filesystem::path(file->path).filename().string());
  return manifest;
}

}  // namespace

int average(const CkptWords& words) {
  if (words.output.empty()) throw Error(ErrorKind::usage, "host ckpt average: --output FILE says where the mean goes");
  std::error_code unknown;
  if (!words.force && std::filesystem::exists(words.output, unknown))
    throw Error(ErrorKind::usage, words.output + " is there already; --force replaces it");
  const Files files = open_all(words.files);
  SafetensorsContent content;
  content.manifest = manifest_of(files);
  content.metadata["format"] = "pt";
  std::deque<std::string> memory;  // of the means; its elements stay where they are
  for (const auto& [name, ignored] : files.front()->weights()) {
    const std::vector<TensorView> views = views_of(files, name);
    const TensorView& last = views.back();
    const void* data = last.data;  // counters such as num_batches_tracked have no mean
    if (is_floating(last.dtype)) data = memory.emplace_back(mean_of(views)).data();
    content.tensors.push_back({"state_dict." + name, last.dtype, last.shape, data, last.bytes});
  }
  for (const auto& file : files)
    if (file->weights().size() != content.tensors.size())
      refuse(file->path + " has " + std::to_string(file->weights().size()) + " tensors of the model, and " +
             files.front()->path + " has " + std::to_string(content.tensors.size()));
  if (content.tensors.empty()) refuse(files.front()->path + " has no tensors of a model");
  write_safetensors(words.output, content);
  std::printf("%s: the mean of %zu files; host test --ckpt_path %s uses it\n", words.output.c_str(), files.size(),
              words.output.c_str());
  return 0;
}

}  // namespace levin::core::ckpt
