#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/commands/fitted_output.hpp"
#include "host/commands/help_json.hpp"
#include "host/commands/help_metrics.hpp"
#include "host/commands/help_option.hpp"
#include "host/commands/help_transforms.hpp"
#include "host/commands/pager.hpp"
#include "host/complete/list_names.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

const char* const usage_text = R"(usage: host [COMMAND] --model X --data X [OPTION ...]

  host --model libresnet.so --data libmnist.so                 train, then test the best checkpoint
  host --model resnet --data mnist --max_epochs 3 --lr 0.05    other options
  host resume RUN_DIR                                          resume a run
  host help resnet                                             options of a component
)";

// Prints the options that every run has.
void print_run_arguments() {
  std::printf("\nOptions\n");
  for (const RunArgument& argument : run_arguments()) {
    if (std::string(argument.name) == "help") continue;
    const std::string shown = argument.shown(), gap = shown.size() > 17 ? "   " : "  ";
    std::printf("  %-17s%s", shown.c_str(), gap.c_str());
    const std::vector<std::string> lines = split(argument.help, '\n');
    std::printf("%s\n", join(lines, "\n                     ").c_str());
  }
  std::printf("  --version, --help\n");
}

const char* const more_text = R"(
Often used: --devices N, --max_epochs N, --batch_size N, --seed_everything N, --accelerator auto|cpu|gpu, --fast_dev_run.
All of them: host help trainer, host help data, host help MODEL, host help optimizers, host help schedules.
Metrics of --model.metrics: host help metrics. Transforms of --data.transforms: host help transforms.
)";

const char* const environment_text = R"(
LEVIN_TRAINER_NAME=VALUE in the environment (also PL_TRAINER_NAME) is --trainer.name below the command line.
)";

// Prints the trainer options that components claim. If several components claim an option, prints the first claim.
void print_claims(PluginIndex& index) {
  std::vector<std::string> shown;
  for (const auto& file : index.files()) {
    for (const auto& component : file.schema.components) {
      for (const auto& claim : component.claims) {
        if (find_trainer_option(claim.name) != nullptr || std::count(shown.begin(), shown.end(), claim.name)) continue;
        if (shown.empty()) std::printf("\nServed by components\n");
        shown.push_back(claim.name);
        print_claim(component, claim);
      }
    }
  }
}

int print_trainer(PluginIndex& index) {
  std::string group;
  for (const auto& option : trainer_options()) {
    if (option.group != group) std::printf("%s%s\n", group.empty() ? "" : "\n", option.group.c_str());
    group = option.group;
    print_option("--trainer.", option.schema, describe_type(option));
  }
  print_claims(index);
  std::fputs(environment_text, stdout);
  return 0;
}

int print_loader() {
  std::printf("Every data module\n");
  for (const auto& option : loader_options()) print_option("--data.", option.schema, describe_type(option.schema));
  std::printf("\nIts own options: host help NAME\n");
  return 0;
}

int print_weights() {
  std::printf("Every model\n");
  for (const OptionSchema& option : weight_options()) print_option("--model.", option, describe_type(option));
  std::printf("\nIts own options: host help NAME\n");
  return 0;
}

void print_component(const PluginFile& file, const ComponentSchema& component) {
  const std::string kind = kind_name(component.kind);
  std::printf("%s %s %s (%s), %s\n", kind.c_str(), component.id.c_str(), component.version.c_str(),
              component.full_name().c_str(), file.path.c_str());
  if (!component.summary.empty()) std::printf("%s\n", component.summary.c_str());
  if (component.kind == LEVIN_KIND_OPTIMIZER)
    std::printf("A model sets its options: plan.optimizer(\"%s\", {{\"NAME\", value}})\n", component.id.c_str());
  std::printf(component.options.empty() ? "It has no options.\n" : "\n");
  for (const auto& option : component.options) print_option_of(component, option);
  for (const auto& claim : component.claims) {
    std::printf("  --trainer.%s\n      %s\n", claim.name.c_str(), claim.help.c_str());
  }
  if (component.defaults.empty()) return;
  std::printf("\nRecommends\n");
  for (const auto& [key, value] : component.defaults.items())
    std::printf("  --%s %s\n", key.c_str(), value.dump().c_str());
}

