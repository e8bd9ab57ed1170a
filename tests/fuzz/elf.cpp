// A plugin file before it is loaded: its tables, note, description and dependencies.
#include <boost/core/demangle.hpp>

#include "core/base/error.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/elf_symbols.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

namespace {

void check_note(const ElfFile& elf) try { check_elf(elf, "libx.so", HostFacts::here(), true); } catch (const Error&) {
}

}  // namespace

LEVIN_FUZZ_TARGET(elf) try {
  const ElfFile elf = read_elf(std::string_view(reinterpret_cast<const char*>(data), size), "libx.so");
  check_note(elf);
  run_path_problem(elf, "/usr/lib");
  for (const std::string& symbol : elf.unique_symbols) boost::core::demangle(symbol.c_str());
  embedded_description(elf, "libx.so");
} catch (const Error&) {
}
