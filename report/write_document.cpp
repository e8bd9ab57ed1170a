#include "report/write_document.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace levin::core::report {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const std::string& output) { return lower(fs::path(output).extension().string()); }

void write_new(const fs::path& file, const std::string& bytes, bool force, const std::string& command) {
  write_file_durable(output_file(file.string(), force, command + ": --output"), bytes);
}

}  // namespace

void check_document_name(const std::string& output, const std::string& command) {
  const std::string ending = ending_of(output);
  if (ending != ".md" && ending != ".html" && ending != ".htm")
    throw Error(ErrorCode::option_value_invalid,
                command + ": --output '" + output + "': the name has to end with .html or .md");
}

fs::path write_document(const Document& document, const std::string& output, bool force, const std::string& command) {
  check_document_name(output, command);
  const fs::path file = absolute_path(output);
  if (ending_of(output) != ".md") {
    write_new(file, to_html(document), force, command);
    return file;
  }
  const std::string folder = file.stem().string() + "_figures";
  const MarkdownFiles files = to_markdown(document, folder);
  write_new(file, files.text, force, command);
  for (const auto& [name, svg] : files.pictures) write_new(file.parent_path() / folder / name, svg, force, command);
  return file;
}

}  // namespace levin::core::report
