// A report before it has a format: headings, texts, tables and figures. Texts are plain; each format escapes them.
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace levin::core::report {

struct Heading {
  std::string text;
};
struct Paragraph {
  std::string text;
};
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string summary = {};  // "" = the table is shown; else it is folded under this line, where the format can
};
struct Picture {
  std::string name;  // for a file name and for readers who do not see it
  std::string svg;
};
struct Lines {  // of a log: shown as they are
  std::string text;
};

using Block = std::variant<Heading, Paragraph, Table, Picture, Lines>;

struct Document {
  std::string title;
  std::vector<Block> blocks;

  template <class One>
  void add(One&& block) {
    blocks.emplace_back(std::forward<One>(block));
  }
};

// Returns one file that needs no other: figures inline, no script. It is legible in light and dark, on paper, and to
// screen readers.
std::string to_html(const Document& document);

struct MarkdownFiles {
  std::string text;
  std::vector<std::pair<std::string, std::string>> pictures;  // file name and content
};
// folder: where the text says that the pictures are, relative to its own file.
MarkdownFiles to_markdown(const Document& document, const std::string& folder);

}  // namespace levin::core::report
