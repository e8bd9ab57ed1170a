// A tar archive of samples.
#include "levin/error.hpp"
#include "plugins/webdataset/inputs.hpp"
#include "plugins/webdataset/samples.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(tar_shards) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    const webdataset::TarFile tar(file.path());
    std::string damage;
    for (const webdataset::Member& member : tar.members(damage)) {
      std::string key, field;
      if (!webdataset::cut_name(member.name, key, field) || field != "npy") continue;
      std::vector<uint8_t> bytes(member.size);
      tar.read(member.begin, member.size, bytes.data());
      std::vector<int64_t> shape;
      webdataset::decode_array(bytes, shape);
    }
  } catch (const levin::Error&) {
  }
}
