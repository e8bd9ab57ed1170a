// host explain: what the number of an error means.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/commands/fitted_output.hpp"
#include "host/commands/pager.hpp"
#include "host/explain/error_rows.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

constexpr size_t line_width = 80;

void print_paragraph(const char* title, const char* text) {
  const std::string indent = "  ";
  std::printf("\n%s\n%s%s\n", title, indent.c_str(), wrapped(split(text, ' '), line_width, indent.size()).c_str());
}

void print_row(const ErrorRow& row) {
  std::printf("%s  %s  (exit code %d)\n", text_of(row.code).c_str(), row.title, static_cast<int>(kind_of(row.code)));
  print_paragraph("Cause", row.cause);
  print_paragraph("What to do", row.cure);
  print_paragraph("Example", row.example);
}

const char* title_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::run:
      return "a plugin or the loop failed, or a file could not be written";
    case ErrorKind::usage:
      return "a mistake in the command, an option or a configuration file";
    case ErrorKind::plugin:
      return "a plugin cannot be used";
    case ErrorKind::data:
      return "data is missing or broken";
    case ErrorKind::checkpoint:
      return "a checkpoint is missing, damaged or does not fit";
    case ErrorKind::non_finite:
      return "a loss, a gradient or a weight is NaN or infinite";
    case ErrorKind::processes:
      return "another rank is lost, silent or missing";
    case ErrorKind::internal:
      return "a crash, or a defect of the host or its installation";
  }
  return "stopped by a signal";
}

void print_list() {
  std::printf("Errors are shown as error[E0204]. host explain E0204 prints cause and cure.\n");
  int kind = 0;
  for (const ErrorRow& row : error_rows()) {
    const int now = static_cast<int>(kind_of(row.code));
    if (now != kind) std::printf("\nExit code %d: %s\n", now, title_of(kind_of(row.code)));
    kind = now;
    std::printf("  %s  %s\n", text_of(row.code).c_str(), row.title);
  }
}

nlohmann::json to_json(const ErrorRow& row) {
  return {{"code", text_of(row.code)}, {"exit_code", static_cast<int>(kind_of(row.code))},
          {"title", row.title},        {"cause", row.cause},
          {"cure", row.cure},          {"example", row.example}};
}

// Returns the row that "E0204", "e204", "204" or "error[E0204]" names.
const ErrorRow& row_named(const std::string& word) {
  const size_t bracket = word.find('[');
  const std::string text = bracket == std::string::npos ? word : word.substr(bracket + 1, word.find(']') - bracket - 1);
  const std::optional<int> number = number_of_code(text);
  if (!number)
    throw Error(ErrorCode::option_value_invalid, "host explain: '" + word + "' is no number of an error; write E0204");
  if (const ErrorRow* row = find_error_row(*number)) return *row;
  const auto distance = [&](const ErrorRow& row) { return std::abs(static_cast<int>(row.code) - *number); };
  const auto& rows = error_rows();
  const auto nearest = std::min_element(
      rows.begin(), rows.end(), [&](const ErrorRow& a, const ErrorRow& b) { return distance(a) < distance(b); });
  throw Error(ErrorCode::option_value_invalid, "host explain: no error has the number " + word + "; the nearest is " +
                                                   text_of(nearest->code) + ": " + nearest->title);
}

}  // namespace

int explain_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"explain", {"json"}, {}, 1}, arguments);
  if (given.has("json")) {
    nlohmann::json out = nlohmann::json::array();
    if (!given.names.empty()) out = to_json(row_named(given.names[0]));
    for (const ErrorRow& row : error_rows())
      if (given.names.empty()) out.push_back(to_json(row));
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
  }
  const FittedOutput output(show_in_pager);
  given.names.empty() ? print_list() : print_row(row_named(given.names[0]));
  return 0;
}

}  // namespace levin::core
