// Checks the relocations of a shared library, which the dynamic linker follows without checking them.
#pragma once
#include <elf.h>

#include <vector>

#include "core/plugin/checks/byte_source.hpp"

namespace levin::core {

// Whether each relocation of DT_RELA and DT_JMPREL writes into a segment and names a symbol that exists. A table that
// cannot be read is not sound. The number of symbols is the distance between the symbol table and the string table,
// which linkers place right after it; if the string table comes first, symbols are not checked.
bool relocations_are_sound(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                           const std::vector<Elf64_Dyn>& dynamic);

}  // namespace levin::core