int print_file(const PluginFile& file) {
  require_usable(file.problem);
  for (size_t i = 0; i < file.schema.components.size(); ++i) {
    if (i != 0) std::printf("\n");
    print_component(file, file.schema.components[i]);
  }
  return 0;
}

int print_id(PluginIndex& index, const std::string& id) {
  std::vector<std::string> known = {"trainer", "data", "model", "optimizers", "schedules", "metrics", "transforms"};
  for (const std::string& built_in : built_in_optim_ids()) known.push_back(built_in);
  for (const std::string& metric : metric_names()) known.push_back(metric);
  for (const std::string& transform : transform_names()) known.push_back(transform);
  int found = print_built_in_optim(id);
  for (const auto& file : index.files()) {
    for (const auto& component : file.schema.components) {
      known.push_back(id.find(':') == std::string::npos ? component.id : component.full_name());
      if (!component.answers_to(id)) continue;
      if (found++ != 0) std::printf("\n");
      print_component(file, component);
    }
  }
  OptionsNamed options(id);
  // Some options have the name of a metric or a transform.
  const bool is_word = found == 0 && print_metric(id) + print_transform(id) > 0;
  if (found != 0 || options.print(index) || is_word) return 0;
  throw Error(ErrorCode::component_unknown,
              "host help: nothing is called '" + id + "'" + help_hint(id, known, options.all()));
}

bool names_file(const std::string& word) { return word.find('/') != std::string::npos || ends_with(word, ".so"); }

int print_about(PluginIndex& index, const std::string& what) {
  if (what == "trainer") return print_trainer(index);
  if (what == "data") return print_loader();
  if (what == "model") return print_weights();
  if (what == "schedules") return print_schedules();
  if (what == "optimizers") return print_optimizers(index);
  if (what == "metrics") return print_metrics();
  if (what == "transforms") return print_transforms();
  if (const HostCommand* command = find_command(what)) return print_command_help(*command);
  return names_file(what) ? print_file(index.file(what)) : print_id(index, what);
}

// Prints an object with the help of each name.
int print_json(PluginIndex& index, const std::vector<std::string>& names) {
  nlohmann::json out = names.empty() ? general_help() : nlohmann::json::object();
  for (const std::string& what : names) {
    nlohmann::json about = help_about(index, what);
    if (about.is_null()) print_about(index, what);  // throws the error that names similar names
    out[what] = std::move(about);
  }
  std::printf("%s\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  return 0;
}

}  // namespace

void print_help() {
  std::fputs(usage_text, stdout);
  std::printf("\nCommands\n");
  for (const auto& command : host_commands()) std::printf("  %-17s  %s\n", command.listed_as, command.summary.c_str());
  print_run_arguments();
  std::fputs(more_text, stdout);
}

void print_short_help() {
  const std::string more = "\nSee host --help for more; host plugins lists the plugins found.\n";
  std::fputs(with_program_name(fitted(usage_text, terminal_columns()) + more).c_str(), stderr);
}

int print_command_help(const HostCommand& command) {
  const FittedOutput output(show_in_pager);
  std::printf("usage: %s\n\n%s\n", command.usage.c_str(), command.help.c_str());
  if (command.runs) print_run_arguments();
  if (command.runs) std::fputs(more_text, stdout);
  return 0;
}

int help_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"help", {"trust", "json"}, {"plugins"}, 100, true}, arguments);
  for (const auto& [name, value] : given.options)
    if (name != "trust" && name != "json" && name != "plugins")
      throw Error(ErrorCode::option_unknown, "host help: there is no option --" + name +
                                                 " here; an option is named without dashes: host help " + name);
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  if (given.has("json")) return print_json(index, given.names);
  const FittedOutput output(show_in_pager);
  if (given.names.empty()) print_help();
  for (const std::string& what : given.names) {
    if (&what != &given.names[0]) std::printf("\n");
    print_about(index, what);
  }
  return 0;
}

}  // namespace levin::core
