#include "host/cli/commands.hpp"

#include "core/base/text.hpp"
#include "host/cli/export_formats.hpp"

namespace levin::core {
namespace {

std::string lines_of_formats() {
  std::string out;
  for (const ExportFormatRow& row : export_formats())
    out += "  " + std::string(row.name) + " (" + join(row.endings, ", ") + "): " + row.content + "\n";
  return out;
}

std::vector<HostCommand> command_table() {
  return {
      {"run", "(none)", "fit, then test on the best checkpoint", "host --model X --data X [OPTION ...]",
       "Fits the model, then tests its best checkpoint.", Command::run},
      {"fit", "fit", "train and validate", "host fit --model X --data X [OPTION ...]", "Trains and validates.",
       Command::fit},
      {"validate", "validate", "one pass over the validation data       (--ckpt_path best|last|FILE)",
       "host validate --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "One pass over the validation data. Without --model, --run FOLDER takes model, data and their options from the "
       "run's best checkpoint, or else its last, and --ckpt_path FILE takes them from that checkpoint. Other options "
       "override them. --ckpt_path best without --run means the newest run of the model.",
       Command::validate},
      {"test", "test", "one pass over the test data             (--ckpt_path best|last|FILE)",
       "host test --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "One pass over the test data. --run FOLDER or --ckpt_path FILE alone is enough: see host help validate.",
       Command::test},
      {"tune", "tune", "try batch sizes and learning rates, and write the suggestions into the run's options",
       "host tune --model X --data X [--callback TUNER] [OPTION ...]",
       "Runs tuners (all there are, unless some are chosen) on a copy of the state and trains nothing. The suggestions "
       "are written to the run folder: to config.json, which `host resume` reads, and to files of their own.",
       Command::tune},
      {"predict", "predict", "write the model's predictions to a file (--ckpt_path best|last|FILE)",
       "host predict --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "Writes the model's predictions to a file in the run folder. --ckpt_path FILE alone is enough, with the files "
       "to "
       "predict, such as --data.predict_file: see host help validate.",
       Command::predict},
      {"resume", "resume RUN_DIR", "resume a run from its last checkpoint; options change the saved ones",
       "host resume RUN_DIR [OPTION ...]",
       "Resumes a run from its last checkpoint; nothing else is needed. Options change the saved ones, e.g. "
       "--max_epochs 20. Changes of plugins since the run was saved are reported; saved options that a plugin no "
       "longer "
       "has are refused, unless --allow_plugin_changes is given.",
       std::nullopt, resume_command},
      {"submit", "submit [JOB] fit ...",
       "a run, or a grid of runs, as a job of SLURM  (--time, --gpus, --grid.OPTION A,B)",
       "host submit [JOB OPTION ...] [fit|validate|test|tune|predict|resume] OPTION ...\n"
       "       host submit [JOB OPTION ...] --grid.OPTION A,B [--grid.OPTION C,D ...] [--max_parallel N] fit OPTION "
       "...",
       "Checks the run like a run that starts now, writes a script for sbatch and submits it. A job that is stopped in "
       "time, or started again, resumes its run. Options of the job come before the command of the run:\n"
       "  --nodes N, --tasks_per_node N   processes: trainer.num_nodes and trainer.devices are set to agree\n"
       "  --gpus N, --cpus N   GPUs of each node, with a process each; CPUs of each process\n"
       "  --time D-HH:MM:SS, --mem SIZE, --partition X, --account X, --qos X, --job_name X\n"
       "  --sbatch KEY=VALUE   any other option of sbatch; repeatable\n"
       "  --grid.OPTION A,B    values of an option, such as --grid.model.lr 0.1,0.01, or as JSON, '[[1,2],[3]]'; each "
       "combination of all lists is a run in a folder of its own, and all runs are one array\n"
       "  --max_parallel N     maximum number of runs at a time\n"
       "  --dry_run            print the script and submit nothing; needs no SLURM\n"
       "The script, the record of the submission and the output are in a folder beside the runs, levin_logs/submit_N "
       "or "
       "levin_logs/grid_N; host runs FOLDER shows the state of the runs. See docs/clusters.md.",
       std::nullopt, submit_command},
      {"runs", "runs [FOLDER]", "a table of runs with their states, last and best metrics  (--sort NAME, --json)",
       "host runs [FOLDER] [--sort run|state|epoch|step|best|OPTION|METRIC] [--json]",
       "The runs of a grid, of a folder (default levin_logs), or one run. States: waiting, running, done, failed, "
       "interrupted (host resume continues it), submitted (this machine has no SLURM to ask), refused (by sbatch), not "
       "submitted, lost (the job is no longer in SLURM, and no run has begun), broken. Epoch, step and metrics are the "
       "last logged ones. --sort: best first if the runs define what is best, else smallest first.",
       std::nullopt, runs_command},
      {"export", "export RUN|FILE",
       "write the weights of a run for other programs  (--format " + join(export_format_names(), "|") + ")",
       "host export RUN_DIR|FILE [--format " + join(export_format_names(), "|") +
           "] [-o FILE] [--ckpt_path best|last] [--names MAP] [--force]",
       "Writes a run's best checkpoint (or else its last), or a weights file, in the format of another program:\n" +
           lines_of_formats() +
           "The ending of FILE also selects the format. --names '{\"net.\": \"\", \"head.\": null}' replaces prefixes "
           "of names; null leaves tensors out. --force replaces an existing file. --plugins DIR and --trust as in a "
           "run.",
       std::nullopt, export_command},
      {"plugins", "plugins", "which plugin files are found, and why some are not usable",
       "host plugins [--plugins DIR] [--trust]", "Lists the plugin files found, and why some are not usable.",
       std::nullopt, plugins_command},
      {"inspect", "inspect FILE", "the description in a plugin file; its code does not run",
       "host inspect FILE [--json] [--plugins DIR] [--trust]\n       host inspect --diff OLD NEW [--json]",
       "Id, version, ABI, LibTorch, components, options and hooks, read from the file; its code does not run. --diff "
       "prints the changes from one file to another, and exits with code 3 if runs saved with the old file cannot be "
       "resumed unchanged with the new one.",
       std::nullopt, inspect_command},
      {"ckpt", "ckpt VERB FILE ...", "look at checkpoints: show, verify, diff, average, prune",
       "host ckpt show FILE|RUN_DIR [--json]\n       host ckpt verify FILE|RUN_DIR ... [--json]\n"
       "       host ckpt diff A B [--all] [--json]\n       host ckpt average A B [C ...] --output FILE [--force]\n"
       "       host ckpt prune RUN_DIR [--keep N] [--dry_run]",
       "show: the tensors with types, shapes and sizes, and the origin of the file. verify: every byte against its "
       "checksum; exits with code 5 if a file is damaged. diff: tensors by their largest difference, options, plugins "
       "and counters. average: the mean of the weights, as a file for --ckpt_path. prune: removes a run's checkpoints "
       "except the best, the last, the newest undamaged one and the N newest.",
       std::nullopt, ckpt_command},
      {"check", "check FILE", "check a plugin against the rules for plugins",
       "host check FILE [--KIND.OPTION VALUE ...] [--json] [--time_limit SECONDS] [--plugins DIR] [--trust]",
       "Checks a plugin, rule by rule, in a process of its own that may crash or hang. Options are the plugin's "
       "components' own, as in a run: --model.hidden 8, --data.file x.csv, --hidden 8; --model.ID.hidden 8 for one of "
       "several components. --time_limit: seconds without progress after which a rule fails, 60 by default. Exits with "
       "code 0 if every rule holds, else 3.",
       std::nullopt, check_command},
      {"new", "new KIND NAME",
       "write the project of a plugin: model, data, callback, logger, optimizer or metric  (--c, --rust)",
       "host new model|data|callback|logger|optimizer NAME [--c|--rust]\n       host new metric NAME",
       "Writes a folder NAME with the sources of a working plugin in C++, C or Rust, its tests and a file for "
       "continuous "
       "integration. A metric is in C++, and comes with a model that logs it.",
       std::nullopt, new_command},
      {"install", "install FILE", "check a plugin and copy it into your folder of plugins",
       "host install FILE [--force] [--no-check] [--trust] [OPTION ...]",
       "Checks the plugin like `host check`, with the same options, then copies it to a folder that every run "
       "searches. "
       "--force replaces another plugin's file; --no-check skips the check.",
       std::nullopt, install_command},
      {"uninstall", "uninstall NAME", "remove a plugin from your folder of plugins", "host uninstall ID|FILE",
       "Removes a file from your folder of plugins, by its name, its plugin's id or a component's id.", std::nullopt,
       uninstall_command},
      {"doctor", "doctor", "LibTorch, BLAS, threads, devices, data sets", "host doctor [--plugins DIR] [--trust]",
       "Prints what a run finds on this machine.", std::nullopt, doctor_command},
      {"help", "help [WHAT ...]",
       "this help; or the options of a plugin file, a component or a group, or one option: host help trainer",
       "host help [trainer|data|model|optimizers|schedules|COMMAND|FILE|NAME|OPTION ...] [--plugins DIR] [--trust]",
       "Options with types, ranges, defaults and meanings.", std::nullopt, help_command},
  };
}

}  // namespace

int HostCommand::start(const std::vector<std::string>& arguments) const {
  return runs ? run_command(*runs, arguments) : handle(arguments);
}

const std::vector<HostCommand>& host_commands() {
  static const std::vector<HostCommand> table = command_table();
  return table;
}

const HostCommand* find_command(const std::string& name) {
  for (const auto& command : host_commands())
    if (name == command.name) return &command;
  return nullptr;
}

std::vector<std::string> typed_commands() {
  std::vector<std::string> names;
  for (const auto& command : host_commands())
    if (command.is_typed()) names.emplace_back(command.name);
  return names;
}

}  // namespace levin::core
