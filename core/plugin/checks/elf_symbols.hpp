// The symbols that a shared library exports, and its relocations, which name symbols.
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

// Returns the outermost namespace or class of the symbol: "levin" for _ZZN5levin6detail1fEvE1n, "std" for _ZNSt3fooE.
// For a guard variable, returns the scope of the guarded variable. Returns "" for other than C++ names.
std::string outermost_scope(const std::string& mangled);

// The dynamic linker follows relocations without checking them. Returns true if each relocation of DT_RELA and
// DT_JMPREL writes into a segment and names an existing symbol. Returns false for a table that cannot be read. The
// number of symbols is computed from the distance between the symbol table and the string table, which linkers place
// right after it. If the string table comes first, symbols are not checked.
bool relocations_are_sound(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                           const std::vector<Elf64_Dyn>& dynamic);

}  // namespace levin::core
