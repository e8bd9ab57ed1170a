#include "saved_note.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "levin/util/uninterrupted.hpp"

namespace levin::model_checkpoint {
namespace {

constexpr uint64_t longest_header = 100'000'000;

std::string read_header(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return {};
  std::ifstream in;
  uninterrupted([&] { return in.open(path, std::ios::binary), in ? 0 : -1; });
  unsigned char length[8];
  if (!in.read(reinterpret_cast<char*>(length), sizeof length)) return {};
  uint64_t n = 0;
  for (int i = 7; i >= 0; --i) n = n << 8 | length[i];
  if (n > longest_header || n > std::filesystem::file_size(path, failed)) return {};
  std::string header(static_cast<size_t>(n), '\0');
  return in.read(&header[0], static_cast<std::streamsize>(n)) ? header : "";
}

}  // namespace

std::optional<SavedNote> read_note(const std::string& path) try {
  using nlohmann::json;
  const json header = json::parse(read_header(path));
  const json manifest = json::parse(header.at("__metadata__").at("levin").get_ref<const std::string&>());
  return SavedNote{manifest.at("run").get<std::string>(), manifest.at("saves").get<uint64_t>(),
                   manifest.at("global_step").get<int64_t>()};
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace levin::model_checkpoint
