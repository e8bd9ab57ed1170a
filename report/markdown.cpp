#include <algorithm>
#include <cctype>

#include "core/base/text.hpp"
#include "report/document.hpp"

namespace levin::core::report {
namespace {

// Text that Markdown does not take for markup.
std::string escaped_markdown(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#~").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

class Markdown {
 public:
  Markdown(const Document& document, std::string folder) : folder_(std::move(folder)) {
    out_.text = "# " + escaped_markdown(document.title) + "\n";
    for (const Block& block : document.blocks) {
      out_.text += '\n';
      std::visit([this](const auto& one) { add(one); }, block);
    }
  }
  MarkdownFiles files() && { return std::move(out_); }

 private:
  void add(const Heading& heading) { out_.text += "## " + escaped_markdown(heading.text) + "\n"; }
  void add(const Paragraph& paragraph) { out_.text += escaped_markdown(paragraph.text) + "\n"; }
  void add(const Lines& lines) {
    for (const std::string& line : split(lines.text, '\n')) out_.text += "    " + line + "\n";
  }
  void add(const Picture& picture) {
    std::string file;
    for (const char c : picture.name) file += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    const auto taken = [&](const auto& one) { return one.first == file + ".svg"; };
    while (std::any_of(out_.pictures.begin(), out_.pictures.end(), taken)) file += '_';
    out_.pictures.emplace_back(file + ".svg", picture.svg);
    out_.text += "![" + escaped_markdown(picture.name) + "](" + folder_ + "/" + file + ".svg)\n";
  }
  void add(const Table& table) {
    if (!table.summary.empty()) out_.text += escaped_markdown(table.summary) + "\n\n";
    add_row(table.columns);
    out_.text += "|";
    for (size_t i = 0; i < table.columns.size(); ++i) out_.text += " --- |";
    out_.text += '\n';
    for (const auto& row : table.rows) add_row(row);
  }
  void add_row(const std::vector<std::string>& cells) {
    out_.text += "|";
    for (const std::string& cell : cells) out_.text += " " + escaped_markdown(cell) + " |";
    out_.text += '\n';
  }

  MarkdownFiles out_;
  std::string folder_;
};

}  // namespace

MarkdownFiles to_markdown(const Document& document, const std::string& folder) {
  return Markdown(document, folder).files();
}

}  // namespace levin::core::report
