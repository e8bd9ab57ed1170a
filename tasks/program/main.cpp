// host-tasks: the program behind `host tasks`.
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "core/base/error_line.hpp"
#include "core/base/text.hpp"
#include "report/write_document.hpp"
#include "tasks/driver/arguments.hpp"
#include "tasks/driver/driver.hpp"
#include "tasks/driver/report.hpp"
#include "tasks/driver/report_page.hpp"
#include "tasks/service/commands.hpp"
#include "tasks/signing/commands.hpp"
#include "tasks/slurm/files_worker.hpp"

namespace levin::core::tasks {
namespace {

int run(const std::vector<std::string>& words) {
  if (!words.empty() && is_service_command(words[0])) return run_service_command(words);
  if (!words.empty() && is_signing_command(words[0])) return run_signing_command(words);
  if (!words.empty() && words[0] == "files-worker") return run_files_worker(words);
  const TasksArguments given = read_tasks_arguments(words);
  if (!given.page.empty()) {
    const auto file = report::write_document(report_page(given.files), given.page, given.force, "host tasks report");
    std::printf("%s\n", printable(file.string()).c_str());
    return 0;
  }
  if (given.report) {
    std::fputs((given.json ? report_json(given.files) : report_table(given.files)).c_str(), stdout);
    return 0;
  }
  std::printf("%s\n", given.files.folder.c_str());
  std::fflush(stdout);
  return Driver(given.files, isatty(STDOUT_FILENO) != 0).run(given.settings);
}

}  // namespace
}  // namespace levin::core::tasks

int main(int argc, char** argv) {
  using levin::core::ErrorKind;
  try {
    const int code = levin::core::tasks::run({argv + 1, argv + argc});
    return std::fflush(stdout) == 0 ? code : static_cast<int>(ErrorKind::run);
  } catch (const std::exception& e) {
    return levin::core::report_error(e, "host tasks");
  }
}
