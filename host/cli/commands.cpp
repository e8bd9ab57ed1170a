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

std::vector<HostCommand> commands_on_runs() {
  return {
      {"run", "(none)", "fit, then test the best checkpoint", "host --model X --data X [OPTION ...]",
       "Fits the model, then tests its best checkpoint.", Command::run},
      {"fit", "fit", "train and validate", "host fit --model X --data X [OPTION ...]", "Trains and validates.",
       Command::fit},
      {"validate", "validate", "validate a checkpoint  (--ckpt_path best|last|FILE)",
       "host validate --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "Runs once over the validation data. The checkpoint is one of these:\n"
       "  --ckpt_path FILE   this file; --model and --data may be left out, because it names them and their "
       "options\n"
       "  --run FOLDER       the run's best checkpoint, or else its last; --model and --data may be left "
       "out\n"
       "  --ckpt_path best   the best checkpoint of the newest run of the model; last = its last one\n"
       "Other options override those of the checkpoint.",
       Command::validate},
      {"test", "test", "test a checkpoint  (--ckpt_path best|last|FILE)",
       "host test --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "Runs once over the test data. host help validate explains --ckpt_path and --run.", Command::test},
      {"tune", "tune", "try batch sizes and learning rates, and write the suggestions into the run's options",
       "host tune --model X --data X [--callback TUNER] [OPTION ...]",
       "Runs tuners on a copy of the state, and trains nothing. Without --callback it runs all tuners. It "
       "writes the suggestions to files in the run folder and to its config.json, which host resume reads.",
       Command::tune},
      {"predict", "predict", "write the model's predictions to a file  (--ckpt_path best|last|FILE)",
       "host predict --model X --data X [--ckpt_path best|last|FILE] [--run FOLDER] [OPTION ...]",
       "Writes the model's predictions to files in the run folder. host help validate explains --ckpt_path "
       "and --run. An option of the data module names the files to predict, such as --data.predict_file.",
       Command::predict},
      {"resume", "resume RUN_DIR", "resume a run from its last checkpoint; options override the saved ones",
       "host resume RUN_DIR [--ckpt_path best|FILE] [OPTION ...]",
       "Resumes a run from its newest intact checkpoint, in its own folder. host runs lists the runs. "
       "Options override the saved ones: --max_epochs 20 trains longer. Changes of plugins since the run "
       "was saved are reported. Saved options that a plugin no longer has are refused, unless "
       "--allow_plugin_changes is given.",
       std::nullopt, resume_command},
      {"submit", "submit [JOB] fit ...",
       "submit a run, or a grid of runs, as a SLURM job  (--time, --gpus, --grid.OPTION A,B)",
       "host submit [JOB OPTION ...] [fit|validate|test|tune|predict|resume] OPTION ...\n"
       "       host submit [JOB OPTION ...] --grid.OPTION A,B [--grid.OPTION C,D ...] [--max_parallel N] fit OPTION "
       "...",
       "Checks the options, writes a script for sbatch and submits it. A job that SLURM stops before its "
       "end or starts again resumes its run. Options of the job come before the command of the run:\n"
       "  --nodes N            number of nodes; also sets trainer.num_nodes\n"
       "  --tasks_per_node N   number of processes on each node; also sets trainer.devices\n"
       "  --gpus N, --cpus N   GPUs of each node, with a process each; CPUs of each process\n"
       "  --time D-HH:MM:SS, --mem SIZE, --partition X, --account X, --qos X, --job_name X   as in sbatch\n"
       "  --sbatch KEY=VALUE   any other option of sbatch; repeatable\n"
       "  --grid.OPTION A,B    values of an option, such as --grid.model.lr 0.1,0.01, or as JSON, "
       "'[[1,2],[3]]'; each combination of all lists is a run of its own, and all runs are one job array\n"
       "  --max_parallel N     maximum number of runs at a time\n"
       "  --dry_run            print the script and submit nothing; needs no SLURM\n"
       "The script, the record of the submission and the output are in levin_logs/submit_N or "
       "levin_logs/grid_N. host runs FOLDER shows the state of the runs. See docs/clusters.md.",
       std::nullopt, submit_command},
      {"runs", "runs [FOLDER]", "list runs with their states, last and best metrics  (--sort NAME, --json)",
       "host runs [FOLDER] [--sort run|state|epoch|step|best|OPTION|METRIC] [--json]",
       "Lists the runs in levin_logs, or in FOLDER: a grid, a folder of runs, or one run. Epoch, step and "
       "metrics are the last logged ones. States:\n"
       "  waiting        in the queue of SLURM\n"
       "  running        a process or a job uses the run folder\n"
       "  done           ended\n"
       "  failed         ended with an error, which is shown below the table\n"
       "  interrupted    stopped or killed; host resume continues it\n"
       "  submitted      not begun, and this machine has no SLURM to ask\n"
       "  lost           no longer known to SLURM, and not begun\n"
       "  refused        refused by sbatch\n"
       "  not submitted  sbatch has not answered\n"
       "  broken         the run folder cannot be read\n"
       "--sort shows the best run first if the runs define what is best, else the smallest value first.",
       std::nullopt, runs_command},
      {"export", "export RUN|FILE",
       "write the weights of a run for other programs  (--format " + join(export_format_names(), "|") + ")",
       "host export RUN_DIR|FILE [--format " + join(export_format_names(), "|") +
           "] [-o FILE] [--ckpt_path best|last] [--names MAP] [--force]",
       "Writes a run's best checkpoint, or else its last, or a weights file, in the format of another program. "
       "Formats:\n" +
           lines_of_formats() +
           "Options:\n"
           "  -o FILE            the file to write; its extension also selects the format\n"
           "  --ckpt_path last   the last checkpoint instead of the best one\n"
           "  --names MAP        prefixes of names to replace: '{\"net.\": \"\", \"head.\": null}'; null = leave these "
           "tensors out\n"
           "  --force            overwrite an existing file\n"
           "  --plugins DIR, --trust   as in a run",
       std::nullopt, export_command},
      {"watch", "watch [RUN_DIR]", "show a run on the terminal while it trains: curves, metrics, log",
       "host watch [RUN_DIR]",
       "Shows the newest run in levin_logs, or RUN_DIR, until it ends: its state, the curves of its metrics and the "
       "last lines of "
       "its log. It only reads the folder, and also works over ssh. q or Ctrl-C ends it, not the run. Without a "
       "terminal it prints "
       "a line every 20 seconds at most.",
       std::nullopt, watch_command},
      {"report", "report RUN_DIR ...", "write a report on runs: options, curves, results  (--output FILE.html|FILE.md)",
       "host report RUN_DIR [RUN_DIR ...] [--output FILE.html|FILE.md] [--force]",
       "Writes one HTML file that needs no other, or Markdown with its figures in a folder beside it. It shows the "
       "state, the "
       "options and the curves of each run, and what differs between the runs. A folder of runs stands for all of its "
       "runs.\n"
       "  --output FILE   report.html by default; Markdown if it ends with .md\n"
       "  --force         overwrite existing files",
       std::nullopt, report_command},
  };
}

std::vector<HostCommand> commands_on_files() {
  return {
      {"config", "config VERB ...", "write, show, compare and check configuration files",
       "host config new [FILE.yaml|FILE.toml|FILE.json] --model X --data X [OPTION ...] [--force]\n"
       "       host config show [FILE|RUN_DIR ...] [--origins] [--format yaml|toml|json] [--json] [OPTION ...]\n"
       "       host config diff FILE|RUN_DIR FILE|RUN_DIR [--json] [OPTION ...]\n"
       "       host config validate FILE ... [--json] [OPTION ...]\n"
       "       host config schema [--output FILE] [--force] [--plugins DIR]",
       "Works with the files of --config and starts no run. OPTION is an option of a run.\n"
       "  new        write a file with all options of the chosen components, as comments; YAML without FILE\n"
       "  show       print every value of a run; --origins adds the source of each\n"
       "  diff       print the values that differ\n"
       "  validate   print all mistakes of files, with line and column; the exit code is that of the first one\n"
       "  schema     print a JSON Schema of configuration files, with the options of all plugins found, for editors",
       std::nullopt, config_command},
      {"plugins", "plugins", "list the plugin files found, and why some cannot be used",
       "host plugins [--json] [--plugins DIR] [--trust]", "Lists the plugin files found, and why some cannot be used.",
       std::nullopt, plugins_command},
      {"inspect", "inspect FILE", "print the description in a plugin file; its code does not run",
       "host inspect FILE [--json] [--plugins DIR] [--trust]\n       host inspect --diff OLD NEW [--json]",
       "Prints the id, version, ABI, LibTorch, components, options and hooks of a plugin file. Its code "
       "does not run. --diff prints the changes from one file to another. It exits with code 3 if runs that "
       "were saved with the old file cannot be resumed unchanged with the new one.",
       std::nullopt, inspect_command},
      {"ckpt", "ckpt VERB FILE ...", "show, verify, diff, average or prune checkpoints",
       "host ckpt show FILE|RUN_DIR [--json]\n       host ckpt verify FILE|RUN_DIR ... [--json]\n"
       "       host ckpt diff A B [--all] [--json]\n       host ckpt average A B [C ...] --output FILE [--force]\n"
       "       host ckpt prune RUN_DIR [--keep N] [--dry_run] [--json]",
       "  show     print the origin of the file, and its tensors with types, shapes and sizes\n"
       "  verify   compare every byte with its checksum; exit code 5 if a file is damaged\n"
       "  diff     compare tensors by their largest difference, and options, plugins and counters\n"
       "  average  write the mean of the weights, as a file for --ckpt_path\n"
       "  prune    remove a run's checkpoints except the best, the last, the newest intact one and the N "
       "newest",
       std::nullopt, ckpt_command},
      {"check", "check FILE", "check a plugin against the rules for plugins",
       "host check FILE [--KIND.OPTION VALUE ...] [--json] [--time_limit SECONDS] [--plugins DIR] [--trust]",
       "Checks a plugin, rule by rule, in a separate process. Exits with code 0 if no rule fails, else 3.\n"
       "  --model.hidden 8, --data.file x.csv   options of the plugin's components, as in a run\n"
       "  --model.ID.hidden 8                   an option of one of several components\n"
       "  --file FILE                           a file of tasks, for components of tasks\n"
       "  --time_limit SECONDS                  time without progress after which a rule fails; 60 by "
       "default",
       std::nullopt, check_command},
      {"new", "new KIND NAME",
       "write the project of a plugin: model, data, callback, logger, optimizer, metric or tasks  (--c, --rust)",
       "host new model|data|callback|logger|optimizer NAME [--c|--rust]\n       host new metric NAME\n"
       "       host new tasks NAME [--c]",
       "Writes a folder NAME with the sources of a working plugin in C++, C or Rust, its tests, and a file "
       "for continuous integration. A metric is in C++, and comes with a model that logs it.",
       std::nullopt, new_command},
      {"install", "install FILE", "check a plugin and copy it into your plugin folder",
       "host install FILE [--force] [--no-check] [--trust] [OPTION ...]",
       "Checks the plugin as host check does, with the same options, then copies it into a folder that "
       "every run searches.\n"
       "  --force      replace a file of another plugin\n"
       "  --no-check   skip the check",
       std::nullopt, install_command},
      {"uninstall", "uninstall NAME", "remove a plugin from your plugin folder", "host uninstall ID|FILE",
       "Removes a file from your plugin folder, by its name, its plugin's id or a component's id.", std::nullopt,
       uninstall_command},
      {"doctor", "doctor", "print LibTorch, BLAS, threads, devices and data sets of this machine",
       "host doctor [--json] [--plugins DIR] [--trust]",
       "Prints what a run finds on this machine: LibTorch, BLAS, threads, devices, data sets.", std::nullopt,
       doctor_command},
      {"explain", "explain CODE", "explain the number of an error: cause and cure", "host explain [CODE] [--json]",
       "Prints what an error such as error[E0204] means, why it happens and what to do. Without CODE it lists all.",
       std::nullopt, explain_command},
      {"completion", "completion SHELL", "print what makes a shell complete options and names: bash, zsh or fish",
       "host completion bash|zsh|fish",
       "Prints a script for the shell. It completes commands, options, components, values and run folders, also those "
       "of your own plugins. An installation has the scripts where the shells look for them; without one:\n"
       "  bash   source <(host completion bash), in ~/.bashrc\n"
       "  zsh    source <(host completion zsh), in ~/.zshrc, after compinit\n"
       "  fish   host completion fish > ~/.config/fish/completions/host.fish",
       std::nullopt, completion_command},
      {"help", "help [WHAT ...]",
       "this help; or the options of a plugin file, a component or a group, or one option: host help trainer",
       "host help [trainer|data|model|optimizers|schedules|COMMAND|FILE|NAME|OPTION ...] [--json] [--plugins DIR] "
       "[--trust]",
       "Prints options with their types, ranges, defaults and meanings.", std::nullopt, help_command},
  };
}

}  // namespace

int HostCommand::start(const std::vector<std::string>& arguments) const {
  if (runs) return run_command(*runs, arguments);
  return handle ? handle(arguments) : start_program(*this, arguments);
}

const std::vector<HostCommand>& host_commands() {
  static const std::vector<HostCommand> table = [] {
    std::vector<HostCommand> out;
    for (const auto part : {commands_on_runs, commands_of_programs, commands_on_files})
      for (HostCommand& command : part()) out.push_back(std::move(command));
    return out;
  }();
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
