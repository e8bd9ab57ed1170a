#include "host/man/roff.hpp"

#include <algorithm>

#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"

namespace levin::core {
namespace {

// Returns text with the characters replaced that roff would read, or print as other characters.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return starts_with(out, ".") ? "\\&" + out : out;
}

}  // namespace

Page::Page(const std::string& title, int section, const std::string& date) {
  std::string upper;
  for (const char c : title) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  text_ = ".TH " + escaped(upper) + " " + std::to_string(section) + " " + date + " \"Levin " + host_version +
          "\" Levin\n.nh\n.ad l\n";
}

// Lines of at most 78 characters; a line that a word begins must not begin with a request.
void Page::flow(const std::string& text) {
  std::string line;
  for (const std::string& word : split(with_program_name(text), ' ')) {
    if (word.empty()) continue;
    const std::string next = escaped(word);
    if (!line.empty() && line.size() + 1 + next.size() > 78) {
      text_ += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + next;
  }
  if (!line.empty()) text_ += line + "\n";
  begun_ = true;
}

void Page::name(const std::string& name, const std::string& summary) {
  section("NAME");
  flow(name + " - " + summary);
}

void Page::section(const std::string& title) {
  text_ += ".SH " + escaped(title) + "\n";
  begun_ = false;
}

void Page::subsection(const std::string& title) {
  text_ += ".SS " + escaped(title) + "\n";
  begun_ = false;
}

void Page::paragraph(const std::string& text) {
  if (begun_) text_ += ".PP\n";
  flow(text);
}

void Page::synopsis(const std::string& command, const std::string& arguments) {
  if (begun_) text_ += ".br\n";
  text_ += ".B " + escaped(command) + "\n";
  flow(arguments);
}

void Page::item(const std::string& name, const std::string& value, const std::string& text) {
  text_ += ".TP\n\\fB" + escaped(name) + "\\fR" + (value.empty() ? "" : " \\fI" + escaped(value) + "\\fR") + "\n";
  flow(text);
}

void Page::help(const std::string& text) {
  for (const std::string& line : split(text, '\n')) {
    const size_t gap = starts_with(line, "  ") ? line.find("  ", 2) : std::string::npos;
    if (gap == std::string::npos)
      paragraph(trim(line));
    else
      item(line.substr(2, gap - 2), "", trim(line.substr(gap)));
  }
}

}  // namespace levin::core
