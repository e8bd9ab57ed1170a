#include "core/plugin/checks/elf_symbols.hpp"

#include <algorithm>

namespace levin::core {
namespace {

constexpr uint64_t most_bytes = 64 << 20;  // of symbol names; far above real files

bool is_exported_unique(const Elf64_Sym& symbol) {
  const int visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE && symbol.st_shndx != SHN_UNDEF &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

std::vector<std::string> exported_unique_symbols(const ByteSource& in, const std::vector<Elf64_Shdr>& sections) {
  std::vector<std::string> out;
  const auto table =
      std::find_if(sections.begin(), sections.end(), [](const Elf64_Shdr& s) { return s.sh_type == SHT_DYNSYM; });
  if (table == sections.end() || table->sh_link >= sections.size()) return out;
  const Elf64_Shdr& strings = sections[table->sh_link];
  if (!in.holds(table->sh_offset, table->sh_size) || strings.sh_size > most_bytes) return out;
  const std::string names = in.text(strings.sh_offset, strings.sh_size);
  Elf64_Sym symbol{};
  std::vector<Elf64_Sym> symbols(table->sh_size / sizeof symbol);
  in.read(table->sh_offset, symbols.data(), symbols.size() * sizeof symbol);
  for (const Elf64_Sym& s : symbols)
    if (is_exported_unique(s) && s.st_name < names.size()) out.emplace_back(names.c_str() + s.st_name);
  return out;
}

}  // namespace levin::core
