// The commands that are programs of their own: libexec/levin/host-NAME.
#include "host/cli/commands.hpp"

namespace levin::core {

std::vector<HostCommand> commands_of_programs() {
  return {
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
  };
}

}  // namespace levin::core
