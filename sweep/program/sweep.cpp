// host-sweep: the program behind `host sweep`.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "sweep/driver/arguments.hpp"
#include "sweep/driver/driver.hpp"
#include "sweep/driver/report.hpp"
#include "sweep/driver/sweep_check.hpp"
#include "sweep/program/program.hpp"

namespace levin::core::sweep {
namespace {

// Trials start where the sweep was started: their command may have relative paths.
void enter(const std::string& folder) {
  std::error_code failed;
  std::filesystem::current_path(folder, failed);
  if (failed)
    refuse_sweep(ErrorCode::folder_not_found,
                 "the trials cannot run in " + folder + ", where the sweep was started: " + failed.message());
}

int run(const std::vector<std::string>& words) {
  SweepArguments given = read_sweep_arguments(words);
  if (!given.verb.empty()) {
    std::fputs(sweep_report(*given.folder, given.verb, given.json).c_str(), stdout);
    return 0;
  }
  if (given.folder)
    enter(given.settings.where);
  else
    check_sweep(given.settings);
  const SweepFolder folder = given.folder ? *given.folder : Driver::new_folder(given.settings);
  std::printf("%s\n", folder.path.c_str());
  std::fflush(stdout);
  return Driver(folder, given.settings, isatty(STDOUT_FILENO) != 0).run();
}

}  // namespace
}  // namespace levin::core::sweep

int main(int argc, char** argv) { return levin::core::sweep::run_program(levin::core::sweep::run, argc, argv); }
