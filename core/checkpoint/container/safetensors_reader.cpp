#include "core/checkpoint/container/safetensors_reader.hpp"

#include <algorithm>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/file_bytes.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/tensor_name.hpp"

namespace levin::core {
namespace {

using Json = nlohmann::json;

// Rejects repeated keys, deep nesting, and a NUL, which the library would take for the end of the text.
Json parse_manifest(const std::string& text) {
  if (text.find('\0') != std::string::npos) throw std::runtime_error("it holds a NUL");
  std::vector<std::set<std::string>> keys;
  const auto check = [&keys](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (depth > max_manifest_depth) throw std::runtime_error("it is nested deeper than 64");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      throw std::runtime_error("the key " + show_name(value.get<std::string>()) + " occurs twice");
    return true;
  };
  Json manifest = Json::parse(text, check);
  if (!manifest.is_object()) throw std::runtime_error("it is not an object");
  return manifest;
}

}  // namespace

SafetensorsReader::SafetensorsReader(const std::string& path, SafetensorsMode mode)
    : path_(path), mode_(mode), file_(std::make_unique<FileBytes>(path)) {
  open();
}

SafetensorsReader::SafetensorsReader(std::string bytes, const std::string& name, SafetensorsMode mode)
    : path_(name), mode_(mode), file_(std::make_unique<FileBytes>(std::move(bytes), name)) {
  open();
}

SafetensorsReader::~SafetensorsReader() = default;
SafetensorsReader::SafetensorsReader(SafetensorsReader&&) noexcept = default;
SafetensorsReader& SafetensorsReader::operator=(SafetensorsReader&&) noexcept = default;

void SafetensorsReader::fail(const std::string& what) const {
  throw Error(ErrorCode::checkpoint_damaged, path_ + ": " + what);
}

void SafetensorsReader::open() {
  const std::string start = file_->read(0, std::min(length_bytes, file_->size()));
  const uint64_t length = safetensors_header_length(path_, start, file_->size());
  const std::string header = file_->read(0, length_bytes + length);
  if (mode_ == SafetensorsMode::strict) check_header(header);
  header_ = parse_safetensors_header(path_, std::string_view(header).substr(length_bytes), file_->size(), mode_);
  for (size_t i = 0; i < header_.tensors.size(); ++i)
    if (mode_ == SafetensorsMode::reference || !is_pad_name(header_.tensors[i].name))
      tensors_[header_.tensors[i].name] = i;
  if (mode_ == SafetensorsMode::strict) read_metadata();
}

void SafetensorsReader::check_header(const std::string& length_and_header) const {
  const auto has_mark = length_and_header.compare(length_bytes, header_mark.size(), header_mark) == 0;
  if (!has_mark || length_and_header.size() < header_checksum_at + checksum_length) {
    // An error of the reference mode is reported first: another program's file may be cut off.
    parse_safetensors_header(path_, std::string_view(length_and_header).substr(length_bytes), file_->size(),
                             SafetensorsMode::reference);
    fail("not a checkpoint of this program: its header does not begin with a checksum (another program's weights?)");
  }
  if (length_and_header.compare(header_checksum_at, checksum_length, header_checksum(length_and_header)) != 0)
    fail("damaged: the header does not have its checksum");
}

void SafetensorsReader::read_metadata() {
  const auto format = header_.metadata.find(std::string(format_key));
  if (format == header_.metadata.end() || format->second != format_version)
    fail("a format that this program does not read: " +
         (format == header_.metadata.end() ? "none given" : show_name(format->second)) + "; it reads '1'");
  const auto manifest = header_.metadata.find(std::string(manifest_key));
  if (manifest == header_.metadata.end()) fail("damaged: there is no manifest");
  try {
    manifest_ = parse_manifest(manifest->second);
  } catch (const std::runtime_error& e) {
    fail(std::string("damaged: the manifest cannot be read: ") + e.what());
  } catch (const Json::exception& e) {
    fail(std::string("damaged: the manifest cannot be read: ") + e.what());
  }
  read_checksums();
  for (std::string_view key : {format_key, manifest_key, header_key}) header_.metadata.erase(std::string(key));
  for (const TensorInfo& info : header_.tensors) check_levin_tensor(info);
}

void SafetensorsReader::read_checksums() {
  const auto tensors = manifest_.find("tensors");
  if (tensors == manifest_.end() || !tensors->is_object()) fail("damaged: the manifest has no tensors");
  for (const auto& item : tensors->items()) {
    if (!item.value().is_string()) fail("damaged: tensor " + show_name(item.key()) + " has no checksum");
    if (!contains(item.key())) fail("damaged: tensor " + show_name(item.key()) + " of the manifest is not in the file");
    checksums_[item.key()] = item.value().get<std::string>();
  }
  for (const auto& [name, index] : tensors_)
    if (checksums_.count(name) == 0) fail("damaged: tensor " + show_name(name) + " has no checksum");
  manifest_.erase("tensors");
}

void SafetensorsReader::check_levin_tensor(const TensorInfo& info) const {
  if (is_pad_name(info.name)) {
    if (info.dtype != "U8" || info.shape.size() != 1 || info.end - info.begin >= tensor_alignment)
      fail("damaged: the pad " + show_name(info.name) + " is not one to 63 bytes");
    return;
  }
  if (!is_tensor_name(info.name)) fail("damaged: " + show_name(info.name) + " is no name of a tensor");
  if ((header_.data_begin + info.begin) % tensor_alignment != 0)
    fail("damaged: tensor " + show_name(info.name) + " does not begin at a multiple of 64 bytes");
}

std::vector<std::string> SafetensorsReader::names() const {
  std::vector<std::string> names;
  for (const auto& item : tensors_) names.push_back(item.first);
  return names;
}

TensorView SafetensorsReader::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail("there is no tensor " + show_name(name) + did_you_mean(name, names()));
  const TensorInfo& info = header_.tensors[found->second];
  return {info.dtype, info.shape, file_->data() + header_.data_begin + info.begin, info.end - info.begin};
}

void SafetensorsReader::verify() const {
  if (mode_ == SafetensorsMode::strict)
    for (const TensorInfo& info : header_.tensors) verify(info);
}

void SafetensorsReader::verify(const TensorInfo& info) const {
  const uint64_t begin = header_.data_begin + info.begin, bytes = info.end - info.begin;
  if (is_pad_name(info.name)) {
    const std::string pad = file_->read(begin, bytes);
    if (std::any_of(pad.begin(), pad.end(), [](char c) { return c != 0; }))
      fail("damaged: the pad " + show_name(info.name) + " at byte " + std::to_string(begin) + " is not all zeros");
    return;
  }
  if (file_->checksum(begin, bytes) != checksums_.at(info.name))
    fail("damaged: tensor " + show_name(info.name) + " at byte " + std::to_string(begin) +
         " does not have its checksum");
}

bool looks_like_checkpoint(const std::string& path) {
  try {
    const SafetensorsReader reader(path, SafetensorsMode::reference);
    const auto key = reader.metadata().lower_bound(std::string(reserved_prefix));
    return key != reader.metadata().end() && starts_with(key->first, reserved_prefix);
  } catch (const Error&) {
    return true;
  }
}

}  // namespace levin::core
