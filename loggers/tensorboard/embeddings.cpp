#include "embeddings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../common/text_file.hpp"
#include "levin/util/text.hpp"

namespace fs = std::filesystem;

namespace levin::tensorboard {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* config_name = "projector_config.pbtxt";
const std::string first_line = "# written by levin\n";

std::string file_name_of(const std::string& tag, int64_t step) {
  std::string out;
  for (const char c : tag.substr(0, 100)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    out += plain ? c : '_';
  }
  return out + "-" + std::to_string(step);
}

// Text between quotes of a protocol buffer's text format.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c < ' ' && c >= 0 ? ' ' : c);
  return '"' + out + '"';
}

// A cell of tab-separated values.
std::string cell_of(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string line_of(const Json& cells) {
  std::string out;
  for (const Json& cell : cells) out += (out.empty() ? "" : "\t") + cell_of(cell);
  return out + "\n";
}

std::string labels_of(const levin_media& media, int64_t n) {
  const Json table = Json::parse(media.text);
  const Json& columns = table.at("columns");
  if (static_cast<int64_t>(table.at("rows").size()) != n)
    throw Error(LEVIN_E_INVALID, std::string("embedding '") + media.tag + "': " + std::to_string(n) + " vectors and " +
                                     std::to_string(table["rows"].size()) + " rows of labels");
  std::string out = columns.size() > 1 ? line_of(columns) : "";  // a single column has no head
  for (const Json& row : table["rows"]) out += line_of(row);
  return out;
}

std::string vectors_of(const levin_media& media) {
  const levin_view* v = media.view;
  if (!v || v->ndim != 2 || v->strides || v->dtype.code != LEVIN_FLOAT || v->dtype.bits != 32)
    throw Error(LEVIN_E_INVALID, std::string("embedding '") + media.tag + "' has to be row-major float32 [n, size]");
  const auto* at = reinterpret_cast<const float*>(static_cast<const char*>(v->data) + v->byte_offset);
  std::string out;
  for (int64_t row = 0; row < v->shape[0]; ++row) {
    for (int64_t i = 0; i < v->shape[1]; ++i) out += (i ? "\t" : "") + shortest(static_cast<double>(*at++));
    out += "\n";
  }
  return out;
}

}  // namespace

// Returns true if there is a configuration that a logger of this kind has written.
bool Embeddings::has_config() const {
  std::error_code failed;
  const fs::path config = run_dir_ / config_name;
  return fs::is_regular_file(config, failed) && loggers::read_text(config).rfind(first_line, 0) == 0;
}

void Embeddings::begin_anew(const fs::path& run_dir) {
  run_dir_ = run_dir;
  all_.clear();
  if (has_config()) loggers::remove_text(run_dir_ / config_name);
}

void Embeddings::go_on(const fs::path& run_dir, const std::optional<std::string>& lines) {
  run_dir_ = run_dir;
  all_.clear();
  if (!lines) return;
  std::istringstream in(*lines);
  for (std::string labels, folder, name;
       std::getline(in, labels, '\t') && std::getline(in, folder, '\t') && std::getline(in, name);)
    if (fs::exists(run_dir_ / "projector" / fs::path(folder).filename())) all_.push_back({name, folder, labels == "1"});
  if (!all_.empty())
    write();
  else if (has_config())
    loggers::remove_text(run_dir_ / config_name);
}

void Embeddings::add(const levin_media& media) {
  const std::string vectors = vectors_of(media);
  const std::string labels = media.text && *media.text ? labels_of(media, media.view->shape[0]) : "";
  std::string name = media.tag;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  const One one{name + ":" + std::to_string(media.step), file_name_of(media.tag, media.step), !labels.empty()};
  const fs::path folder = run_dir_ / "projector" / one.folder;
  fs::create_directories(folder);
  loggers::replace_text(folder / "tensors.tsv", vectors);
  if (one.labels) loggers::replace_text(folder / "metadata.tsv", labels);
  const auto same = [&one](const One& other) { return other.folder == one.folder; };
  all_.erase(std::remove_if(all_.begin(), all_.end(), same), all_.end());
  all_.push_back(one);
  write();
}

void Embeddings::write() const {
  std::string out = first_line;
  for (const One& one : all_) {
    const std::string path = "projector/" + one.folder + "/";
    out +=
        "embeddings {\n  tensor_name: " + quoted(one.name) + "\n  tensor_path: " + quoted(path + "tensors.tsv") + "\n";
    if (one.labels) out += "  metadata_path: " + quoted(path + "metadata.tsv") + "\n";
    out += "}\n";
  }
  loggers::replace_text(run_dir_ / config_name, out);
}

std::string Embeddings::lines() const {
  std::string out;
  for (const One& one : all_) out += (one.labels ? "1\t" : "0\t") + one.folder + "\t" + one.name + "\n";
  return out;
}

}  // namespace levin::tensorboard
