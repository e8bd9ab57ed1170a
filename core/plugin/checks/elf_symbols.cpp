#include "core/plugin/checks/elf_symbols.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace levin::core {
namespace {

constexpr uint64_t most_bytes = 64 << 20;  // of symbol names; far above real files

bool is_exported_unique(const Elf64_Sym& symbol) {
  const int visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE && symbol.st_shndx != SHN_UNDEF &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

uint64_t value_of(const std::vector<Elf64_Dyn>& dynamic, Elf64_Sxword tag) {
  for (const Elf64_Dyn& entry : dynamic)
    if (entry.d_tag == tag) return entry.d_un.d_val;
  return 0;
}

bool is_mapped(const std::vector<Elf64_Phdr>& segments, uint64_t address) {
  return std::any_of(segments.begin(), segments.end(), [address](const Elf64_Phdr& s) {
    return s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_memsz &&
           s.p_memsz - (address - s.p_vaddr) >= sizeof(uint64_t);
  });
}

std::optional<std::vector<Elf64_Rela>> table_at(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                                                uint64_t address, uint64_t bytes) {
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type != PT_LOAD || address < s.p_vaddr || address - s.p_vaddr >= s.p_filesz) continue;
    const uint64_t offset = s.p_offset + (address - s.p_vaddr);
    if (!in.holds(offset, bytes)) return std::nullopt;
    std::vector<Elf64_Rela> table(bytes / sizeof(Elf64_Rela));
    in.read(offset, table.data(), table.size() * sizeof(Elf64_Rela));
    return table;
  }
  return std::nullopt;
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

// The name in the Itanium C++ ABI: _Z, GV or GR for guards and temporaries, Z for names local to a function, N and
// qualifiers for nested names, then St for std, or a length and a name.
std::string outermost_scope(const std::string& mangled) {
  if (mangled.compare(0, 2, "_Z") != 0) return {};
  size_t at = 2;
  if (mangled.compare(at, 2, "GV") == 0 || mangled.compare(at, 2, "GR") == 0) at += 2;
  while (at < mangled.size() && mangled[at] == 'Z') ++at;
  if (at < mangled.size() && mangled[at] == 'N') at = mangled.find_first_not_of("rVKRO", at + 1);
  if (at >= mangled.size()) return {};
  if (mangled.compare(at, 2, "St") == 0) return "std";
  size_t length = 0;
  for (; at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9' && length < mangled.size(); ++at)
    length = length * 10 + static_cast<size_t>(mangled[at] - '0');
  return at < mangled.size() && length <= mangled.size() - at ? mangled.substr(at, length) : std::string();
}

bool relocations_are_sound(const ByteSource& in, const std::vector<Elf64_Phdr>& segments,
                           const std::vector<Elf64_Dyn>& dynamic) {
  const uint64_t symbols = value_of(dynamic, DT_SYMTAB), names = value_of(dynamic, DT_STRTAB);
  const uint64_t n_symbols = names > symbols ? (names - symbols) / sizeof(Elf64_Sym) : UINT32_MAX;
  const std::pair<Elf64_Sxword, Elf64_Sxword> tables[] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
  for (const auto& [where, size] : tables) {
    const uint64_t bytes = value_of(dynamic, size);
    if (bytes == 0) continue;
    const auto table = table_at(in, segments, value_of(dynamic, where), bytes);
    if (!table) return false;
    for (const Elf64_Rela& r : *table)
      if (!is_mapped(segments, r.r_offset) || ELF64_R_SYM(r.r_info) >= n_symbols) return false;
  }
  return true;
}

}  // namespace levin::core
