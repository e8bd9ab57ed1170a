// Checks the relocations of a shared library, which the dynamic linker follows without checking them.
#pragma once
#include <elf.h>

#include <vector>

#include "core/plugin/checks/byte_source.hpp"

namespace levin::core {

// Returns true if each relocation of DT_RELA and DT_JMPREL writes into a segment and names an existing symbol. Returns
// false for a table that cannot be read. The number of symbols is computed from the distance between the symbol table
// and the string table, which linkers place right after it. If the string table comes first, symbols are not checked.
bool relocations_are_sound(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                           const std::vector<Elf64_Dyn>& dynamic);

}  // namespace levin::core
