// Reads the symbols that a shared library exports.
#pragma once
#include <elf.h>

#include <string>
#include <vector>

#include "core/plugin/checks/byte_source.hpp"

namespace levin::core {

// Returns the names of the STB_GNU_UNIQUE symbols that the library defines and exports. The dynamic linker keeps one
// definition of each in the whole process, even with RTLD_LOCAL. GCC emits such symbols for static members of
// templates, inline variables and static variables of inline functions, unless they are hidden. Empty if the library
// has no usable section table.
std::vector<std::string> exported_unique_symbols(const ByteSource& in, const std::vector<Elf64_Shdr>& sections);

}  // namespace levin::core
