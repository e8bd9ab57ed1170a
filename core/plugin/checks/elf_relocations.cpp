#include "core/plugin/checks/elf_relocations.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace levin::core {
namespace {

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
