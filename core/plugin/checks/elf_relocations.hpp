// The relocations of a shared library, which the dynamic linker follows without a look.
#pragma once
#include <elf.h>

#include <vector>

#include "core/plugin/checks/byte_source.hpp"

namespace levin::core {

// Whether each of DT_RELA and DT_JMPREL writes into a segment and names a symbol that there is. A table that cannot be
// read is not sound. The number of symbols is taken from the distance of the symbols to their names, as linkers lay
// them out; where the names come first, symbols are not checked.
bool relocations_are_sound(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                           const std::vector<Elf64_Dyn>& dynamic);

}  // namespace levin::core
