#include "core/checkpoint/container/safetensors_writer.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/safetensors_layout.hpp"
#include "core/checkpoint/container/tensor_name.hpp"

namespace levin::core {
namespace {

using Json = nlohmann::json;
constexpr uint64_t chunk_bytes = 1u << 20;  // small enough to be still in the cache when it is written after hashing

std::string json_text(std::string_view text) { return Json(std::string(text)).dump(); }

// Returns the place of a number that is not finite, or "". JSON has no NaN or infinity; the library would write null.
std::string bad_number(const Json& value, int depth, const std::string& where) {
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    return where + " is not a finite number; write it as text";
  if (!value.is_structured()) return "";
  if (depth > max_manifest_depth) return where + " is nested deeper than 64";
  for (const auto& item : value.items())
    if (std::string bad = bad_number(item.value(), depth + 1, where + "/" + item.key()); !bad.empty()) return bad;
  return "";
}

void check_texts(const std::string& path, const SafetensorsContent& content) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorCode::checkpoint_not_writable, path + ": cannot write: " + what);
  };
  for (const auto& [key, value] : content.metadata)
    if (starts_with(key, reserved_prefix)) fail("the metadata key " + show_name(key) + " is the format's own");
  if (!content.manifest.is_object()) fail("the manifest is not a JSON object");
  if (content.manifest.contains("tensors")) fail("the manifest's key 'tensors' is the format's own");
  const std::string bad = bad_number(content.manifest, 1, "manifest");
  if (!bad.empty()) fail(bad);
}

// Returns the length and the header. Their size does not depend on the values of the checksums.
std::string header_text(const SafetensorsContent& content, const SafetensorsLayout& layout, const Json& checksums) {
  Json manifest = content.manifest;
  manifest["tensors"] = checksums;
  std::string text(length_bytes, '\0');
  text += header_mark;
  text.append(checksum_length, '0');
  text += '"';
  const auto add_metadata = [&](std::string_view key, std::string_view value) {
    text += ',' + json_text(key) + ':' + json_text(value);
  };
  add_metadata(format_key, format_version);
  add_metadata(manifest_key, manifest.dump());
  for (const auto& [key, value] : content.metadata) add_metadata(key, value);
  text += '}';
  for (const PlacedTensor& tensor : layout.tensors) {
    const std::string dtype = tensor.entry ? tensor.entry->dtype : "U8";
    const Json shape = tensor.entry ? Json(tensor.entry->shape) : Json::array({tensor.end - tensor.begin});
    text += ',' + json_text(tensor.name) + R"(:{"dtype":")" + dtype + R"(","shape":)" + shape.dump() +
            R"(,"data_offsets":[)" + std::to_string(tensor.begin) + ',' + std::to_string(tensor.end) + "]}";
  }
  text += '}';
  text.resize((text.size() + tensor_alignment - 1) / tensor_alignment * tensor_alignment, ' ');
  const uint64_t length = text.size() - length_bytes;
  for (size_t i = 0; i < length_bytes; ++i) text[i] = static_cast<char>(length >> (8 * i) & 0xff);
  return text.replace(header_checksum_at, checksum_length, header_checksum(text));
}

Json empty_checksums(const SafetensorsLayout& layout) {
  Json checksums = Json::object();
  for (const PlacedTensor& tensor : layout.tensors)
    if (tensor.entry) checksums[tensor.name] = std::string(checksum_length, '0');
  return checksums;
}

std::string write_tensor(AtomicFile& file, uint64_t at, const TensorEntry& entry) {
  const char* data = static_cast<const char*>(entry.data);
  Checksum checksum;
  for (uint64_t done = 0; done < entry.bytes; done += chunk_bytes) {
    const uint64_t n = std::min(chunk_bytes, entry.bytes - done);
    checksum.update(data + done, n);
    file.write_at(at + done, data + done, n);
  }
  return checksum.text();
}

}  // namespace

void write_safetensors(const std::string& path, const SafetensorsContent& content) try {
  check_texts(path, content);
  const SafetensorsLayout layout = place_tensors(path, content.tensors);
  Json checksums = empty_checksums(layout);
  const uint64_t data_begin = header_text(content, layout, checksums).size();
  if (data_begin - length_bytes > max_header_bytes)
    throw Error(ErrorCode::checkpoint_not_writable,
                path + ": cannot write: the header would have " + std::to_string(data_begin) +
                    " bytes, and readers of the format take 100000000: shorten the manifest");
  AtomicFile file(path, data_begin + layout.data_bytes);
  // The header is written last, because it contains the checksums. Pads are not written: reserved bytes are zero.
  for (const PlacedTensor& tensor : layout.tensors)
    if (tensor.entry) checksums[tensor.name] = write_tensor(file, data_begin + tensor.begin, *tensor.entry);
  const std::string header = header_text(content, layout, checksums);
  file.write_at(0, header.data(), header.size());
  file.commit();
} catch (const nlohmann::json::exception& e) {
  throw Error(ErrorCode::checkpoint_not_writable,
              path + ": cannot write: a name or text is not UTF-8 (" + e.what() + ")");
}

}  // namespace levin::core
