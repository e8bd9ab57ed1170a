#include "host/cli/elf_symbols.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace levin::core {

ElfSymbols::ElfSymbols(const std::string& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  struct stat st {};
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
    void* mapped = mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped != MAP_FAILED) bytes_ = static_cast<const char*>(mapped), size_ = static_cast<uint64_t>(st.st_size);
  }
  close(fd);
}

ElfSymbols::~ElfSymbols() {
  if (bytes_) munmap(const_cast<char*>(bytes_), size_);
}

template <class T>
const T* ElfSymbols::at(uint64_t offset, uint64_t count) const {
  if (!bytes_ || offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0) return nullptr;
  return reinterpret_cast<const T*>(bytes_ + offset);
}

template <class Visit>
void ElfSymbols::each_section(Visit visit) const {
  const auto* header = at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return;
  const auto* sections = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (!sections || header->e_shstrndx >= header->e_shnum) return;
  for (uint16_t i = 0; i < header->e_shnum; ++i) {
    const uint32_t link = sections[i].sh_link;
    const Elf64_Shdr& names = sections[header->e_shstrndx];
    visit(sections[i], link < header->e_shnum ? sections[link] : sections[0],
          text_at(names.sh_offset, names.sh_size, sections[i].sh_name));
  }
}

std::string_view ElfSymbols::text_at(uint64_t table, uint64_t size, uint64_t offset) const {
  const char* text = at<char>(table, size);
  if (!text || offset >= size) return {};
  return {text + offset, strnlen(text + offset, size - offset)};
}

// .symtab has all functions. A stripped file has only .dynsym, with the exported functions.
std::string ElfSymbols::function_at(uint64_t offset) const {
  std::string_view best;
  uint64_t start = 0;
  each_section([&](const Elf64_Shdr& section, const Elf64_Shdr& names, std::string_view) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) return;
    const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = at<Elf64_Sym>(section.sh_offset, count);
    for (uint64_t i = 0; symbols && i < count; ++i) {
      const Elf64_Sym& s = symbols[i];
      const bool function = ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF;
      const bool within = s.st_value <= offset && offset - s.st_value < s.st_size;
      if (!function || !within || s.st_value < start) continue;
      best = text_at(names.sh_offset, names.sh_size, s.st_name);
      start = s.st_value;
    }
  });
  return std::string(best);
}

bool ElfSymbols::has_debug_lines() const {
  bool found = false;
  each_section([&](const Elf64_Shdr&, const Elf64_Shdr&, std::string_view name) { found |= name == ".debug_line"; });
  return found;
}

}  // namespace levin::core
