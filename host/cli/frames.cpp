#include "host/cli/frames.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/core/demangle.hpp>
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "host/cli/elf_symbols.hpp"

namespace levin::core {
namespace {

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
    const ElfSymbols symbols(file);
    if (symbols.has_debug_lines() && !addr2line.empty()) add_source_lines(addr2line, of_file);
    for (Frame* frame : of_file) {
      const std::string name = symbols.function_at(frame->inside);
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
