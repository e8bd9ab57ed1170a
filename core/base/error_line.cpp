#include "core/base/error_line.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"

namespace levin::core {

std::string text_of(ErrorCode code) {
  char text[8];
  std::snprintf(text, sizeof text, "E%04d", static_cast<int>(code));
  return text;
}

std::optional<int> number_of_code(const std::string& text) {
  const size_t first = !text.empty() && (text[0] == 'E' || text[0] == 'e') ? 1 : 0;
  const std::string digits = text.substr(first);
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (digits.empty() || digits.size() > 4 || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  return std::stoi(digits);
}

std::string error_line(ErrorCode code, const std::string& message) {
  return std::string(line_name()) + ": error[" + text_of(code) + "]: " + with_program_name(printable(message));
}

namespace {

bool is_limit(const std::error_code& code) {
  return code == std::errc::resource_unavailable_try_again || code == std::errc::not_enough_memory ||
         code == std::errc::too_many_files_open || code == std::errc::too_many_files_open_in_system;
}

Error as_error(const std::exception& error, const std::string& program) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) return *known;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return Error(ErrorCode::out_of_memory, "out of memory in " + program);
  if (const auto* system = dynamic_cast<const std::system_error*>(&error);
      system != nullptr && is_limit(system->code()))
    return Error(ErrorCode::system_call_failed,
                 "the system refuses " + program + " a thread or a file: " + std::string(error.what()));
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return Error(code_of_write(file->code().value()),
                 "'" + file->path1().string() + "': " + file->code().message() + advice_on_write(file->code().value()));
  return Error(ErrorCode::internal_error, "an internal error of " + program + ": " + error.what());
}

}  // namespace

int report_error(const std::exception& error, const std::string& program) {
  const Error known = as_error(error, program);
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", error_line(known.code(), known.what()).c_str());
  return known.exit_code();
}

ErrorText read_error_line(const std::string& line) {
  ErrorText out;
  const size_t at = behind_error(line);
  if (at == std::string::npos) return out;
  out.message = line.substr(at);
  if (line[at - 3] == ']') out.code = line.substr(at - 8, 5);
  return out;
}

ErrorText last_error_line(const std::string& output) {
  ErrorText out;
  for (const std::string& line : split(output, '\n'))
    if (ErrorText read = read_error_line(line)) out = std::move(read);
  return out;
}

}  // namespace levin::core
