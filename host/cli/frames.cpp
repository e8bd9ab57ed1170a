#include "host/cli/commands.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/core/demangle.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/byte_source.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

// The function symbols of a 64-bit ELF file of this machine, including those that are not exported. A file that is
// unreadable or corrupt has none.
class FunctionSymbols {
 public:
  explicit FunctionSymbols(const std::string& file) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) read(ByteSource(fd));
    if (fd >= 0) close(fd);
  }

  // Returns the mangled name of the function at this offset from the load address, or "" if it is not known.
  std::string at(uint64_t offset) const {
    const Symbol* best = nullptr;
    for (const Symbol& s : symbols_)
      if (s.begin <= offset && offset - s.begin < s.size && (!best || s.begin >= best->begin)) best = &s;
    return best ? best->name : "";
  }
  bool has_debug_lines() const { return has_debug_lines_; }

 private:
  struct Symbol {
    uint64_t begin, size;
    std::string name;
  };

  void read(const ByteSource& in) {
    Elf64_Ehdr header;
    if (!in.get(0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shstrndx >= header.e_shnum)
      return;
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (!in.read(header.e_shoff, sections.data(), sections.size() * sizeof sections[0])) return;
    for (const Elf64_Shdr& section : sections) {
      has_debug_lines_ |= in.c_string(sections[header.e_shstrndx].sh_offset + section.sh_name) == ".debug_line";
      // .symtab has all functions. A stripped file has only .dynsym, with the exported functions.
      if ((section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) && section.sh_link < sections.size())
        read_symbols(in, section, sections[section.sh_link]);
    }
  }

  void read_symbols(const ByteSource& in, const Elf64_Shdr& section, const Elf64_Shdr& names) {
    if (!in.holds(section.sh_offset, section.sh_size)) return;
    std::vector<Elf64_Sym> all(section.sh_size / sizeof(Elf64_Sym));
    in.read(section.sh_offset, all.data(), all.size() * sizeof(Elf64_Sym));
    const std::string text = in.text(names.sh_offset, names.sh_size);
    for (const Elf64_Sym& s : all)
      if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF && s.st_name < text.size())
        symbols_.push_back({s.st_value, s.st_size, text.c_str() + s.st_name});
  }

  std::vector<Symbol> symbols_;
  bool has_debug_lines_ = false;
};

struct Frame {
  uint64_t offset = 0, inside = 0;  // inside: an address within the call, because `offset` is the address after it
  std::string file;
  std::vector<std::string> names;  // "f(int) at x.cpp:3"; inlined functions first
};

std::string hex(uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

std::vector<Frame> read_frames(std::istream& in) {
  std::vector<Frame> frames;
  for (std::string line; std::getline(in, line);) {
    std::istringstream arguments(line);
    Frame frame;
    if (!(arguments >> std::hex >> frame.offset)) continue;
    std::getline(arguments >> std::ws, frame.file);
    frame.inside = frames.empty() ? frame.offset : frame.offset - 1;
    frames.push_back(std::move(frame));
  }
  return frames;
}

std::string addr2line_program() {
  for (const char* path : {"/usr/bin/addr2line", "/usr/local/bin/addr2line"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

// Runs addr2line for all frames of a file. It prints each address, then function and source line in turn, inlined
// functions first.
void add_source_lines(const std::string& program, const std::vector<Frame*>& frames) {
  std::vector<std::string> command = {program, "-a", "-f", "-i", "-C", "-e", frames[0]->file};
  for (const Frame* frame : frames) command.push_back(hex(frame->inside));
  std::istringstream out(run_child(command, std::chrono::seconds(5)).out);
  size_t next = 0;
  Frame* frame = nullptr;
  for (std::string function, place; std::getline(out, function);) {
    if (starts_with(function, "0x")) {
      frame = next < frames.size() ? frames[next++] : nullptr;
      continue;
    }
    if (!std::getline(out, place) || !frame || starts_with(place, "??")) continue;
    frame->names.push_back(function + " at " + place);
  }
}

void add_names(std::vector<Frame>& frames) {
  std::map<std::string, std::vector<Frame*>> by_file;
  for (Frame& frame : frames) by_file[frame.file].push_back(&frame);
  const std::string addr2line = addr2line_program();
  for (const auto& [file, of_file] : by_file) {
    const FunctionSymbols symbols(file);
    if (symbols.has_debug_lines() && !addr2line.empty()) add_source_lines(addr2line, of_file);
    for (Frame* frame : of_file) {
      const std::string name = symbols.at(frame->inside);
      if (frame->names.empty() && !name.empty()) frame->names.push_back(boost::core::demangle(name.c_str()));
    }
  }
}

// Shortens a name: template names can be as long as a page.
std::string readable(const std::string& name) {
  constexpr size_t most = 200;
  const size_t place = std::min(name.rfind(" at "), name.size());  // start of the source line
  return printable(place <= most ? name : name.substr(0, most) + "..." + name.substr(place));
}

bool is_same(const Frame& a, const Frame& b) { return a.offset == b.offset && a.file == b.file; }

void print_frame(size_t number, const Frame& frame, std::ostream& out) {
  const std::string place = frame.file + "+" + hex(frame.offset);
  out << "  #" << number << " " << (frame.names.empty() ? place : readable(frame.names[0]) + ", " + place) << "\n";
  for (size_t n = 1; n < frame.names.size(); ++n) out << "     inlined in " << readable(frame.names[n]) << "\n";
}

}  // namespace

int print_frames(std::istream& in, std::ostream& out) {
  std::vector<Frame> frames = read_frames(in);
  add_names(frames);
  for (size_t i = 0; i < frames.size(); ++i) {
    print_frame(i, frames[i], out);
    size_t same = 0;  // further frames of a recursive call
    while (i + 1 < frames.size() && is_same(frames[i], frames[i + 1])) ++i, ++same;
    if (same > 0) out << "     and " << same << " more of the same\n";
  }
  return frames.empty() ? 1 : 0;
}

}  // namespace levin::core
