// A pickle alone, and within an archive whose checksums are right.
#include "core/weights/pickle.hpp"
#include "core/weights/torch_types.hpp"
#include "core/weights/zip_writer.hpp"
#include "tests/fuzz/read_weights.hpp"

using namespace levin::core;

namespace {

bool reads(std::string_view bytes) try {
  const Pickle pickle(bytes);
  for (uint32_t i = 0; i < pickle.size(); ++i) try {
      pickled_tensor(pickle, i);
    } catch (const std::runtime_error&) {
    }
  return true;
} catch (const std::runtime_error&) {
  return false;
}

ZipMember member(const std::string& name, std::string content) {
  ZipMember out{"archive/" + name, content.size(), {}};
  out.content = [content = std::move(content)](const auto& write) { write(content.data(), content.size()); };
  return out;
}

}  // namespace

LEVIN_FUZZ_TARGET(pickle) {
  static const levin::fuzz::ScratchFolder folder;
  const std::string bytes = levin::fuzz::text_of(data, size);
  if (!reads(bytes)) return;
  const std::string path = (folder.path() / "weights.pt").string();
  write_zip(path, {member("data.pkl", bytes), member("data/0", std::string(64, 'x')), member("data/1", "yyyy")});
  levin::fuzz::read_weights(path);
}
