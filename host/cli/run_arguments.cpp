#include "host/cli/run_arguments.hpp"

namespace levin::core {

std::string RunArgument::shown() const {
  if (name[0] == '\0') return value;
  return "--" + std::string(name) + (value[0] == '\0' ? "" : " ") + value;
}

const std::vector<RunArgument>& run_arguments() {
  static const std::vector<RunArgument> table = {
      {"model", "X",
       "a plugin file (libresnet.so, ./my/libnet.so), a component's name, FILE.so:NAME or PLUGIN-ID:NAME"},
      {"data", "X", "the same for the data module"},
      {"callback", "[NAME=]X", "add a callback; NAME=false removes a default one; repeatable"},
      {"logger", "[NAME=]X", "add a logger in place of the default ones; false = none; repeatable"},
      {"", "--model.OPTION V",
       "and --data.OPTION V, --callback.NAME.OPTION V, --logger.NAME.OPTION V, --trainer.OPTION V;\n"
       "--OPTION V if only one of them has the option"},
      {"config", "FILE", "JSON with comments, YAML or TOML; repeatable; later files and other options override"},
      {"profile", "NAME", "apply a profile of the files of --config above all of them; repeatable"},
      {"explain", "OPTION", "print which source sets an option, and what it overrides; nothing runs; repeatable"},
      {"print_config", "", "print every value and its origin, as a file for --config; nothing runs"},
      {"json", "", "print what --explain or --print_config prints as JSON"},
      {"trace-hooks", "", "print every hook and step as it is called, with its epoch and optimizer step"},
      {"debug-plugins", "", "check every tensor and value that plugins pass, and name the plugin at fault; slower"},
      {"hosts", "A:4,B:4", "machines to train on over ssh, with the number of processes on each"},
      {"hostfile", "FILE", "the same, from a file with one machine per line"},
      {"ssh_command", "X", "command in place of ssh, such as 'ssh -p 2222'"},
      {"ckpt_path", "X", "the checkpoint to start from: best, last or a file"},
      {"run", "FOLDER", "the run of the checkpoint; default: the newest run of the model"},
      {"plugins", "DIR", "look for plugins there first; repeatable (also LEVIN_PLUGIN_PATH=DIR:DIR)"},
      {"trust", "", "accept plugin files that other users may write"},
      {"verbose", "", "show debug messages, too (also in log.txt)"},
      {"quiet", "", "show warnings and errors only"},
      {"allow_plugin_changes", "", "resume without the components and options that plugins no longer have"},
      {"strict_resume", "",
       "refuse to resume a run that would compute differently: other threads, seed, data or options"},
      {"help", "", "print the help of the command"},
  };
  return table;
}

const RunArgument* find_run_argument(const std::string& name) {
  for (const RunArgument& argument : run_arguments())
    if (!name.empty() && name == argument.name) return &argument;
  return nullptr;
}

}  // namespace levin::core
