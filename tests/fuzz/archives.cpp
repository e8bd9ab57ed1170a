// An archive at an address, and the address itself.
#include "download/archive_reader.hpp"
#include "levin/error.hpp"
#include "plugins/common/download/address.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(archives) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const levin::fuzz::MemoryFile file(text);
  try {
    download::Address address("https://" + std::string(text));
    address.path_of_copy();
    address.shown();
  } catch (const levin::Error&) {
  }
  try {
    download::ArchiveReader reader(file.path());
    size_t read = 0;
    for (download::Member member; reader.next(member) && read < (size_t{1} << 22);)
      for (download::Block block; reader.read(block) && read < (size_t{1} << 22);) read += block.size + 1;
  } catch (const levin::Error&) {
  }
  try {
    if (size < 4096) download::check_end(file.path(), {});
  } catch (const levin::Error&) {
  }
}
