#include "sweep/run/host_program.hpp"

#include "core/base/error_line.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core::sweep {
namespace {

// The comments of --print_config on secrets: "// token is a secret and not shown: --model.token".
std::vector<std::string> secrets_in(const std::string& config) {
  const std::string mark = " is a secret and not shown: ";
  std::vector<std::string> out;
  for (const std::string& line : split(config, '\n')) {
    const size_t at = line.find(mark);
    if (!starts_with(trim(line), "// ") || at == std::string::npos) continue;
    if (const std::string origin = trim(line.substr(at + mark.size())); origin != "default") out.push_back(origin);
  }
  return out;
}

}  // namespace

std::string host_program() { return (libexec_dir().parent_path().parent_path() / "bin" / "host").string(); }

CheckedFit checked_fit(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {host_program(), "fit"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back("--print_config");
  const ChildResult result = run_child(command, std::chrono::seconds(60), ChildEnvironment::same);
  if (result.exit_code == 0) return {parse_json(result.out, "the configuration of the trials"), secrets_in(result.out)};
  std::string problem = result.timed_out ? "host fit --print_config did not end" : trim(result.err);
  const ErrorText error = last_error_line(result.err);
  if (error) problem = error.message;
  const auto code = number_of_code(error.code);
  throw Error(code ? static_cast<ErrorCode>(*code) : ErrorCode::operation_failed, problem);
}

}  // namespace levin::core::sweep
