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
      {"board", "board [FOLDER ...]", "show runs in the browser while they train: curves, options, logs  (--port N)",
       "host board [FOLDER ...] [--port N]",
       "Serves a page on this machine alone, and prints its address. It shows the runs in levin_logs, or in the "
       "folders, as a "
       "table, their curves, the options that differ, checkpoints and logs, and event files of other programs.\n"
       "  --port N   a port of your choice, for ssh -L N:127.0.0.1:N; 0 (the default) = any free one",
       std::nullopt, nullptr,
       "install Debian's libcpp-httplib-dev and libjs-dygraphs, configure and build Levin again"},
      {"tasks", "tasks", "split a file into tasks, handle them in many processes, and sum their results",
       "host tasks --library FILE.so --file FILE [--workers N] [--tasks.OPTION V] [OPTION ...]\n"
       "       host tasks --resume RUN [OPTION ...]\n       host tasks report RUN [--json | --output FILE.html|FILE.md "
       "[--force]]\n"
       "       host tasks serve --allow ALLOWED [--listen HOST:PORT] [--folder DIR] [--tls_cert FILE --tls_key FILE "
       "[--tls_ca FILE]] [--ledger URL]\n"
       "       host tasks worker --server URL --allow ALLOWED [--workers N] [OPTION ...]\n"
       "       host tasks submit --server URL --library FILE.so --file FILE [OPTION ...]\n"
       "       host tasks status|results|logs|cancel|retry [JOB] --server URL\n"
       "       host tasks key FILE\n       host tasks sign --library FILE.so --key FILE",
       "Calls read of a component of tasks, then handle for each task in worker processes, then sum. The output and a "
       "ledger of all tasks are in levin_logs/tasks_N. A task whose process is lost is handled again, and each result "
       "is "
       "summed exactly once. A job that was stopped or killed goes on with --resume.\n"
       "  --library FILE.so    the plugin, as a file or a name; --component NAME if it has several components of "
       "tasks\n"
       "  --file FILE          the file for read\n"
       "  --tasks.OPTION V     an option of the component; host help FILE.so lists them\n"
       "  --workers N          number of processes; 0 (the default) = number of CPUs\n"
       "  --attempts N         attempts after which a task is set aside; 3 by default\n"
       "  --time_limit S       seconds after which an attempt is ended; 0 (the default) = no limit\n"
       "  --max_size MIB       largest task or result; 64 by default\n"
       "  --memory MIB         memory that a worker may allocate; 0 (the default) = no limit\n"
       "  --cpus N, --gpus N, --memory_total MIB, --labels A,B   what the workers have for tasks that ask for it\n"
       "  --speculative        run the slowest tasks a second time near the end; the first result counts\n"
       "  --engine NAME        local (the default) = worker processes of this machine; nats = a NATS server of its "
       "own;\n"
       "                       slurm_files = workers placed by SLURM, without open ports; slurm = the same over NATS\n"
       "  --sbatch KEY=VALUE   an option of sbatch for these workers; --listen HOST:PORT: address of the NATS server\n"
       "  --server URL         use the workers of this NATS server, nats://HOST:PORT or tls://HOST:PORT\n"
       "  --token_file FILE    the server's token; --creds_file FILE: credentials as NATS' own programs write them\n"
       "  --tls_ca FILE        the authority of the server's certificate; --tls_cert FILE, --tls_key FILE: a client's\n"
       "  --priority N         workers take tasks of jobs with a higher priority first; 0 by default\n"
       "  --default_root_dir DIR   where levin_logs is made\n"
       "  --ledger URL         postgresql://USER@HOST/DATABASE: the ledger is in PostgreSQL, not in the run folder\n"
       "  --plugins DIR, --trust   as in a run\n"
       "Several machines: serve starts a NATS server and takes jobs, worker computes tasks on each machine, and submit "
       "prints the name of a job for status, results (--wait), logs, cancel and retry. ALLOWED is a file or folder of "
       "libraries, a SHA-256 sum, key:FILE with a public key that signs libraries, or any. key makes a pair of keys, "
       "and "
       "sign writes the signature FILE.so.sig. A worker also has --name NAME, --folder DIR and --user NAME (of its "
       "processes).\n"
       "Exit codes: 0 = the output is there, 1 = a task or sum failed, 3 = the library cannot be used, 130 = Ctrl-C.",
       std::nullopt, nullptr, "install Debian's libsqlite3-dev, configure and build Levin again"},
      {"sweep", "sweep [--param ...] fit ...",
       "search for the best options: grid, random, TPE, ASHA, population based training",
       "host sweep --param OPTION=VALUES [--param ...] --trials N [OPTION ...] fit --model X --data X [OPTION ...]\n"
       "       host sweep --file FILE.json [OPTION ...]\n       host sweep --resume SWEEP [--workers N] [--trials N] "
       "[fit SECRETS]\n"
       "       host sweep status|best|report SWEEP [--json]",
       "Runs trials: fits with different values of options. Each has its own run folder in levin_logs/sweep_N, and "
       "study.journal in that folder can be read by Optuna. A sweep that was stopped or killed goes on with --resume.\n"
       "  --param OPTION=VALUES   an option and its values; repeatable\n"
       "      64,128              listed values, or a JSON list\n"
       "      uniform(0,1)        a number; uniform(0,1,0.25) = in steps\n"
       "      log(1e-4,1e-1)      a number on a logarithmic scale\n"
       "      int(1,8)            a whole number; int(16,256,16) = in steps; logint(16,1024) = logarithmic\n"
       "  --metric NAME           the metric that trials are compared by; val_loss by default\n"
       "  --mode min|max          which values are better; min by default for a loss\n"
       "  --trials N              number of trials; all combinations by default with --sampler grid\n"
       "  --workers N             number of trials at a time; 1 by default\n"
       "  --sampler NAME          grid, random or tpe (the default)\n"
       "  --scheduler NAME        none (the default); asha = stop bad trials early; pbt = population based\n"
       "  --min_epochs N          asha: epochs of the first rung; 1 by default\n"
       "  --factor N              asha: one trial of N is promoted; 3 by default\n"
       "  --interval N            pbt: epochs of a generation; 1 by default\n"
       "  --seed N                seed of the sampler; 0 by default\n"
       "  --server URL            run the trials on workers of host tasks; its options of a server as there\n"
       "  --gpus N                with --server: GPUs that a trial needs for itself\n"
       "Exit codes: 0 = a trial has succeeded, 1 = none has, 130 = Ctrl-C. See docs/sweeps.md.",
       std::nullopt, nullptr, "build Levin's target host-sweep, and install Levin again"},
      {"trial", "trial --json fit ...",
       "run fits for another optimizer, which says their options and reads their metric",
       "host trial --json [--metric NAME] [--mode min|max] [--params JSON] fit --model X --data X [OPTION ...]",
       "Reads lines of JSON from the standard input. {\"params\": {\"model.lr\": 0.01}} runs a fit with these options, "
       "and "
       "{\"stop\": true} stops it after a checkpoint. Prints lines of JSON: the run folder, each value of the metric, "
       "and "
       "how the trial has ended. Trials are run one after another until the input ends.\n"
       "  --json          required: lines of JSON\n"
       "  --metric NAME   the metric; val_loss by default\n"
       "  --mode min|max  which values are better; min by default for a loss\n"
       "  --params JSON   run one trial with these options, and read no input\n"
       "Exit codes: 0 = every trial has a value or was stopped, 1 = a trial failed, 130 = Ctrl-C. See docs/sweeps.md.",
       std::nullopt, nullptr, "build Levin's target host-trial, and install Levin again"},
      {"config", "config VERB ...", "write, show, compare and check configuration files",
       "host config new [FILE.yaml|FILE.toml|FILE.json] --model X --data X [OPTION ...] [--force]\n"
       "       host config show [FILE|RUN_DIR ...] [--origins] [--format yaml|toml|json] [OPTION ...]\n"
       "       host config diff FILE|RUN_DIR FILE|RUN_DIR [--json] [OPTION ...]\n"
       "       host config validate FILE ... [--json] [OPTION ...]\n"
       "       host config schema [--output FILE] [--plugins DIR]",
       "Works with the files of --config and starts no run. OPTION is an option of a run.\n"
       "  new        write a file with all options of the chosen components, as comments; YAML without FILE\n"
       "  show       print every value of a run; --origins adds the source of each\n"
       "  diff       print the values that differ\n"
       "  validate   print all mistakes of files, with line and column; exit code 2 if there are any\n"
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
      {"ckpt", "ckpt VERB FILE ...", "show, verify, compare, average or prune checkpoints",
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
