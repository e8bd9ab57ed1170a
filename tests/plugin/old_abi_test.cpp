// Plugins built with former ABIs (old_abi/README.md): what they require, and the answer of a host with another ABI.
#include <filesystem>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "sdk/include/levin/abi.h"

namespace old_abi_test {
namespace fs = std::filesystem;
using namespace levin::core;

namespace {

// Returns this host's objection to the file, or "".
std::string answer(const fs::path& path) {
  const OpenFile file(path, /*trust=*/true);
  const ElfFile elf = read_elf(file.fd(), path.string());
  HostFacts host = HostFacts::here();
  host.machine = elf.machine;  // the files are for one architecture, but their notes apply to all
  try {
    check_elf(elf, path.string(), host, /*trust=*/true);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a plugin of a former ABI is refused with what it needs, what the host has, and what to do") {
  int tried = 0;
  for (const auto& entry : fs::directory_iterator(LEVIN_TEST_OLD_ABI)) {
    if (entry.path().extension() != ".so") continue;
    ++tried;
    const std::string name = entry.path().stem().string(), abi = name.substr(name.rfind('_') + 1);
    const std::string own = std::to_string(LEVIN_ABI_MAJOR) + "." + std::to_string(LEVIN_ABI_MINOR);
    INFO(name);
    if (LEVIN_ABI_MAJOR > 0 && abi[0] == '0' + static_cast<char>(LEVIN_ABI_MAJOR)) {
      CHECK(answer(entry.path()).empty());  // from 1.0 on, plugins with an older minor version load
    } else {
      CHECK_THAT(answer(entry.path()),
                 ContainsSubstring(entry.path().string()) && ContainsSubstring("needs plugin ABI " + abi) &&
                     ContainsSubstring("this host has " + own) &&
                     ContainsSubstring("rebuild the plugin with this host's SDK, or use a host of that version"));
    }
  }
  CHECK(tried >= 2);
}

}  // namespace old_abi_test
