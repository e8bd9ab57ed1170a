// The arguments after `host submit`: options of the job, then the command of the run with its own options.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error_codes.hpp"
#include "core/config/run_config.hpp"
#include "host/submit/grid.hpp"

namespace levin::core {

using SbatchOptions = std::vector<std::pair<std::string, std::string>>;  // long names without dashes; "" = no value

struct SubmitArguments {
  int64_t nodes = 0, gpus = 0, tasks_per_node = 0, cpus = 0, max_parallel = 0;  // 0 = not given
  std::string time, mem, partition, account, qos, job_name;                     // "" = not given
  SbatchOptions sbatch;
  std::vector<GridAxis> grid;
  bool dry_run = false;
  std::optional<Command> command;                      // nullopt = host resume
  std::vector<std::string> command_arguments() const;  // "fit"; empty for fit and test together
  std::vector<std::string> run;                        // the arguments of the run, after its command
};

[[noreturn]] void refuse_submit(ErrorCode code, const std::string& what);  // throws Error{usage}

std::vector<std::string> submit_option_names();

// Throws Error{usage} for unknown options of the job and for invalid values.
SubmitArguments read_submit_arguments(const std::vector<std::string>& arguments);

}  // namespace levin::core
