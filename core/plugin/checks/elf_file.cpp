#include "core/plugin/checks/elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/plugin/checks/byte_source.hpp"
#include "core/plugin/checks/elf_symbols.hpp"
#include "core/plugin/checks/open_file.hpp"

namespace levin::core {
namespace {

// Limits far above real files, so that a broken file costs neither time nor memory.
constexpr uint64_t most_segments = 256, most_entries = 65536, most_note = 1 << 18, most_description = 16 << 20,
                   most_path = 4096;

class ElfReader {
 public:
  ElfReader(const ByteSource& in, const std::string& name) : in_(in), name_(name) {}

  ElfFile read() {
    read_header();
    read_segments();
    read_sections();
    read_notes();
    read_dynamic();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { refuse_plugin(name_, 2, why); }
  [[noreturn]] void cut_short(uint64_t end) const {
    refuse("the file is cut short: it has " + std::to_string(in_.size()) + " of at least " + std::to_string(end) +
           " bytes; build or copy it again");
  }
  void must_hold(uint64_t offset, uint64_t n) const {
    if (in_.holds(offset, n)) return;
    if (offset + n < offset) refuse("the file is damaged: a part of it lies beyond any file; build or copy it again");
    cut_short(offset + n);
  }

  void read_header() {
    unsigned char ident[EI_NIDENT] = {};
    in_.read(0, ident, std::min<uint64_t>(in_.size(), EI_NIDENT));
    if (std::memcmp(ident, ELFMAG, SELFMAG) != 0) refuse("not an ELF file, so no shared library");
    if (!in_.get(0, &header_)) cut_short(sizeof header_);
    if (ident[EI_CLASS] != ELFCLASS64) refuse("not a 64-bit library; this host is 64-bit");
    if (ident[EI_DATA] != ELFDATA2LSB) refuse("a big-endian library; this host is little-endian");
    if (header_.e_type != ET_DYN) refuse("not a shared library, but an object file or a program");
    out_.machine = header_.e_machine;
  }

  void read_segments() {
    if (header_.e_phnum == 0 || header_.e_phnum > most_segments || header_.e_phentsize != sizeof(Elf64_Phdr))
      refuse("the file is damaged: its segment table cannot be read");
    must_hold(header_.e_phoff, uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr));
    segments_.resize(header_.e_phnum);
    in_.read(header_.e_phoff, segments_.data(), segments_.size() * sizeof(Elf64_Phdr));
    for (const auto& segment : segments_)
      if (segment.p_type == PT_LOAD) must_hold(segment.p_offset, segment.p_filesz);
  }

  void read_sections() {
    if (header_.e_shoff == 0) return;
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) refuse("the file is damaged: its section table cannot be read");
    uint64_t n = header_.e_shnum, names = header_.e_shstrndx;
    Elf64_Shdr first{};
    must_hold(header_.e_shoff, sizeof first);
    in_.get(header_.e_shoff, &first);
    if (n == 0) n = first.sh_size;  // more sections than e_shnum can hold
    if (names == SHN_XINDEX) names = first.sh_link;
    if (n > most_entries) refuse("the file is damaged: its section table cannot be read");
    must_hold(header_.e_shoff, n * sizeof(Elf64_Shdr));
    sections_.resize(n);
    in_.read(header_.e_shoff, sections_.data(), n * sizeof(Elf64_Shdr));
    if (names >= n) return;
    const Elf64_Shdr& strings = sections_[names];
    section_names_ = in_.text(strings.sh_offset, std::min<uint64_t>(strings.sh_size, most_note));
    if (const Elf64_Shdr* section = find_section(".levin.description"))
      out_.description = read_section(*section, most_description);
    if (const Elf64_Shdr* section = find_section(".levin.sources")) out_.sources = read_section(*section, most_path);
  }

  const Elf64_Shdr* find_section(const char* name) const {
    const size_t length = std::strlen(name) + 1;  // with its NUL
    for (const auto& section : sections_)
      if (section.sh_name < section_names_.size() && section_names_.compare(section.sh_name, length, name, length) == 0)
        return &section;
    return nullptr;
  }

  // Returns the section's text without the zeros at its end.
  std::string read_section(const Elf64_Shdr& section, uint64_t most) const {
    if (section.sh_type == SHT_NOBITS) return {};
    must_hold(section.sh_offset, section.sh_size);
    if (section.sh_size > most) refuse("the file is damaged: its description is too large");
    std::string out = in_.text(section.sh_offset, section.sh_size);
    out.erase(out.find_last_not_of('\0') + 1);
    return out;
  }

  void read_notes() {
    for (const auto& segment : segments_)
      if (segment.p_type == PT_NOTE) walk_notes(segment.p_offset, segment.p_filesz, segment.p_align);
    if (out_.has_note) return;
    // A linker script may leave the note out of the segments.
    if (const Elf64_Shdr* section = find_section(".note.levin"))
      if (section->sh_type != SHT_NOBITS) walk_notes(section->sh_offset, section->sh_size, 4);
  }

  void walk_notes(uint64_t offset, uint64_t size, uint64_t alignment) {
    if (size > most_note) return;
    const std::string bytes = in_.text(offset, size);
    const uint64_t align = alignment == 8 ? 8 : 4;
    const auto up = [align](uint64_t n) { return (n + align - 1) / align * align; };
    for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes.size();) {
      Elf64_Nhdr head{};
      std::memcpy(&head, bytes.data() + at, sizeof head);
      const uint64_t name = at + sizeof head, text = up(name + head.n_namesz), end = text + head.n_descsz;
      if (end > bytes.size()) return;
      const std::string_view owner = std::string_view(bytes).substr(name, head.n_namesz);
      read_note(owner, head.n_type, std::string_view(bytes).substr(text, head.n_descsz));
      at = up(end);
    }
  }

