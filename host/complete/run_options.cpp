#include "host/complete/run_options.hpp"

#include <set>

#include "core/base/text.hpp"
#include "host/cli/run_arguments.hpp"
#include "host/complete/list_names.hpp"
#include "host/complete/named_run.hpp"
#include "host/complete/option_values.hpp"
#include "host/complete/run_folders.hpp"
#include "host/complete/shown_options.hpp"

namespace levin::core {
namespace {

// Adds the groups of a word's options: "--model." while no dot is typed. dashes: "--", or "" for names alone.
void add_groups(const KnownOptions& known, const std::string& dashes, Completion& out) {
  std::set<std::string> groups;
  for (const KnownOption& option : known.all()) groups.insert(group_of(option.key));
  for (const std::string& group : groups) out.add(dashes + group + ".", "options of the " + group);
}

void add_named_options(const KnownOptions& known, const std::string& word, const std::string& dashes, Completion& out) {
  const bool full = word.find('.') != std::string::npos;
  for (const KnownOption& option : known.all()) {
    const std::string short_name = option.key.substr(option.key.rfind('.') + 1);
    if (full)
      out.add(dashes + option.key, first_line(option.schema.help));
    else if (known.meanings(short_name) == std::vector<std::string>{option.key})
      out.add(dashes + short_name, first_line(option.schema.help));
  }
  if (!full) add_groups(known, dashes, out);
}

// Adds the components of a group, also behind the NAME= of a callback or logger, and NAME=false of the default ones.
void add_components(NamedRun& run, const std::string& group, const std::string& typed, Completion& out) {
  const bool instances = group == "callback" || group == "logger";
  const size_t equals = instances ? typed.find('=') : std::string::npos;
  const std::string before = equals == std::string::npos ? "" : typed.substr(0, equals + 1);
  for (const FoundComponent& found : run.source().all(kind_of_group(group)))
    out.add(before + found.component->id, found.component->summary);
  if (!instances) return;
  for (const std::string& name : run.composition().instance_names(group))
    out.add(name + "=false", "without the default " + group);
  if (group == "logger" && before.empty()) out.add("false", "no logger");
}

// The options whose value is a list of names that the SDK has.
struct ListOption {
  const char* key;
  std::vector<std::string> (*names)();
};
constexpr ListOption lists[] = {{"model.metrics", &metric_names}, {"data.transforms", &transform_names}};

// Adds the names behind the last comma that is typed.
void add_names_of_list(const std::string& key, const std::string& typed, Completion& out) {
  const size_t start = typed.find_first_not_of(' ', typed.rfind(',') + 1);  // npos + 1 is 0
  const std::string before = typed.substr(0, start);
  for (const ListOption& list : lists)
    if (key == list.key)
      for (const std::string& name : list.names()) out.add(before + name);
}

}  // namespace

void add_run_arguments(const std::string& word, Completion& out) {
  if (word.find('.') != std::string::npos) return;
  for (const RunArgument& argument : run_arguments())
    if (argument.name[0] != '\0') out.add(std::string("--") + argument.name, first_line(argument.help));
}

void add_options(const std::vector<std::string>& words, Completion& out) {
  add_run_arguments(words.back(), out);
  add_named_options(NamedRun(words).options(), words.back(), "--", out);
}

void add_values(const std::vector<std::string>& words, const std::string& option, const std::string& typed,
                Completion& out) {
  if (const RunArgument* argument = find_run_argument(option)) {
    if (option == "run") add_run_folders(out);
    if (option == "ckpt_path") {
      out.add("best", "the best checkpoint of the run");
      out.add("last", "the last checkpoint of the run");
      add_checkpoints(named_folders(words), out);
    }
    if (option == "profile")
      for (const std::string& profile : NamedRun(words).profiles()) out.add(profile);
    if (option == "explain") add_named_options(NamedRun(words).options(), typed, "", out);
    add_shown_values(nullptr, argument->value, out);
    if (kind_of_group(option) == 0 && option != "ckpt_path") return;
    out.paths = Completion::Paths::files;
    NamedRun run(words);
    if (kind_of_group(option) != 0) add_components(run, option, typed, out);
    return;
  }
  NamedRun run(words);
  const KnownOptions known = run.options();
  const std::vector<std::string> meanings = known.meanings(option);
  const KnownOption* found = known.find(option);
  if (found == nullptr && meanings.size() == 1) found = known.find(meanings[0]);
  if (found == nullptr) return;
  add_values_of(found->schema, out);
  add_names_of_list(found->key, typed, out);
  if (found->schema.flags & LEVIN_OPT_OPTIMIZER)
    for (const FoundComponent& optimizer : run.source().all(LEVIN_KIND_OPTIMIZER))
      out.add(optimizer.component->id, optimizer.component->summary);
  if (found->bare && found->schema.type != LEVIN_T_BOOL)
    for (const char* value : {"true", "false"}) out.add(value);
}

}  // namespace levin::core
