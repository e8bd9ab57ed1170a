// Reads the symbols that a shared library exports.
#pragma once
#include <elf.h>

#include <string>
#include <vector>

#include "core/plugin/checks/byte_source.hpp"

namespace levin::core {

// The names of what the library defines and exports as STB_GNU_UNIQUE: the dynamic linker keeps one of each name in the
// whole process, RTLD_LOCAL or not. GCC makes them of static members of templates, inline variables and static
// variables of inline functions that are not hidden. Empty where the sections do not tell.
std::vector<std::string> exported_unique_symbols(const ByteSource& in, const std::vector<Elf64_Shdr>& sections);

}  // namespace levin::core