  void read_note(std::string_view owner, uint32_t type, std::string_view text) {
    if (owner == std::string_view("GNU\0", 4) && type == NT_GNU_BUILD_ID) {
      out_.build_id = hex_digits(text);
    }
    if (owner != std::string_view("LEV\0", 4) || type != 1 || out_.has_note) return;
    out_.has_note = true;
    while (!text.empty()) {
      const std::string_view pair = text.substr(0, text.find('\0'));
      const size_t equals = pair.find('=');
      if (equals != std::string_view::npos) out_.note.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
      text.remove_prefix(std::min(pair.size() + 1, text.size()));
    }
  }

  // Returns the file offset of a virtual address, or the file's size if no segment contains the address.
  uint64_t offset_of(uint64_t address) const {
    for (const auto& segment : segments_)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    return in_.size();
  }

  std::vector<Elf64_Dyn> dynamic_entries() const {
    for (const auto& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      must_hold(segment.p_offset, segment.p_filesz);
      std::vector<Elf64_Dyn> entries(std::min<uint64_t>(segment.p_filesz / sizeof(Elf64_Dyn), most_entries));
      in_.read(segment.p_offset, entries.data(), entries.size() * sizeof(Elf64_Dyn));
      const auto end = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_NULL; });
      entries.erase(end, entries.end());
      return entries;
    }
    refuse("not a shared library that can be loaded: it has no dynamic section");
  }

  void read_dynamic() {
    const auto entries = dynamic_entries();
    uint64_t strings = in_.size(), needs = in_.size(), n_needs = 0;
    for (const auto& entry : entries) {
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_VERNEED) needs = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_VERNEEDNUM) n_needs = entry.d_un.d_val;
    }
    std::string rpath;
    const auto text = [&](uint64_t at) { return at < in_.size() ? in_.c_string(strings + at) : std::string(); };
    for (const auto& entry : entries) {
      if (entry.d_tag == DT_NEEDED) out_.needed.push_back(text(entry.d_un.d_val));
      for (const auto tag : {DT_FILTER, DT_AUXILIARY, DT_AUDIT, DT_DEPAUDIT})
        if (entry.d_tag == tag) out_.companion = text(entry.d_un.d_val);
      if (entry.d_tag == DT_RUNPATH) out_.runpath = text(entry.d_un.d_val);
      if (entry.d_tag == DT_RPATH) rpath = text(entry.d_un.d_val);
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE)) refuse("not a shared library, but a program");
    }
    out_.rpath_inherited = out_.runpath.empty() && !rpath.empty();
    if (out_.rpath_inherited) out_.runpath = rpath;
    read_versions(needs, n_needs, strings);
    out_.unique_symbols = exported_unique_symbols(in_, sections_);
    if (!relocations_are_sound(in_, segments_, entries))
      refuse("the file is damaged: its relocations lead out of it; build or copy it again");
  }

  void read_versions(uint64_t at, uint64_t n, uint64_t strings) {
    uint64_t left = most_entries;  // bounds the walk whatever the file contains
    Elf64_Verneed need{};
    for (; n && left && in_.get(at, &need); --n, --left) {
      uint64_t aux_at = at + need.vn_aux;
      Elf64_Vernaux aux{};
      for (uint64_t k = need.vn_cnt; k && left && in_.get(aux_at, &aux); --k, --left) {
        note_version(in_.c_string(strings + aux.vna_name));
        if (aux.vna_next == 0) break;
        aux_at += aux.vna_next;
      }
      if (need.vn_next == 0) return;
      at += need.vn_next;
    }
  }

  // Stores the version if it is the newest so far.
  void note_version(const std::string& version) {
    const auto newest = [&version](const char* prefix, std::string* out) {
      if (version.rfind(prefix, 0) != 0) return;
      const std::string number = version.substr(std::strlen(prefix));
      if (number.empty() || number.find_first_not_of("0123456789.") != std::string::npos) return;
      if (out->empty() || compare_versions(*out, number) < 0) *out = number;
    };
    newest("GLIBC_", &out_.glibc);
    newest("GLIBCXX_", &out_.glibcxx);
  }

  const ByteSource& in_;
  const std::string& name_;
  ElfFile out_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
  std::string section_names_;
};

}  // namespace

std::string ElfFile::note_value(const std::string& key) const {
  for (const auto& [k, value] : note)
    if (k == key) return value;
  return {};
}

ElfFile read_elf(int fd, const std::string& name) {
  const ByteSource in(fd);
  return ElfReader(in, name).read();
}

ElfFile read_elf(std::string_view bytes, const std::string& name) {
  const ByteSource in(bytes);
  return ElfReader(in, name).read();
}

const char* machine_name(uint16_t machine) {
  constexpr std::pair<uint16_t, const char*> names[] = {
      {EM_X86_64, "x86-64"}, {EM_AARCH64, "AArch64"}, {EM_RISCV, "RISC-V"}, {EM_PPC64, "POWER"},
      {EM_S390, "S/390"},    {EM_386, "x86"},         {EM_ARM, "ARM"}};
  for (const auto& [known, name] : names)
    if (known == machine) return name;
  return "another processor";
}

}  // namespace levin::core
