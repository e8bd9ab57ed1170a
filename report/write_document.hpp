// A document as a file of the user's choice.
#pragma once
#include <filesystem>
#include <string>

#include "report/document.hpp"

namespace levin::core::report {

// Both throw Error{usage}, which begins with the name of the command.
// The name of a report has to end with .html, .htm or .md.
void check_document_name(const std::string& output, const std::string& command);
// Writes HTML, or Markdown with its figures in a folder beside it. Refuses a file that exists unless `force`. Returns
// the file's path.
std::filesystem::path write_document(const Document& document, const std::string& output, bool force,
                                     const std::string& command);

}  // namespace levin::core::report
