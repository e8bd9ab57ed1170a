#include "host/cli/commands.hpp"

#include "host/cli/handlers.hpp"

namespace levin::core {
namespace {

template <Command command>
int handle_run(const std::vector<std::string>& arguments) {
  return run_command(command, arguments);
}

template <Command command>
HostCommand run(const char* listed_as, const char* summary, const char* usage, const char* help) {
  return {name_of(command), listed_as, summary, usage, help, command, handle_run<command>};
}

std::vector<HostCommand> command_table() {
  return {
      run<Command::run>("(none)", "fit, then test on the best checkpoint", "host --model X --data X [OPTION ...]",
                        "Fits the model, then tests its best checkpoint."),
      run<Command::fit>("fit", "train and validate", "host fit --model X --data X [OPTION ...]",
                        "Trains and validates."),
      run<Command::validate>(
          "validate", "one pass over the validation data       (--ckpt_path best|last|FILE)",
          "host validate --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
          "One pass over the validation data. A run is enough: --run FOLDER without --model takes model, data and "
          "their "
          "options from its best checkpoint, or its last; --ckpt_path FILE takes them from a checkpoint. Other options "
          "override them. --ckpt_path best without --run is the best of the newest run of the model."),
      run<Command::test>("test", "one pass over the test data             (--ckpt_path best|last|FILE)",
                         "host test --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
                         "One pass over the test data. --run FOLDER or --ckpt_path FILE alone is enough: see host help "
                         "validate."),
      run<Command::tune>("tune", "try batch sizes and learning rates, and write the suggestions into the run's options",
                         "host tune --model X --data X [--callback TUNER] [OPTION ...]",
                         "Runs tuners (all there are, if none is chosen) on a copy of the state and trains nothing. "
                         "The suggestions stand in the run folder: in config.json, from which `host resume` would go "
                         "on, and in files of their own."),
      run<Command::predict>(
          "predict", "write what the model predicts to a file (--ckpt_path best|last|FILE)",
          "host predict --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
          "Writes what the model predicts to a file in the run folder. --ckpt_path FILE alone is enough, with the "
          "files to predict, such as --data.predict_file: see host help validate."),
      {"resume", "resume RUN_DIR", "go on with a run from its last checkpoint; options change the saved ones",
       "host resume RUN_DIR [OPTION ...]",
       "Goes on from the last checkpoint of a run; nothing else is needed. Options change the saved ones, e.g. "
       "--max_epochs 20. Plugins that have changed since are told of; an option that one no longer has is refused, "
       "unless "
       "--allow_plugin_changes is given.",
       std::nullopt, resume_command},
      {"submit", "submit [JOB] fit ...",
       "a run, or a grid of runs, as a job of SLURM  (--time, --gpus, --grid.OPTION A,B)",
       "host submit [JOB OPTION ...] [fit|validate|test|tune|predict|resume] OPTION ...\n       host submit [JOB "
       "OPTION ...] --grid.OPTION A,B [--grid.OPTION C,D ...] [--max_parallel N] fit OPTION ...",
       "Checks the run as if it were started now, writes a script for sbatch and submits it. A job that is stopped in "
       "time, or started again, goes on with its run. Options of the job come before the command of the run:\n"
       "  --nodes N, --tasks_per_node N   processes: trainer.num_nodes and trainer.devices are set to agree\n"
       "  --gpus N, --cpus N   GPUs of each node, with a process each; CPUs of each process\n"
       "  --time D-HH:MM:SS, --mem SIZE, --partition X, --account X, --qos X, --job_name X\n"
       "  --sbatch KEY=VALUE   any other option of sbatch; repeatable\n"
       "  --grid.OPTION A,B    the values of an option, as --grid.model.lr 0.1,0.01, or as JSON, '[[1,2],[3]]'; each "
       "combination of all lists is a run with a folder of its own, and all are one array\n"
       "  --max_parallel N     so many of them at a time\n"
       "  --dry_run            print the script and submit nothing; needs no SLURM\n"
       "The script, the record of what was submitted and the output are in a folder beside the runs, "
       "levin_logs/submit_N "
       "or levin_logs/grid_N; host runs FOLDER shows how they are. docs/clusters.md says more.",
       std::nullopt, submit_command},
      {"runs", "runs [FOLDER]", "a table of runs: how they are, their last and best metrics  (--sort NAME, --json)",
       "host runs [FOLDER] [--sort run|state|epoch|step|best|OPTION|METRIC] [--json]",
       "The runs of a grid, of a folder (levin_logs, if none is named), or one. State: waiting, running, done, failed, "
       "interrupted (host resume goes on), submitted (there is no SLURM here to ask), refused (by sbatch), not "
       "submitted, "
       "lost (SLURM does not have the job any more, and no run has begun), broken. Epoch, step and metrics are those "
       "logged last. --sort: the best first, where runs say what is best of it, else the smallest.",
       std::nullopt, runs_command},
      {"export", "export RUN|FILE",
       "write the weights of a run for other programs  (--format safetensors|pt|torchscript|lightning)",
       "host export RUN_DIR|FILE [--format safetensors|pt|torchscript|lightning] [-o FILE] [--ckpt_path best|last] "
       "[--names MAP] "
       "[--force]",
       "Writes the weights of a run's best checkpoint (its last one, if none is best), or of a file of weights, as "
       "safetensors or as a state_dict that torch.load reads; or all of a checkpoint as one that Lightning goes on "
       "from. "
       "The ending of FILE tells the format too. --names "
       "'{\"net.\": \"\", \"head.\": null}' gives other beginnings of names, and null leaves tensors out. --force "
       "replaces a file that is there. torchscript: the network with its weights, for torch.jit.load; a batch may have "
       "any number of rows. --plugins DIR and --trust as in a run.",
       std::nullopt, export_command},
      {"plugins", "plugins", "which plugin files are found, and why one is not usable",
       "host plugins [--plugins DIR] [--trust]", "Lists the plugin files that are found and why one is not usable.",
       std::nullopt, plugins_command},
      {"inspect", "inspect FILE", "what a plugin file says of itself; its code does not run",
       "host inspect FILE [--json] [--plugins DIR] [--trust]\n       host inspect --diff OLD NEW [--json]",
       "Id, version, ABI, LibTorch, components, options and hooks, read from the file; its code does not run. --diff "
       "says "
       "what changed from one file to another, and ends with 3 where runs that were saved with the old one do not go "
       "on "
       "with the new one.",
       std::nullopt, inspect_command},
      {"ckpt", "ckpt VERB FILE ...", "look at checkpoints: show, verify, diff, average, prune",
       "host ckpt show FILE|RUN_DIR [--json]\n       host ckpt verify FILE|RUN_DIR ... [--json]\n       host ckpt diff "
       "A "
       "B [--all] [--json]\n       host ckpt average A B [C ...] --output FILE [--force]\n       host ckpt prune "
       "RUN_DIR "
       "[--keep N] [--dry_run]",
       "show: the tensors with types, shapes and sizes, and where the file comes from. verify: every byte against its "
       "checksum; ends with 5 if a file is not whole. diff: tensors by their largest difference, options, plugins and "
       "counters. average: the mean of the weights, as a file for --ckpt_path. prune: removes a run's checkpoints but "
       "for the best, the last, the newest that is whole and the N newest.",
       std::nullopt, ckpt_command},
      {"check", "check FILE", "try whether a plugin does what every plugin has to",
       "host check FILE [--KIND.OPTION VALUE ...] [--json] [--time_limit SECONDS] [--plugins DIR] [--trust]",
       "Tries, rule by rule, whether a plugin does what every plugin has to, in a process of its own that may crash or "
       "hang. "
       "Options are those of the plugin's components, as in a run: --model.hidden 8, --data.file x.csv, --hidden 8; "
       "--model.ID.hidden 8 for one component of several. --time_limit: how long nothing may happen, 60 s by default. "
       "Ends with 0 if every rule holds, else with 3.",
       std::nullopt, check_command},
      {"new", "new KIND NAME",
       "write the project of a plugin: model, data, callback, logger, optimizer or metric  (--c, --rust)",
       "host new model|data|callback|logger|optimizer NAME [--c|--rust]\n       host new metric NAME",
       "Writes a folder NAME with the sources of a plugin that works, its tests and a file for continuous integration. "
       "In "
       "C++, or in C or Rust. A metric is in C++, and comes with a model that logs it.",
       std::nullopt, new_command},
      {"install", "install FILE", "check a plugin and copy it into your folder of plugins",
       "host install FILE [--force] [--no-check] [--trust] [OPTION ...]",
       "Tries the plugin as `host check` does, with the same options, then copies it to where every run finds it. "
       "--force "
       "replaces another plugin's file; --no-check leaves the trial out.",
       std::nullopt, install_command},
      {"uninstall", "uninstall NAME", "remove a plugin from your folder of plugins", "host uninstall ID|FILE",
       "Removes a file from your folder of plugins, by its name, its plugin's id or a component's.", std::nullopt,
       uninstall_command},
      {"doctor", "doctor", "LibTorch, BLAS, threads, devices, data sets found", "host doctor [--plugins DIR] [--trust]",
       "Says what a run finds on this machine.", std::nullopt, doctor_command},
      {"help", "help [WHAT ...]",
       "this; the options of a plugin file, a component or a group, or one option: host help trainer",
       "host help [trainer|data|model|optimizers|schedules|COMMAND|FILE|NAME|OPTION ...] [--plugins DIR] [--trust]",
       "Options with types, ranges, defaults and meanings.", std::nullopt, help_command},
  };
}

}  // namespace

const std::vector<HostCommand>& host_commands() {
  static const std::vector<HostCommand> table = command_table();
  return table;
}

const HostCommand* find_command(const std::string& name) {
  for (const auto& command : host_commands()) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

std::vector<std::string> typed_commands() {
  std::vector<std::string> names;
  for (const auto& command : host_commands()) {
    if (command.is_typed()) names.emplace_back(command.name);
  }
  return names;
}

}  // namespace levin::core
