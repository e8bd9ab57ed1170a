#include "core/base/program_name.hpp"
#include "host/commands/command_line_run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/cluster/world.hpp"
#include "host/cli/arguments.hpp"
#include "runs/run_files.hpp"

namespace levin::core {
namespace {

ckpt::ExportedFile checkpoint_in(const std::string& folder, const std::string& which) try {
  return ckpt::exported_file(folder, which);
} catch (const Error& e) {
  throw Error(e.code(), "--run " + folder + ": " + e.what());
}

}  // namespace

std::vector<std::string> with_checkpoint_of_run(Command command, std::vector<std::string> arguments) {
  const auto folder = take_option(arguments, "run");
  if (!folder) return arguments;
  if (!is_folder(absolute_path(*folder)))
    throw Error(ErrorCode::folder_not_found,
                "--run " + *folder + ": there is no such folder; name the folder of a run");
  const std::string which = take_option(arguments, "ckpt_path").value_or("");
  if (!which.empty() && which != "best" && which != "last")
    throw Error(ErrorCode::options_conflict, "--run " + *folder + " and --ckpt_path " + which +
                                                 " name two files; leave one out, or use --ckpt_path best or last");
  if (fits(command) && which.empty())
    throw Error(ErrorCode::option_missing,
                "--run " + *folder +
                    " selects the run whose checkpoint a new fit starts from: add --ckpt_path best "
                    "or last; to resume the run itself: host resume " +
                    *folder);
  const ckpt::ExportedFile file = checkpoint_in(*folder, which);
  const bool quiet = std::find(arguments.begin(), arguments.end(), "--quiet") != arguments.end();
  if (!quiet && world_of(environment_variables()).is_first())
    print_message("", "--run " + *folder + ": its " + file.which + " checkpoint, " + file.path);
  arguments.push_back("--ckpt_path=" + file.path);
  return arguments;
}

}  // namespace levin::core
