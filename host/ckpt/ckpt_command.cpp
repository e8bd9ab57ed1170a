#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/ckpt/verbs.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {
namespace {

const struct Verb {
  const char *name, *usage;
  std::vector<std::string> flags, values;
  size_t least_files, most_files;
  int (*run)(const Arguments& arguments);
} verbs[] = {
    {"show", "FILE|RUN_DIR [--json]", {"json"}, {}, 1, 1, ckpt::show},
    {"verify", "FILE|RUN_DIR ... [--json]", {"json"}, {}, 1, 1000, ckpt::verify},
    {"diff", "A B [--all] [--json]", {"all", "json"}, {}, 2, 2, ckpt::diff},
    {"average", "A B [C ...] --output FILE [--force]", {"force"}, {"output"}, 2, 1000, ckpt::average},
    {"prune", "RUN_DIR [--keep N] [--dry_run] [--json]", {"dry_run", "dry-run", "json"}, {"keep"}, 1, 1, ckpt::prune},
};

}  // namespace

int ckpt_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.emplace_back(verb.name);
  if (arguments.empty())
    throw Error(ErrorCode::argument_missing, "host ckpt: no verb is named; verbs: " + join(names, ", "));
  for (const Verb& verb : verbs) {
    if (arguments[0] != verb.name) continue;
    const std::string command = std::string("ckpt ") + verb.name;
    const Arguments given =
        read_arguments({command, verb.flags, verb.values, verb.most_files}, {arguments.begin() + 1, arguments.end()});
    if (given.names.size() < verb.least_files)
      throw Error(ErrorCode::argument_missing,
                  "host " + command + ": too few files are named; usage: host " + command + " " + verb.usage);
    return verb.run(given);
  }
  throw Error(ErrorCode::command_unknown, unknown_name("host ckpt: there is no", arguments[0], names));
}

}  // namespace levin::core
