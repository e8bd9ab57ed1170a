#include <utility>

#include "core/base/text.hpp"
#include "report/document.hpp"
#include "sdk/include/levin/util/figure/svg.hpp"

namespace levin::core::report {
namespace {

// Names, errors and logs come from libraries and files of others.
std::string escaped(const std::string& text) { return detail::figure::escaped_xml(printable(text)); }

const char* const head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
th { font-weight: 600; overflow-wrap: break-word; }
td { min-width: 4rem; overflow-wrap: anywhere; }
.table { overflow-x: auto; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 28rem; min-width: 0; max-width: 40rem; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; padding: 0.6rem; border: 1px solid #8884; font-size: 0.85rem; }
summary { cursor: pointer; }
@media screen and (max-width: 36rem) { svg { max-width: none; } }
@media print { body { max-width: none; margin: 0; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; } }
</style>
</head>
<body>
)";

class Html {
 public:
  explicit Html(const Document& document) {
    out_ = head;
    out_.replace(out_.find("TITLE"), 5, escaped(document.title));
    out_ += "<h1>" + escaped(document.title) + "</h1>\n";
    for (const Block& block : document.blocks) {
      const bool picture = std::holds_alternative<Picture>(block);
      if (picture != in_figures_) out_ += picture ? "<div class=\"figures\">\n" : "</div>\n";
      in_figures_ = picture;
      std::visit([this](const auto& one) { add(one); }, block);
    }
    if (in_figures_) out_ += "</div>\n";
    out_ += "</body>\n</html>\n";
  }
  std::string text() && { return std::move(out_); }

 private:
  void add(const Heading& heading) { out_ += "<h2>" + escaped(heading.text) + "</h2>\n"; }
  void add(const Paragraph& paragraph) { out_ += "<p>" + escaped(paragraph.text) + "</p>\n"; }
  void add(const Lines& lines) { out_ += "<pre>" + escaped(lines.text) + "</pre>\n"; }
  void add(const Picture& picture) { out_ += "<figure>\n" + picture.svg + "</figure>\n"; }
  void add(const Table& table) {
    if (!table.summary.empty()) out_ += "<details><summary>" + escaped(table.summary) + "</summary>\n";
    out_ += "<div class=\"table\"><table>\n<thead><tr>";
    for (const std::string& column : table.columns) out_ += "<th scope=\"col\">" + escaped(column) + "</th>";
    out_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      for (size_t i = 0; i < row.size(); ++i)
        out_ += i == 0 ? "<th scope=\"row\">" + escaped(row[i]) + "</th>" : "<td>" + escaped(row[i]) + "</td>";
      out_ += "</tr>\n";
    }
    out_ += "</tbody>\n</table></div>\n";
    if (!table.summary.empty()) out_ += "</details>\n";
  }

  std::string out_;
  bool in_figures_ = false;
};

}  // namespace

std::string to_html(const Document& document) { return Html(document).text(); }

}  // namespace levin::core::report
