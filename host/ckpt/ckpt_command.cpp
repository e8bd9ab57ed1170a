#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/ckpt/verbs.hpp"
#include "host/cli/handlers.hpp"

namespace levin::core {
namespace {

constexpr size_t any_number = 1000;

const std::vector<ckpt::CkptVerb>& verbs() {
  static const std::vector<ckpt::CkptVerb> table = {
      {"show", "show FILE|RUN_DIR [--json]", {"--json"}, 1, 1, ckpt::show},
      {"verify", "verify FILE|RUN_DIR ... [--json]", {"--json"}, 1, any_number, ckpt::verify},
      {"diff", "diff A B [--all] [--json]", {"--all", "--json"}, 2, 2, ckpt::diff},
      {"average", "average A B [C ...] --output FILE [--force]", {"--output", "--force"}, 2, any_number, ckpt::average},
      {"prune", "prune RUN_DIR [--keep N] [--dry_run]", {"--keep", "--dry_run"}, 1, 1, ckpt::prune},
  };
  return table;
}

}  // namespace

int ckpt_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const ckpt::CkptVerb& verb : verbs()) names.emplace_back(verb.name);
  if (arguments.empty()) throw Error(ErrorKind::usage, "host ckpt: say what to do: " + join(names, ", "));
  for (const ckpt::CkptVerb& verb : verbs())
    if (arguments[0] == verb.name)
      return verb.run(ckpt::read_ckpt_arguments(verb, {arguments.begin() + 1, arguments.end()}));
  throw Error(ErrorKind::usage, unknown_name("host ckpt: there is no", arguments[0], names));
}

}  // namespace levin::core
