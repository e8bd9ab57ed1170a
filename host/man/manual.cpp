#include "host/man/manual.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <utility>

#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/man/roff.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// Returns the day of SOURCE_DATE_EPOCH, so that a build can be repeated, or today.
std::string day_of_build() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t time =
      epoch != nullptr ? static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10)) : std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&time, &day);
  char text[16] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d", &day);
  return text;
}

std::string page_named(const std::string& part) { return command_name() + ("-" + part); }
std::string page_name(const HostCommand& command) {
  return command.is_typed() ? page_named(command.name) : command_name();
}

// A schema's help, type and default as one text.
std::string about(const OptionSchema& option, const std::string& type) {
  const std::string deflt = option.flags & LEVIN_OPT_REQUIRED ? "required" : "default " + option.deflt.dump();
  std::string text = option.help.empty() ? "" : option.help + ". ";
  text += "Value: " + type + " (" + deflt + ").";
  if (!option.aliases.empty()) text += " Formerly " + join(option.aliases, ", ") + ".";
  if (!option.deprecated.empty()) text += " Deprecated: " + option.deprecated + ".";
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

void add_run_arguments(Page& page) {
  page.section("OPTIONS");
  page.paragraph("Options of every run. " + page_named("options(7)") + " lists those of the Trainer, " +
                 page_named("components(7)") + " those of models, data modules, callbacks and loggers.");
  for (const RunArgument& argument : run_arguments()) {
    std::string help = argument.help;
    for (char& c : help)
      if (c == '\n') c = ' ';
    const bool named = argument.name[0] != '\0';
    page.item(named ? "--" + std::string(argument.name) : argument.value, named ? argument.value : "", help);
  }
}

void add_synopsis(const HostCommand& command, Page& page) {
  page.section("SYNOPSIS");
  const std::string start = command_name() + (command.is_typed() ? " " + std::string(command.name) : "");
  for (const std::string& line : split(with_program_name(command.usage), '\n')) {
    const std::string usage = trim(line);
    page.synopsis(start, usage.substr(std::min(start.size(), usage.size())));
  }
}

void add_end(Page& page) {
  page.section("EXIT STATUS");
  for (const auto& [code, meaning] : std::vector<std::pair<const char*, const char*>>{
           {"0", "success"},
           {"1", "a plugin or the training loop failed, or a file could not be written"},
           {"2", "a mistake in the command, an option or a configuration file"},
           {"3", "a plugin cannot be used"},
           {"4", "data is missing or broken"},
           {"5", "a checkpoint is missing, damaged or does not fit"},
           {"6", "a loss, a gradient or a weight is NaN or infinite"},
           {"7", "another process of the run is lost, or the processes do not agree"},
           {"70", "a crash, or a defect of the host or its installation"},
           {"75", "stopped by a signal; nothing is lost, and host resume continues the run"},
           {"130", "interrupted by Ctrl-C"}})
    page.item(code, "", meaning);
}

void add_see_also(const std::string& own, Page& page) {
  std::vector<std::string> pages;
  for (const HostCommand& command : host_commands()) pages.push_back(page_name(command) + "(1)");
  pages.insert(pages.end(), {page_named("options(7)"), page_named("components(7)")});
  std::string text;
  for (const std::string& name : pages)
    if (!starts_with(name, own + "(")) text += (text.empty() ? "" : ", ") + name;
  page.section("SEE ALSO");
  page.paragraph(text);
}

std::string command_page(const HostCommand& command, const std::string& day) {
  const std::string name = page_name(command);
  Page page(name, 1, day);
  page.name(name, command.is_typed() ? command.summary : "train neural networks made of plugins");
  add_synopsis(command, page);
  page.section("DESCRIPTION");
  page.help(command.help);
  if (!command.is_typed()) {
    page.section("COMMANDS");
    for (const HostCommand& other : host_commands())
      if (other.is_typed()) page.item(std::string(command_name()) + " " + other.name, "", other.summary);
  }
  if (command.runs) add_run_arguments(page);
  if (!command.is_typed()) {
    page.section("ENVIRONMENT");
    page.item("LEVIN_PLUGIN_PATH", "", "folders to search for plugins, with colons between them");
    page.item("LEVIN_TRAINER_NAME", "", "the value of --trainer.name below the command line");
  }
  add_end(page);
  add_see_also(name, page);
  return page.text();
}

std::string options_page(const std::string& day) {
  const std::string name = page_named("options");
  Page page(name, 7, day);
  page.name(name, "options of the Trainer, of every data module and of every model");
  page.section("DESCRIPTION");
  page.paragraph("Options of " + std::string(command_name()) +
                 "(1) and its commands. The group before the dot may be left out if only one component "
                 "has the option.");
  std::string group;
  for (const TrainerOption& option : trainer_options()) {
    if (option.group != group) page.section(group = option.group);
    page.item("--trainer." + option.schema.name, "", about(option.schema, describe_type(option)));
  }
  page.section("Every data module");
  for (const LoaderOption& option : loader_options())
    page.item("--data." + option.schema.name, "", about(option.schema, describe_type(option.schema)));
  page.section("Every model");
  for (const OptionSchema& option : weight_options())
    page.item("--model." + option.name, "", about(option, describe_type(option)));
  for (const auto& [title, table] :
       {std::pair("Optimizers", &optimizer_table()), std::pair("Schedules", &schedule_table())}) {
    page.section(title);
    for (const OptimSpec& spec : *table) {
      page.subsection(spec.id + ", " + spec.class_name);
      page.paragraph(spec.summary);
      for (const OptionSchema& option : spec.options) page.item(option.name, "", about(option, describe_type(option)));
    }
  }
  add_see_also(name, page);
  return page.text();
}

void add_component(const ComponentSchema& component, Page& page) {
  page.subsection(component.id);
  page.paragraph(component.summary.empty() ? component.full_name() : component.summary);
  const std::string kind = kind_name(component.kind);
  const bool instances = component.kind == LEVIN_KIND_CALLBACK || component.kind == LEVIN_KIND_LOGGER;
  const std::string prefix = component.kind == LEVIN_KIND_OPTIMIZER ? ""
                             : instances                            ? "--" + kind + "." + component.id + "."
                                                                    : "--" + kind + ".";
  for (const OptionSchema& option : component.options)
    page.item(prefix + option.name, "", about(option, describe_type(option)));
  for (const ClaimSchema& claim : component.claims) page.item("--trainer." + claim.name, "", claim.help);
  std::vector<std::string> recommended;
  for (const auto& [key, value] : component.defaults.items()) recommended.push_back("--" + key + " " + value.dump());
  if (!recommended.empty()) page.paragraph("Recommends " + join(recommended, ", ") + ".");
}

std::string components_page(const std::string& day) {
  const std::string name = page_named("components");
  Page page(name, 7, day);
  page.name(name, "models, data modules, callbacks and loggers that come with Levin");
  page.section("DESCRIPTION");
  page.paragraph("host help NAME prints the same of these components and of those in your own plugins.");
  PluginIndex index({installed_plugin_dir()}, true);
  for (const auto& [kind, title] : std::vector<std::pair<uint32_t, const char*>>{{LEVIN_KIND_MODEL, "MODELS"},
                                                                                 {LEVIN_KIND_DATA, "DATA MODULES"},
                                                                                 {LEVIN_KIND_CALLBACK, "CALLBACKS"},
                                                                                 {LEVIN_KIND_LOGGER, "LOGGERS"}}) {
    bool first = true;
    for (const PluginFile& file : index.files())
      for (const ComponentSchema& component : file.schema.components) {
        if (component.kind != kind) continue;
        if (std::exchange(first, false)) page.section(title);
        add_component(component, page);
      }
  }
  add_see_also(name, page);
  return page.text();
}

}  // namespace

int write_manual(const std::string& folder) {
  const fs::path root = absolute_path(folder);
  const std::string day = day_of_build();
  for (const HostCommand& command : host_commands())
    write_file_durable(root / "man1" / (page_name(command) + ".1"), command_page(command, day));
  write_file_durable(root / "man7" / (page_named("options") + ".7"), options_page(day));
  write_file_durable(root / "man7" / (page_named("components") + ".7"), components_page(day));
  return 0;
}

}  // namespace levin::core
